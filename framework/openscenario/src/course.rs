//! Actions over time: transitions, trajectories and synchronisation.

use std::f64::consts::{FRAC_PI_2, PI};

use simhost_opendrive::{PlanPiece, PlanShape};

use crate::scenario::{Transition, TransitionDimension, TransitionShape};

impl TransitionShape {
    /// Returns the part of the change at a progress u from 0 to 1.
    pub fn part(self, u: f64) -> f64 {
        let u = u.clamp(0.0, 1.0);
        match self {
            Self::Linear => u,
            Self::Cubic => u * u * (3.0 - 2.0 * u),
            Self::Sinusoidal => 0.5 * (1.0 - libm::cos(PI * u)),
            Self::Step => 1.0,
        }
    }

    /// Returns the largest slope over the progress.
    fn peak_slope(self) -> f64 {
        match self {
            Self::Cubic => 1.5,
            Self::Sinusoidal => FRAC_PI_2,
            Self::Linear | Self::Step => 1.0,
        }
    }

    /// Returns the duration, s, of a change whose largest second derivative is `most`. The largest second derivative over
    /// the progress is 6 for the cubic and π²/2 for the sinusoidal shape.
    pub fn duration(self, change: f64, most: f64) -> f64 {
        let peak = match self {
            Self::Cubic => 6.0,
            Self::Sinusoidal => 0.5 * PI * PI,
            Self::Linear | Self::Step => 0.0,
        };
        (peak * change.abs() / most).sqrt()
    }
}

/// A quantity between two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Course {
    pub from: f64,
    pub to: f64,
    pub transition: Transition,
    /// Progress from 0 to 1.
    progress: f64,
}

impl Course {
    pub fn new(from: f64, to: f64, transition: Transition) -> Self {
        Self { from, to, transition, progress: 0.0 }
    }

    /// Moves on by a time, s, in which the actor travels a distance, m, and returns the value.
    pub fn advance(&mut self, dt: f64, travelled: f64) -> f64 {
        let Transition { shape, dimension, value } = self.transition;
        let (gain, extent) = match dimension {
            TransitionDimension::Time => (dt, value),
            TransitionDimension::Distance => (travelled, value),
            TransitionDimension::Rate => {
                (dt, shape.peak_slope() * (self.to - self.from).abs() / value)
            }
        };
        let is_at_once = extent <= 0.0 || shape == TransitionShape::Step;
        self.progress = if is_at_once { 1.0 } else { self.progress + gain / extent };
        if self.progress > 1.0 - 1e-9 {
            self.progress = 1.0;
        }
        self.from + (self.to - self.from) * shape.part(self.progress)
    }

    pub fn is_over(&self) -> bool {
        self.progress >= 1.0
    }
}

/// Returns the acceleration, m/s², with which an actor at a speed, m/s, passes a distance, m, in a time, s: constant, or,
/// with a final speed, the slope of the only quadratic speed that ends with it. The rest of either course is a course of
/// the same kind, so a new computation in each step follows it.
pub(crate) fn arrival(speed: f64, distance: f64, time: f64, last: Option<f64>) -> f64 {
    match last {
        None => 2.0 * (distance / time - speed) / time,
        Some(last) => {
            let bulge = distance / time - 0.5 * (speed + last);
            ((last - speed) + 6.0 * bulge) / time
        }
    }
}

/// A path in the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Path {
    /// Points with their distances from the start, m.
    Line(Vec<([f64; 2], f64)>),
    /// A piece of a reference line.
    Spiral(Box<PlanPiece>),
}

impl Path {
    /// Returns the path over points. Equal neighbours count as one.
    pub fn through(points: &[[f64; 2]]) -> Self {
        let mut length = 0.0;
        let mut found: Vec<([f64; 2], f64)> = Vec::with_capacity(points.len());
        for point in points {
            if let Some((last, _)) = found.last() {
                length += libm::hypot(point[0] - last[0], point[1] - last[1]);
            }
            found.push((*point, length));
        }
        Self::Line(found)
    }

    /// Returns a clothoid from a pose: curvature, 1/m, its derivative, 1/m², and length, m.
    pub fn spiral([x, y, heading]: [f64; 3], [curvature, rate, length]: [f64; 3]) -> Self {
        let shape = PlanShape::Spiral([curvature, curvature + rate * length]);
        Self::Spiral(Box::new(PlanPiece::new(0.0, length, [x, y], heading, shape)))
    }

    /// Returns the distances of the points that have a time, m.
    pub fn marks(&self) -> Vec<f64> {
        match self {
            Self::Line(points) => points.iter().map(|(_, at)| *at).collect(),
            Self::Spiral(piece) => vec![0.0, piece.length],
        }
    }

    /// Returns the length, m.
    pub fn length(&self) -> f64 {
        self.marks().last().copied().unwrap_or(0.0)
    }

