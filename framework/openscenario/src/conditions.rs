//! Evaluation of conditions.

use crate::actor::{Actor, Cast};
use crate::scenario::{Condition, ConditionTest, DistanceKind, Edge, ElementState, Property};

/// Results of a condition in earlier steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConditionMemory {
    /// Results with their times, s, the last ones first to go; kept for the delay.
    past: Vec<(f64, bool)>,
    /// Result without the delay and the edge at the last step.
    last: Option<bool>,
}

/// Answers whether an element of the storyboard is in a state.
pub(crate) type StateOf<'s> = &'s dyn Fn(&str, ElementState) -> bool;

impl ConditionMemory {
    /// Returns whether a condition holds at a time, s, with its edge and its delay.
    pub fn holds(
        &mut self,
        condition: &Condition,
        cast: &Cast,
        time: f64,
        state_of: StateOf<'_>,
    ) -> Result<bool, String> {
        let now = test(&condition.test, cast, time, state_of)?;
        let last = self.last.replace(now);
        let result = match condition.edge {
            Edge::None => now,
            Edge::Rising => now && last == Some(false),
            Edge::Falling => !now && last == Some(true),
            Edge::Either => last.is_some_and(|last| last != now),
        };
        if condition.delay == 0.0 {
            return Ok(result);
        }
        self.past.push((time, result));
        let due = time - condition.delay + 1e-9;
        let count = self.past.iter().take_while(|(at, _)| *at <= due).count();
        // an edge lasts for one step, and no step may be left out
        let found = match condition.edge {
            Edge::None => count.checked_sub(1).is_some_and(|at| self.past[at].1),
            _ => self.past[..count].iter().any(|(_, result)| *result),
        };
        let keep_from = if condition.edge == Edge::None { count.max(1) - 1 } else { count };
        self.past.drain(..keep_from);
        Ok(found)
    }
}

fn test(
    test: &ConditionTest,
    cast: &Cast,
    time: f64,
    state_of: StateOf<'_>,
) -> Result<bool, String> {
    match test {
        ConditionTest::Time(comparison) => Ok(comparison.holds((time * 1e9).round() / 1e9)),
        ConditionTest::State { element, state } => Ok(state_of(element, *state)),
        ConditionTest::Entities { entities, all, property } => {
            let mut results = Vec::with_capacity(entities.len());
            for entity in entities {
                results.push(meets(*entity, property, cast)?);
            }
            Ok(if *all { results.iter().all(|one| *one) } else { results.contains(&true) })
        }
    }
}

fn meets(entity: usize, property: &Property, cast: &Cast) -> Result<bool, String> {
    let own = &cast.actors[entity];
    Ok(match property {
        Property::Traveled(distance) => own.travelled >= *distance,
        Property::Speed(limit) => limit.holds(own.speed),
        Property::Reach(position, tolerance) => {
            let [x, y, _] = cast.pose_of(position)?;
            libm::hypot(x - own.pose[0], y - own.pose[1]) <= *tolerance
        }
        Property::Distance { to, kind, freespace, limit } => {
            limit.holds(distance(own, &cast.actors[*to], *kind, *freespace).abs())
        }
        Property::Headway { to, freespace, limit } => {
            let ahead = distance(own, &cast.actors[*to], DistanceKind::Longitudinal, *freespace);
            // behind an entity that is not ahead there is no headway
            own.speed > 0.0 && ahead >= 0.0 && limit.holds(ahead / own.speed)
        }
    })
}

/// Returns the corners of the bounding box of an entity in the frame of another one, m.
fn corners(of: &Actor, frame: &Actor) -> [[f64; 2]; 4] {
    let [[cx, cy], [length, width]] = of.bounds;
    let (sin, cos) = libm::sincos(of.pose[2] - frame.pose[2]);
    let [x, y] = origin(of, frame);
    [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[along, across]| {
        let (u, v) = (cx + 0.5 * along * length, cy + 0.5 * across * width);
        [x + cos * u - sin * v, y + sin * u + cos * v]
    })
}

/// Returns the origin of an entity in the frame of another one, m.
fn origin(of: &Actor, frame: &Actor) -> [f64; 2] {
    let [dx, dy] = [of.pose[0] - frame.pose[0], of.pose[1] - frame.pose[1]];
    let (sin, cos) = libm::sincos(frame.pose[2]);
    [cos * dx + sin * dy, cos * dy - sin * dx]
}

/// Returns the distance of an entity from another one, m: along its heading, positive ahead; across it, positive to the
/// left; or straight.
fn distance(own: &Actor, other: &Actor, kind: DistanceKind, freespace: bool) -> f64 {
    let axis = match kind {
        DistanceKind::Longitudinal => 0,
        DistanceKind::Lateral => 1,
        DistanceKind::Euclidean => {
            let [x, y] = origin(other, own);
            return if freespace { gap(own, other) } else { libm::hypot(x, y) };
        }
    };
    if !freespace {
        return origin(other, own)[axis];
    }
    let extent = |of: &Actor| {
        corners(of, own).iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], corner| {
            [low.min(corner[axis]), high.max(corner[axis])]
        })
    };
    let ([low, high], [other_low, other_high]) = (extent(own), extent(other));
    match (other_low > high, other_high < low) {
        (true, _) => other_low - high,
        (_, true) => other_high - low,
        _ => 0.0,
    }
}

/// Returns the distance between two bounding boxes, m; 0 if they overlap.
fn gap(own: &Actor, other: &Actor) -> f64 {
    let boxes = [corners(own, own), corners(other, own)];
    let edges = |of: [[f64; 2]; 4]| (0..4).map(move |at| [of[at], of[(at + 1) % 4]]);
    let is_inside = |[x, y]: [f64; 2], of| {
        edges(of).all(|[[a, b], [c, d]]| (c - a) * (y - b) - (d - b) * (x - a) >= 0.0)
    };
    let crosses = edges(boxes[0]).any(|one| edges(boxes[1]).any(|other| cross(one, other)));
    if crosses || is_inside(boxes[0][0], boxes[1]) || is_inside(boxes[1][0], boxes[0]) {
        return 0.0;
    }
    let to_edge = |[x, y]: [f64; 2], [[a, b], [c, d]]: [[f64; 2]; 2]| {
        let (dx, dy) = (c - a, d - b);
        let part = ((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy).max(1e-300);
        let part = part.clamp(0.0, 1.0);
        libm::hypot(x - a - part * dx, y - b - part * dy)
    };
    let mut least = f64::INFINITY;
    for (from, to) in [(0, 1), (1, 0)] {
        for corner in boxes[from] {
            least = edges(boxes[to]).fold(least, |least, edge| least.min(to_edge(corner, edge)));
        }
    }
    least
}

/// Returns whether two lines cross.
fn cross(one: [[f64; 2]; 2], other: [[f64; 2]; 2]) -> bool {
    let side =
        |[[a, b], [c, d]]: [[f64; 2]; 2], [x, y]: [f64; 2]| (c - a) * (y - b) - (d - b) * (x - a);
    side(one, other[0]) * side(one, other[1]) < 0.0
        && side(other, one[0]) * side(other, one[1]) < 0.0
}
