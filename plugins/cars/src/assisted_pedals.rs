//! Pedals and steering of a car with anti-lock brakes, traction control and stability control.
//!
//! * [`anti_lock`] releases the brakes of wheels that slip too much.
//! * [`traction`] reduces the drive torque while a wheel spins.
//! * [`stability`] brakes single wheels while the car turns more or less than its driver steers.
//!
//! The measurements are exact, and the hydraulics follow within a step. To add their lag, use the actuators
//! `first_order_lag` and `rate_limit` on the ports of the brakes.

pub mod anti_lock;
mod slip_control;
pub mod stability;
pub mod traction;

use simhost_sdk::ports::PlanarVelocity;
use simhost_sdk::prelude::*;

use crate::brakes::BrakeCommands;
use crate::car::{SIDE, Wheels4};

use anti_lock::AntiLock;
use stability::{ChassisSize, Stability};
use traction::Traction;

/// Pedals and steering of a car whose brakes and drive torque are controlled electronically.
#[derive(Params)]
pub struct AssistedPedals {
    /// Anti-lock brakes.
    abs: AntiLock,
    /// Traction control.
    traction: Traction,
    /// Stability control.
    esc: Stability,
}

/// Inputs of the driver and measurements of the car.
#[derive(Ports)]
pub struct AssistedInputs {
    /// Drive torque of all wheels together, positive forwards.
    #[port(unit = "N·m", command, key = "drive_torque")]
    drive_torque: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", command, key = "brake_torque")]
    brake_torque: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "steer_ang_deg", key_unit = "deg", key_scale = math::DEG)]
    steer: f64,
    /// Velocity of the car.
    #[port(flatten)]
    velocity: PlanarVelocity,
    /// Wheel spin, positive when rolling forwards.
    #[port(unit = "rad/s")]
    spin: PerWheel,
    /// Rolling radius of the wheels.
    #[port(unit = "m")]
    wheel_radius: f64,
    /// Distance between the axles.
    #[port(unit = "m")]
    wheelbase: f64,
    /// Distance between the front wheels.
    #[port(unit = "m")]
    front_track: f64,
}

/// Actuators of the car, and whether the controllers act.
#[derive(Clone, Copy, Debug, Ports)]
pub struct Assisted {
    /// Torque of the engine, positive forwards.
    #[port(unit = "N·m")]
    pub torque_engine: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m")]
    pub brake_torque: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
    /// Brakes of single wheels.
    #[port(flatten)]
    pub brakes: BrakeCommands,
    /// Yaw rate that the stability control expects from the steering angle.
    #[port(unit = "rad/s", publish)]
    pub expected_yaw_rate: f64,
    /// Yaw moment that the stability control demands, positive counter-clockwise.
    #[port(unit = "N·m", publish)]
    pub yaw_moment: f64,
}

/// State of the controllers.
#[derive(State)]
pub struct AssistState {
    /// Share of the brake torque that the left rear wheel lacks.
    #[state(unit = "1")]
    release_rl: f64,
    /// Share of the brake torque that the right rear wheel lacks.
    #[state(unit = "1")]
    release_rr: f64,
    /// Share of the brake torque that the left front wheel lacks.
    #[state(unit = "1")]
    release_fl: f64,
    /// Share of the brake torque that the right front wheel lacks.
    #[state(unit = "1")]
    release_fr: f64,
    /// Share of the drive torque that the traction control takes away.
    #[state(unit = "1")]
    reduction: f64,
}

/// What the controllers measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChassisMotion {
    /// Forward velocity, leftward velocity, m/s, and yaw rate, rad/s.
    pub velocity: [f64; 3],
    /// Spin of each wheel, rad/s.
    pub spin: Wheels4,
    /// Steering angle, rad.
    pub steer: f64,
    /// Rolling radius, m.
    pub radius: f64,
    /// Wheelbase, m.
    pub wheelbase: f64,
    /// Track, m.
    pub track: f64,
}

impl ChassisMotion {
    /// Returns the longitudinal slip of a wheel, (r ω − v)/|v|, which is −1 for a locked wheel: ISO 8855:2011.
    #[inline(always)]
    pub fn slip(&self, wheel: usize) -> f64 {
        let [vx, _, omega] = self.velocity;
        let speed = vx - SIDE[wheel] * 0.5 * self.track * omega;
        (self.radius * self.spin[wheel] - speed) / speed.abs().max(1e-3)
    }
}

impl AssistedPedals {
    fn act(
        &self,
        driven: &AssistedInputs,
        seen: &ChassisMotion,
        step: &Step,
        memory: &mut AssistState,
    ) -> Assisted {
        let slips: Wheels4 = [0, 1, 2, 3].map(|wheel: usize| seen.slip(wheel));
        let forward = seen.velocity[0];
        let chassis =
            ChassisSize { wheelbase: seen.wheelbase, track: seen.track, radius: seen.radius };
        let demand = self.esc.demand(seen.velocity, seen.steer, &chassis);
        let mut added = demand.brakes;
        let mut released = memory.released();
        for wheel in 0..4 {
            let slip = slips[wheel];
            released[wheel] = self.abs.release(released[wheel], slip, forward, step.dt);
            added[wheel] *= 1.0 - released[wheel];
        }
        memory.set_released(released);
        let most = slips.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let drives = driven.drive_torque > 0.0;
        memory.reduction = self.traction.reduction(memory.reduction, most, drives, step.dt);
        Assisted {
            torque_engine: driven.drive_torque * (1.0 - memory.reduction),
            brake_torque: driven.brake_torque.max(0.0),
            steer: driven.steer,
            brakes: BrakeCommands::new(released, added),
            expected_yaw_rate: demand.expected,
            yaw_moment: demand.moment,
        }
    }
}

impl AssistState {
    fn released(&self) -> Wheels4 {
        [self.release_rl, self.release_rr, self.release_fl, self.release_fr]
    }

    fn set_released(&mut self, released: Wheels4) {
        [self.release_rl, self.release_rr, self.release_fl, self.release_fr] = released;
    }
}

#[model]
impl Controller for AssistedPedals {
    const COMMANDS: CommandKinds = &[command!("pedals": "drive_torque", "brake_torque", "steer")];

    fn control(&self, driven: &AssistedInputs, step: &Step, memory: &mut AssistState) -> Assisted {
        // a spin that is not known yet is 0
        let spin =
            |wheel: usize| if wheel < driven.spin.count() { driven.spin.get(wheel) } else { 0.0 };
        let PlanarVelocity { vx, vy, omega } = driven.velocity;
        let seen = ChassisMotion {
            velocity: [vx, vy, omega],
            spin: [0, 1, 2, 3].map(spin),
            steer: driven.steer,
            radius: driven.wheel_radius,
            wheelbase: driven.wheelbase,
            track: driven.front_track,
        };
        self.act(driven, &seen, step, memory)
    }
}
