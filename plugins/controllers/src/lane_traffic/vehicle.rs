//! A vehicle of the traffic: what it reads, what it keeps, and its commands.

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

/// Pose and speed of a vehicle.
#[derive(Ports)]
pub struct InTraffic {
    /// Pose.
    #[port(flatten)]
    pub(super) pose: PlanarPose,
    /// Height of the reference point, world frame.
    #[port(unit = "m")]
    pub(super) z: f64,
    /// Forward velocity.
    #[port(unit = "m/s")]
    pub(super) vx: f64,
}

/// Commanded speed of a vehicle.
#[derive(Clone, Copy, State)]
pub struct Pace {
    /// Whether the speed is known, 1 or 0.
    #[state(discrete)]
    pub(super) begun: f64,
    /// Commanded speed.
    #[state(unit = "m/s")]
    pub(super) speed: f64,
    /// Distance of the lane that a vehicle leaves from the lane that it changes to, positive to the left; 0 between changes.
    #[state(unit = "m")]
    pub(super) side: f64,
    /// Time since the change began.
    #[state(unit = "s")]
    pub(super) elapsed: f64,
    /// Time until the next decision.
    #[state(unit = "s")]
    pub(super) wait: f64,
}

/// Twist, and the gap to the vehicle ahead.
#[derive(Ports)]
pub struct TrafficCommands {
    /// Forward velocity.
    #[port(unit = "m/s")]
    pub(super) vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    pub(super) omega: f64,
    /// Gap to the vehicle ahead; 1000 m if there is none.
    #[port(unit = "m", publish)]
    pub(super) gap: f64,
}

/// Vehicles of the fleet during a step.
pub(super) type Vehicles<'v> = Group<'v, InTraffic, TrafficCommands, Pace>;

impl Pace {
    /// Returns the distance of the path from the lane, positive to the left, m, a time later, s: a smooth step from the lane
    /// that the vehicle leaves.
    pub(super) fn shift(&self, later: f64, duration: f64) -> f64 {
        let share = ((self.elapsed + later) / duration.max(1e-3)).min(1.0);
        // the polynomial of degree 5 whose first two derivatives vanish at both ends
        let done = share * share * share * (10.0 - share * (15.0 - 6.0 * share));
        if self.side == 0.0 { 0.0 } else { self.side * (1.0 - done) }
    }
}