    /// Returns x, y, m, and the direction, rad, at a distance from the start, m.
    pub fn at(&self, distance: f64) -> [f64; 3] {
        match self {
            Self::Spiral(piece) => {
                let pose = piece.at(distance.clamp(0.0, piece.length));
                [pose.place[0], pose.place[1], pose.heading]
            }
            Self::Line(points) => {
                let after = points.partition_point(|(_, at)| *at <= distance);
                let last = points.len() - 1;
                let (from, to) = (after.clamp(1, last) - 1, after.clamp(1, last));
                let (([x, y], begin), ([u, v], end)) = (points[from], points[to]);
                let part = ((distance - begin) / (end - begin).max(1e-12)).clamp(0.0, 1.0);
                let heading = libm::atan2(v - y, u - x);
                [x + part * (u - x), y + part * (v - y), heading]
            }
        }
    }
}

/// An actor on a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Following {
    pub path: Path,
    /// Times of the marks of the path, s; empty if the actor keeps its speed.
    pub times: Vec<f64>,
    /// Distance from the start, m.
    pub distance: f64,
}

impl Following {
    /// Returns the distance from the start at a time, m.
    pub fn scheduled(&self, time: f64) -> f64 {
        let (marks, times) = (self.path.marks(), &self.times);
        let after = times.partition_point(|one| *one <= time);
        let (Some(from), true) = (after.checked_sub(1), after < times.len()) else {
            return if after == 0 { 0.0 } else { self.path.length() };
        };
        let part = (time - times[from]) / (times[after] - times[from]);
        marks[from] + part * (marks[after] - marks[from])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(shape: TransitionShape, dimension: TransitionDimension, value: f64) -> Course {
        Course::new(2.0, 8.0, Transition { shape, dimension, value })
    }

    #[test]
    fn transitions_follow_their_closed_forms() {
        use TransitionDimension::{Distance, Rate, Time};
        let at = |shape, u: f64| course(shape, Time, 4.0).advance(4.0 * u, 0.0);
        assert_eq!(at(TransitionShape::Linear, 0.25), 3.5);
        assert_eq!(at(TransitionShape::Cubic, 0.25), 2.0 + 6.0 * 0.15625);
        let sinusoidal = at(TransitionShape::Sinusoidal, 0.25);
        assert!((sinusoidal - (2.0 + 3.0 * (1.0 - 0.5_f64.sqrt()))).abs() < 1e-12);
        assert_eq!(at(TransitionShape::Step, 0.01), 8.0);
        assert_eq!(course(TransitionShape::Linear, Distance, 30.0).advance(9.0, 10.0), 4.0);
        // the largest rate is the given one
        for shape in [TransitionShape::Linear, TransitionShape::Cubic, TransitionShape::Sinusoidal]
        {
            let (mut one, mut last, mut peak) = (course(shape, Rate, 3.0), 2.0, 0.0_f64);
            while !one.is_over() {
                let value = one.advance(0.001, 0.0);
                peak = peak.max((value - last) / 0.001);
                last = value;
            }
            assert!((peak - 3.0).abs() < 0.01, "{shape:?}: {peak}");
        }
    }

    #[test]
    fn the_lateral_acceleration_of_offsets_is_limited() {
        for shape in [TransitionShape::Cubic, TransitionShape::Sinusoidal] {
            let (duration, h) = (shape.duration(1.5, 0.8), 1e-4);
            let second = |u: f64| shape.part(u + h) - 2.0 * shape.part(u) + shape.part(u - h);
            let peak = (1..999).map(|n| second(0.001 * f64::from(n) + h).abs() / (h * h));
            let peak = 1.5 * peak.fold(0.0, f64::max) / (duration * duration);
            assert!((peak - 0.8).abs() < 0.01, "{shape:?}: {peak}");
        }
    }

    #[test]
    fn arrivals_meet_time_distance_and_speed() {
        for last in [None, Some(4.0)] {
            let (mut speed, mut distance, dt) = (10.0, 0.0, 1e-4);
            for step in 0..50_000 {
                let rest = 5.0 - dt * f64::from(step);
                let acceleration = arrival(speed, 60.0 - distance, rest, last);
                distance += dt * (speed + 0.5 * dt * acceleration);
                speed += dt * acceleration;
            }
            assert!((distance - 60.0).abs() < 1e-3, "{distance}");
            // a constant acceleration: 60 = 10 · 5 + a/2 · 25
            assert!((speed - last.unwrap_or(14.0)).abs() < 0.05, "{speed}");
        }
    }

    #[test]
    fn paths_are_followed_by_time() {
        let path = Path::through(&[[0.0, 0.0], [10.0, 0.0], [10.0, 20.0]]);
        assert_eq!(path.at(15.0), [10.0, 5.0, FRAC_PI_2]);
        let following = Following { path, times: vec![1.0, 2.0, 6.0], distance: 0.0 };
        assert_eq!(
            [0.5, 1.5, 4.0, 9.0].map(|time| following.scheduled(time)),
            [0.0, 5.0, 20.0, 30.0]
        );
        // a clothoid without a change of curvature is an arc
        let [x, y, heading] = Path::spiral([0.0; 3], [0.1, 0.0, 5.0 * PI]).at(5.0 * PI);
        assert!((x - 10.0).abs() < 1e-9 && (y - 10.0).abs() < 1e-9, "{x} {y}");
        assert!((heading - FRAC_PI_2).abs() < 1e-12);
    }
}
