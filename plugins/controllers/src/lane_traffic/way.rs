//! The way of a vehicle along its lane, and the vehicles on it.

use std::cmp::Ordering;

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;
use simhost_sdk::{LaneWay, RoadPoint};

use super::vehicle::Vehicles;

/// Number of places at which the way ahead is searched.
pub(super) const PLACES: usize = 22;
/// Distance between them, m.
pub(super) const SPACING: f64 = 4.0;
/// Largest distance from the middle of a lane at which a vehicle is in the lane, m.
const ON_WAY: f64 = 2.4;
/// Distance from the middle of the next lane at which a vehicle is no longer in the lane, m.
const OFF_WAY: f64 = 0.6;

/// The vehicle ahead, or the end of the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leader {
    /// Distance between the reference points along the way, m.
    pub distance: f64,
    /// Velocity along the way, m/s.
    pub speed: f64,
}

impl Leader {
    /// Compares by distance.
    pub fn nearer(one: &Self, other: &Self) -> Ordering {
        one.distance.total_cmp(&other.distance)
    }
}

/// Places on the middle of lanes ahead of a vehicle, [`SPACING`] apart.
pub(super) struct Way {
    points: [RoadPoint; PLACES],
    /// Sine and cosine of the heading at each place.
    directions: [(f64, f64); PLACES],
    /// Box around the places, m: smallest x and y, largest x and y.
    bounds: [[f64; 2]; 2],
    count: usize,
}

impl Way {
    /// The way of a vehicle that is on no lane.
    pub const NONE: Self = Self {
        points: [RoadPoint::NONE; PLACES],
        directions: [(0.0, 1.0); PLACES],
        bounds: [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]],
        count: 0,
    };

    /// Returns a way over places.
    #[cfg(test)]
    pub fn of_points(points: &[RoadPoint; PLACES]) -> Self {
        let mut way = Self { points: *points, count: PLACES, ..Self::NONE };
        way.prepare();
        way
    }

    /// Returns the way that begins at a place in a lane.
    pub fn from_place(step: &Step, from: &LaneWay<'_>) -> Self {
        let distances: [f64; PLACES] = std::array::from_fn(|place| SPACING * place as f64);
        let mut way = Self::NONE;
        way.count = step.lanes_ahead(from, &distances, &mut way.points);
        way.prepare();
        way
    }

    /// Computes what each search along the way needs.
    fn prepare(&mut self) {
        for (place, direction) in self.points[..self.count].iter().zip(&mut self.directions) {
            *direction = math::sin_cos(place.heading);
            for axis in 0..2 {
                self.bounds[0][axis] = self.bounds[0][axis].min(place.position[axis]);
                self.bounds[1][axis] = self.bounds[1][axis].max(place.position[axis]);
            }
        }
    }

    /// Returns the places.
    pub fn points(&self) -> &[RoadPoint] {
        &self.points[..self.count]
    }

    /// Returns whether there is no lane.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the first place at least a distance ahead, m, or the last one.
    pub fn at(&self, distance: f64) -> Option<&RoadPoint> {
        let points = self.points();
        points.get((distance / SPACING).ceil() as usize).or(points.last())
    }

    /// Returns the end of the network, between the last place and the next one, as a vehicle that stands there.
    pub fn end(&self) -> Option<Leader> {
        let distance = SPACING * self.count as f64;
        (self.count < PLACES).then_some(Leader { distance, speed: 0.0 })
    }

    /// Returns the distance from the middle of the first lane within which a vehicle is in it, m.
    pub fn reach(&self) -> f64 {
        self.points().first().map_or(0.0, reach)
    }

    /// Returns the distance along the way to a position near it, m, the direction of the way there against a heading, as a
    /// cosine, and the distance from its middle, m. `aside` is the distance of the searched lane from the way, m.
    pub fn find(&self, pose: &PlanarPose, height: f64, aside: f64) -> Option<Met> {
        let at = [pose.x, pose.y];
        // the largest difference of x or y that a vehicle near a place has, and a little more
        let far = 0.5 * SPACING + ON_WAY + aside.abs() + 0.1;
        let [low, high] = self.bounds;
        if (0..2).any(|axis| at[axis] < low[axis] - far || at[axis] > high[axis] + far) {
            return None;
        }
        let places = self.points().iter().zip(&self.directions).enumerate();
        places.into_iter().find_map(|(number, (place, (sin, cos)))| {
            let (dx, dy) = (pose.x - place.position[0], pose.y - place.position[1]);
            if dx.abs() > far || dy.abs() > far {
                return None;
            }
            let (along, left) = (cos * dx + sin * dy, cos * dy - sin * dx);
            let level = (height - place.position[2]).abs() < 2.0;
            let is_near = along.abs() <= 0.5 * SPACING && (left - aside).abs() < reach(place);
            (is_near && level).then(|| {
                let (_, same) = math::sin_cos(pose.yaw - place.heading);
                Met { distance: SPACING * number as f64 + along, same }
            })
        })
    }
}

