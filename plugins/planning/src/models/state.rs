//! The state of a model.

use simhost_sdk::abi::{StateDesc, StateKind};
use simhost_sdk::prelude::*;

/// Largest number of slots that a model has for itself.
pub const OWN: usize = 8;
/// Number of slots that all models share.
pub const SHARED: usize = 9;

/// The state of a car. Models without an actuator for a quantity report the command in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moving {
    /// Position of the middle of the rear axle, world frame, m.
    pub x: f64,
    /// Position of the middle of the rear axle, world frame, m.
    pub y: f64,
    /// Heading, rad, without wrapping.
    pub yaw: f64,
    /// Speed, m/s.
    pub vx: f64,
    /// Steering angle of the tyre, rad.
    pub steer: f64,
    /// Acceleration state, m/s².
    pub acceleration: f64,
    /// Acceleration that the model reports, m/s².
    pub reported: f64,
    /// 1 once the state has been initialised from the body.
    pub begun: f64,
    /// Number of the last initial pose.
    pub initial: f64,
    /// Slots of the model.
    pub own: [f64; OWN],
}

impl Moving {
    /// Loads slot `k` from `get(k)`.
    #[inline(always)]
    pub fn load(own: usize, get: impl Fn(usize) -> f64) -> Self {
        Self {
            x: get(0),
            y: get(1),
            yaw: get(2),
            vx: get(3),
            steer: get(4),
            acceleration: get(5),
            reported: get(6),
            begun: get(7),
            initial: get(8),
            own: std::array::from_fn(|k| if k < own { get(SHARED + k) } else { 0.0 }),
        }
    }

    /// Stores slot `k` with `put(k, value)`.
    #[inline(always)]
    pub fn store(&self, own: usize, mut put: impl FnMut(usize, f64)) {
        let Self { x, y, yaw, vx, steer, acceleration, reported, begun, initial, .. } = *self;
        let shared = [x, y, yaw, vx, steer, acceleration, reported, begun, initial];
        for (k, value) in shared.iter().chain(&self.own[..own]).enumerate() {
            put(k, *value);
        }
    }

    /// Returns the motion of a rear axle without slip: ψ̇ = v tan δ / L.
    #[inline(always)]
    pub fn rolling(&self, wheel_base: f64) -> Motion {
        let omega = self.vx * math::tan(self.steer) / wheel_base;
        Motion { x: self.x, y: self.y, yaw: self.yaw, vx: self.vx, vy: 0.0, omega }
    }
}

use StateKind::{Angle, Continuous, Counter, Discrete};

/// The slots that all models share, in the order of [`Moving`].
pub const SLOTS: [StateDesc; SHARED] = [
    StateDesc::slot("x", "m", Continuous, "Position of the middle of the rear axle, world frame."),
    StateDesc::slot("y", "m", Continuous, "Position of the middle of the rear axle, world frame."),
    StateDesc::slot(
        "yaw",
        "rad",
        Angle,
        "Heading, positive counter-clockwise from the world x axis.",
    ),
    StateDesc::slot("speed", "m/s", Continuous, "Speed."),
    StateDesc::slot(
        "steer",
        "rad",
        Continuous,
        "Steering angle of the tyre, positive counter-clockwise.",
    ),
    StateDesc::slot("acceleration", "m/s²", Continuous, "Acceleration of the actuator."),
    StateDesc::slot(
        "reported_acceleration",
        "m/s²",
        Continuous,
        "Acceleration that the model reports.",
    ),
    StateDesc::slot("begun", "1", Discrete, "1 once the state has been initialised from the body."),
    StateDesc::slot(
        "initial_pose_number",
        "1",
        Counter,
        "Number of the last commanded initial pose.",
    ),
];

/// Returns the shared slots and the slots of a model. The slots after them are unused.
pub const fn slots(own: &[StateDesc]) -> [StateDesc; SHARED + OWN] {
    assert!(own.len() <= OWN, "a model has at most 8 additional slots");
    let mut all = [SLOTS[0]; SHARED + OWN];
    let mut i = 0;
    while i < SHARED + own.len() {
        all[i] = if i < SHARED { SLOTS[i] } else { own[i - SHARED] };
        i += 1;
    }
    all
}
