//! The moments at which vehicles begin to touch something, as a log for people.

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
    /// Bodies that touch each other, or an obstacle, with the time at which they last did.
    touching: Vec<(usize, Option<usize>, f64)>,
    begun: Vec<Collision>,
}

impl CollisionLog {
    /// Returns the log of a simulation whose bodies have other numbers.
    pub fn continued(&self) -> Self {
        Self { touching: Vec::new(), begun: self.begun.clone() }
    }

    /// Returns the collisions in the order of time.
    pub fn begun(&self) -> &[Collision] {
        &self.begun
    }

    /// Returns whether a body has touched something after a time, s, at most [`APART`] ago.
    pub fn has_touched_since(&self, body: usize, time: f64) -> bool {
        self.touching.iter().any(|(touching, _, last)| *touching == body && *last > time)
    }

    /// Notes what touches at the end of a step. `name` returns the name of a body as an entity, and whether it is a
    /// vehicle.
    pub fn update(
        &mut self,
        physics: &Physics,
        time: f64,
        name: impl Fn(usize) -> Option<(String, bool)>,
    ) {
        let Self { touching, begun } = self;
        // time has gone back if one of them lies ahead
        touching.retain(|(.., last)| *last <= time && time - *last < APART);
        physics.for_each_touch(|touch| {
            let (body, other) = (touch.body.number(), touch.other.map(Body::number));
            if let Some(known) =
                touching.iter_mut().find(|known| (known.0, known.1) == (body, other))
            {
                known.2 = time;
                return;
            }
            touching.push((body, other, time));
            if let Some((vehicle, true)) = name(body)
                && begun.len() < MOST
            {
                let other = other.and_then(&name).map(|(other, _)| other);
                begun.push(Collision { time, vehicle, other });
            }
        });
    }
}