/// A vehicle near a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Met {
    /// Distance along the way, m.
    pub distance: f64,
    /// Cosine of the angle between the vehicle and the way.
    pub same: f64,
}

/// A search for the vehicle ahead.
#[derive(Clone, Copy)]
pub(super) struct Search<'w> {
    /// The vehicle that drives on the way.
    pub own: usize,
    /// Its way.
    pub way: &'w Way,
    /// Distance of the searched lane from the way, positive to the left, m.
    pub aside: f64,
    /// A vehicle that is not there.
    pub unseen: Option<usize>,
}

impl Search<'_> {
    /// Returns the vehicle ahead.
    pub fn leader(&self, vehicles: &Vehicles<'_>) -> Option<Leader> {
        let at = vehicles.inputs(self.own).pose;
        let reach = SPACING * self.way.count as f64 + ON_WAY;
        let is_seen = |other: &usize| *other != self.own && self.unseen != Some(*other);
        let others = (0..vehicles.len()).filter(is_seen);
        let met = others.filter_map(|other| {
            let input = vehicles.inputs(other);
            let is_far = (input.pose.x - at.x).abs() > reach || (input.pose.y - at.y).abs() > reach;
            if is_far {
                return None;
            }
            let met = self.way.find(&input.pose, input.z, self.aside)?;
            let gives_way = met.same > 0.7 || other < self.own;
            let is_ahead = gives_way && met.distance > 0.0;
            is_ahead.then_some(Leader { distance: met.distance, speed: input.vx * met.same })
        });
        met.min_by(Leader::nearer)
    }
}

/// Returns the position of a vehicle relative to a place of a lane: along its direction and to its left, m.
pub(super) fn relative(place: &RoadPoint, pose: &PlanarPose) -> [f64; 2] {
    let [x, y, _] = place.position;
    PlanarPose { x, y, yaw: place.heading }.in_vehicle_frame([pose.x, pose.y])
}

/// Returns the point at a distance to the left of a place, m.
pub(super) fn beside(place: &RoadPoint, left: f64) -> [f64; 2] {
    let (sin, cos) = math::sin_cos(place.heading);
    [place.position[0] - left * sin, place.position[1] + left * cos]
}

/// Returns the distance from the middle of a lane within which a vehicle is in it, m.
fn reach(place: &RoadPoint) -> f64 {
    ON_WAY.min((place.width - OFF_WAY).max(0.5 * place.width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_by_boxes_finds_what_a_search_of_all_places_finds() {
        let place = |number: usize| {
            let angle = 0.12 * number as f64;
            let position = [40.0 * math::sin(angle), 40.0 * (1.0 - math::cos(angle)), 0.0];
            RoadPoint { position, heading: angle, width: 3.5, ..RoadPoint::NONE }
        };
        let way = Way::of_points(&std::array::from_fn(place));
        let (mut found, mut count) = (0, 0);
        for number in 0..40_000 {
            let [x, y] = [number % 200, number / 200].map(|n| 0.5 * f64::from(n) - 40.0);
            let (pose, aside) = (PlanarPose { x, y, yaw: 0.3 }, 3.5 * f64::from(number % 3 - 1));
            let all = way.points().iter().enumerate().find_map(|(number, place)| {
                let [along, left] = relative(place, &pose);
                let is_near = along.abs() <= 0.5 * SPACING && (left - aside).abs() < reach(place);
                is_near.then_some(SPACING * number as f64 + along)
            });
            assert_eq!(way.find(&pose, 0.0, aside).map(|met| met.distance), all, "{x} {y} {aside}");
            (found, count) = (found + usize::from(all.is_some()), count + 1);
        }
        assert!(found > 500 && found < count / 2, "{found} of {count}");
    }
}
