//! Motion along lanes.

use simhost_opendrive::{LaneKey, Network, is_driven, wrapped};

/// Distance from the end of a section at which its lanes are evaluated, m.
const INSIDE: f64 = 1e-6;
/// Longest part of a way that is passed at once, m.
const STRIDE: f64 = 2.0;
/// Largest number of parts of a way.
const MOST_PARTS: usize = 10_000;

/// A place in a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OnLane {
    /// The lane.
    pub key: LaneKey,
    /// Distance along the reference line, m.
    pub s: f64,
    /// Distance from the middle of the lane, m, positive to the left of the driving direction.
    pub left: f64,
}

/// Returns 1 for a lane that is driven along the reference line, and −1 for one that is driven against it.
pub(crate) fn sense(network: &Network, key: LaneKey) -> f64 {
    if network.is_along(key) { 1.0 } else { -1.0 }
}

impl OnLane {
    /// Returns the place in a driving lane at a pose, or `None` outside of all lanes.
    pub fn locate(network: &Network, [x, y, heading]: [f64; 3]) -> Option<Self> {
        let found = network.nearest([x, y], None, Some(heading), is_driven)?;
        if found.away > 0.0 {
            return None;
        }
        let key = network.key(found.on.road, found.on.s, found.lane);
        Some(Self { key, s: found.on.s, left: sense(network, key) * found.offset })
    }

    /// Returns the distance along the reference line within the section of the lane, m.
    fn inside(&self, network: &Network) -> f64 {
        let [low, high] = network.extent(self.key);
        self.s.clamp(low, (high - INSIDE).max(low))
    }

    /// Returns x, y, m, and the driving direction, rad.
    pub fn pose(&self, network: &Network) -> Option<[f64; 3]> {
        let s = self.inside(network);
        let offset = sense(network, self.key) * self.left;
        let pose = network.lane_pose(self.key.road, s, self.key.lane, offset)?;
        Some([pose.place[0], pose.place[1], wrapped(pose.heading)])
    }

    /// Returns the middle of the lane at a place, m along t.
    fn centre(&self, network: &Network) -> Option<f64> {
        let s = self.inside(network);
        Some(network.roads[self.key.road].edges(s, self.key.lane)?.centre())
    }

    /// Returns the same position as a place in another lane of the road.
    pub fn seen_from(&self, network: &Network, lane: i32) -> Option<Self> {
        let other = Self { key: LaneKey { lane, ..self.key }, ..*self };
        let t = self.centre(network)? + sense(network, self.key) * self.left;
        let left = sense(network, other.key) * (t - other.centre(network)?);
        (lane != 0).then_some(Self { left, ..other })
    }

    /// Returns the number of the lane a number of lanes to the left of the driving direction.
    pub fn lane_to_the_left(&self, network: &Network, lanes: i32) -> i32 {
        let from = self.key.lane;
        let to = from + lanes * sense(network, self.key) as i32;
        // there is no lane 0
        let crosses = from.signum() != to.signum() || to == 0;
        if crosses { to + (to - from).signum() } else { to }
    }

    /// Returns the length of the way per length of the reference line.
    fn stretch(&self, network: &Network, s: f64) -> f64 {
        let road = &network.roads[self.key.road];
        let Some(edges) = road.edges(s, self.key.lane) else { return 1.0 };
        let t = edges.centre() + sense(network, self.key) * self.left;
        let along = 1.0 - road.curvature(s) * t;
        libm::hypot(along, edges.centre_slope()).max(1e-3)
    }

    /// Returns where the lane ends in its driving direction, m.
    fn end(&self, network: &Network) -> f64 {
        let [low, high] = network.extent(self.key);
        if network.is_along(self.key) { high } else { low }
    }

    /// Moves to the lane that goes straightest on. Returns whether there is one.
    fn enter_next(&mut self, network: &Network) -> bool {
        let driven = |key: &LaneKey| {
            let section = network.roads[key.road].sections.get(key.section);
            section.and_then(|section| section.lane(key.lane)).is_some_and(is_driven)
        };
        let heading = |key: LaneKey| {
            let on = Self { key, s: 0.0, left: 0.0 };
            let end = Self { s: on.end(network), ..on };
            end.pose(network).map_or(0.0, |pose| pose[2])
        };
        let ahead = heading(self.key);
        let next = network.following(self.key).into_iter().filter(driven).min_by(|one, other| {
            let turn = |key: LaneKey| wrapped(heading(key) - ahead).abs();
            turn(*one).total_cmp(&turn(*other)).then(one.cmp(other))
        });
        let Some(next) = next else { return false };
        let [low, high] = network.extent(next);
        self.s = if network.is_along(next) { low } else { high };
        self.key = next;
        true
    }

    /// Moves along the lanes by a distance, m, backwards if it is negative, at most to the end of the network. Returns the
    /// distance (midpoint rule over parts of 2 m).
    pub fn travel(&mut self, network: &Network, distance: f64) -> f64 {
        if distance < 0.0 {
            let [low, high] = network.extent(self.key);
            let before = self.s;
            let back = distance / self.stretch(network, self.s) * sense(network, self.key);
            self.s = (self.s + back).clamp(low, high);
            return -(self.s - before).abs() * self.stretch(network, 0.5 * (self.s + before));
        }
        let mut moved = 0.0;
        for _ in 0..MOST_PARTS {
            let left = (distance - moved).min(STRIDE);
            if left <= 1e-12 {
                break;
            }
            let (end, sign) = (self.end(network), sense(network, self.key));
            let rest = (end - self.s) * sign;
            if rest <= 1e-9 {
                if !self.enter_next(network) {
                    break;
                }
                continue;
            }
            let near = (left / self.stretch(network, self.s)).min(rest);
            let stretch = self.stretch(network, self.s + 0.5 * sign * near);
            let ds = (left / stretch).min(rest);
            self.s += sign * ds;
            moved += ds * stretch;
        }
        moved
    }

    /// Returns the distance along the lanes to a place ahead, m, in whichever lane of its road.
    pub fn distance_to(&self, network: &Network, to: &Self) -> Option<f64> {
        let (mut at, mut distance) = (*self, 0.0);
        for _ in 0..MOST_PARTS {
            let sign = sense(network, at.key);
            let is_here = at.key.road == to.key.road && at.key.section == to.key.section;
            let ahead = (to.s - at.s) * sign;
            let end = if is_here && ahead >= -1e-9 { to.s } else { at.end(network) };
            let rest = (end - at.s) * sign;
            if rest <= 1e-9 {
                if is_here && end == to.s {
                    return Some(distance);
                }
                if !at.enter_next(network) {
                    return None;
                }
                continue;
            }
            let ds = rest.min(STRIDE);
            distance += ds * at.stretch(network, at.s + 0.5 * sign * ds);
            at.s += sign * ds;
        }
        None
    }
}
