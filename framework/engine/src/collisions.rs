//! The moments at which vehicles begin to touch something, as a log for people.

use std::collections::{BTreeMap, HashMap};

use crate::physics::{Body, Physics};

/// Simulated time without a touch after which the next one is a new collision, s.
const APART: f64 = 0.5;
/// Collisions that the log holds.
const MOST: usize = 1000;

/// The moment at which a vehicle begins to touch something.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// Time at the end of the step, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Name of what it touches, such as `car` or `block/crate`; `None` for an obstacle that never moves.
    pub other: Option<String>,
}

/// A point at which two bodies touch, or a body and an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<'a> {
    /// Name of the body, such as `car` or `block/crate`.
    pub entity: &'a str,
    /// Point of the body, world frame, m.
    pub point: [f64; 2],
    /// Direction in which the other pushes the body, world frame.
    pub normal: [f64; 2],
    /// Normal force as its mean over the step, N.
    pub force: f64,
}

/// The collisions of a simulation. They do not affect it, and are not part of its state.
#[derive(Clone, Default)]
pub(crate) struct CollisionLog {
    /// Bodies that touch each other, or an obstacle, and the time at which they last did, s.
    touching: BTreeMap<(usize, Option<usize>), f64>,
    begun: Vec<Collision>,
}

impl CollisionLog {
    /// Returns the log of a simulation whose bodies have other numbers.
    pub fn continued(&self) -> Self {
        Self { touching: BTreeMap::new(), begun: self.begun.clone() }
    }

    /// Returns the collisions in the order of time.
    pub fn begun(&self) -> &[Collision] {
        &self.begun
    }

    /// Returns whether a body has touched something after a time, s, at most [`APART`] ago.
    pub fn has_touched_since(&self, body: usize, time: f64) -> bool {
        let of_body = self.touching.range((body, None)..=(body, Some(usize::MAX)));
        of_body.into_iter().any(|(_, last)| *last > time)
    }

    /// Notes what touches at the end of a step. Returns the bodies that have begun to touch something, in the order in
    /// which touches are found.
    pub fn update(&mut self, physics: &Physics, time: f64) -> Vec<(usize, Option<usize>)> {
        let touching = &mut self.touching;
        // time has gone back if one of them lies ahead
        touching.retain(|_, last| *last <= time && time - *last < APART);
        let mut begun = Vec::new();
        physics.for_each_touch(|touch| {
            let pair = (touch.body.number(), touch.other.map(Body::number));
            if touching.insert(pair, time).is_none() {
                begun.push(pair);
            }
        });
        begun
    }

    /// Adds the collisions of vehicles among bodies that have begun to touch something. `entities` has the name of
    /// each body that is an entity, and whether it is a vehicle.
    pub fn add(
        &mut self,
        begun: Vec<(usize, Option<usize>)>,
        time: f64,
        entities: &HashMap<usize, (&str, bool)>,
    ) {
        let name = |body: usize| entities.get(&body).map(|(name, _)| (*name).to_owned());
        let of_vehicles = begun.into_iter().filter_map(|(body, other)| {
            let (vehicle, _) = entities.get(&body).filter(|(_, is_vehicle)| *is_vehicle)?;
            let (vehicle, other) = ((*vehicle).to_owned(), other.and_then(name));
            Some(Collision { time, vehicle, other })
        });
        let left = MOST.saturating_sub(self.begun.len());
        self.begun.extend(of_vehicles.take(left));
    }
}
