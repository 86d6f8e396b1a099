//! Passes commanded drive torque, brakes and steering to the vehicle, without feedback.
//!
//! The values of the command `pedals` are drive torque (N·m, positive forwards), torque of all
//! brakes together (N·m) and steering angle (rad, positive counter-clockwise). For a vehicle with a
//! powertrain the command is `drive`: throttle (0 to 1), brake pedal (0 to 1), steering angle, and
//! gear (−1 reverse, 0 neutral, 1 and above forward).

use simhost_sdk::ports::PowertrainControls;
use simhost_sdk::prelude::*;

/// Inputs of the driver.
#[derive(Ports)]
pub struct Pedals {
    /// Drive torque of all wheels together, positive forwards.
    #[port(unit = "N·m", command, key = "drive_torque")]
    drive_torque: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", command, key = "brake_torque")]
    brake_torque: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "steer_ang_deg", key_unit = "deg", key_scale = math::DEG)]
    steer: f64,
}

const COMMANDS: CommandKinds = &[command!("pedals": "drive_torque", "brake_torque", "steer")];

/// Pedals and steering of a vehicle with a motor on each front wheel.
#[derive(Params)]
pub struct FrontMotorPedals {}

/// Actuators of an Ackermann vehicle with motors on the front wheels and brakes.
#[derive(Ports)]
pub struct BrakedFront {
    /// Torque on the left front wheel, positive forwards.
    #[port(unit = "N·m")]
    pub(crate) torque_front_left: f64,
    /// Torque on the right front wheel, positive forwards.
    #[port(unit = "N·m")]
    pub(crate) torque_front_right: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m")]
    pub(crate) brake_torque: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub(crate) steer: f64,
}

impl BrakedFront {
    /// Returns the actuators for a torque of all motors together, N·m, negative for the brakes, and a steering angle, rad.
    pub(crate) fn of(torque: f64, steer: f64) -> Self {
        let half = 0.5 * torque.max(0.0);
        Self {
            torque_front_left: half,
            torque_front_right: half,
            brake_torque: (-torque).max(0.0),
            steer,
        }
    }
}

#[model]
impl Controller for FrontMotorPedals {
    const COMMANDS: CommandKinds = COMMANDS;

    fn control(&self, pedals: &Pedals, _: &Step, _: &mut ()) -> BrakedFront {
        BrakedFront {
            torque_front_left: 0.5 * pedals.drive_torque,
            torque_front_right: 0.5 * pedals.drive_torque,
            brake_torque: pedals.brake_torque.max(0.0),
            steer: pedals.steer,
        }
    }
}

/// Pedals and steering of a vehicle with one engine.
#[derive(Params)]
pub struct EnginePedals {}

/// Actuators of a vehicle with one engine and brakes.
#[derive(Ports)]
pub struct BrakedEngine {
    /// Torque of the engine, positive forwards.
    #[port(unit = "N·m")]
    pub(crate) torque_engine: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m")]
    pub(crate) brake_torque: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub(crate) steer: f64,
}

impl BrakedEngine {
    /// Returns the actuators for a torque of the engine, N·m, negative for the brakes, and a steering angle, rad.
    pub(crate) fn of(torque: f64, steer: f64) -> Self {
        Self { torque_engine: torque.max(0.0), brake_torque: (-torque).max(0.0), steer }
    }
}

#[model]
impl Controller for EnginePedals {
    const COMMANDS: CommandKinds = COMMANDS;

    fn control(&self, pedals: &Pedals, _: &Step, _: &mut ()) -> BrakedEngine {
        BrakedEngine {
            torque_engine: pedals.drive_torque,
            brake_torque: pedals.brake_torque.max(0.0),
            steer: pedals.steer,
        }
    }
}

/// Throttle, brake pedal, steering and gear of a vehicle with a powertrain.
#[derive(Params)]
pub struct PowertrainPedals {}

/// Inputs of the driver of a vehicle with a powertrain.
#[derive(Ports)]
pub struct DriverInputs {
    /// Throttle, 0 to 1.
    #[port(unit = "1", command, key = "throttle")]
    throttle: f64,
    /// Brake pedal, 0 to 1.
    #[port(unit = "1", command, key = "brake")]
    brake: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "steer_ang_deg", key_unit = "deg", key_scale = math::DEG)]
    steer: f64,
    /// Gear: −1 reverse, 0 neutral, 1 and above forward.
    #[port(unit = "1", default = 1.0, command, key = "gear")]
    gear: f64,
}

#[model]
impl Controller for PowertrainPedals {
    const COMMANDS: CommandKinds = &[command!("drive": "throttle", "brake", "steer", "gear")];

    fn control(&self, driver: &DriverInputs, _: &Step, _: &mut ()) -> PowertrainControls {
        PowertrainControls {
            throttle: driver.throttle.clamp(0.0, 1.0),
            brake: driver.brake.clamp(0.0, 1.0),
            steer: driver.steer,
            gear: driver.gear.round(),
        }
    }
}
