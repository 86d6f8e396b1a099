//! Controllers for mecanum platforms.
//!
//! The rolling conditions give the speed of each wheel for a twist, R w = v_x + s (v_y …) as in
//! `mecanum`. A proportional-integral controller per wheel computes the torque.

use simhost_sdk::ports::{MotorTorques, Odometry};
use simhost_sdk::prelude::*;

/// Follows a twist, including the leftward velocity, with a controller per wheel.
#[derive(Params)]
pub struct MecanumPid {
    /// Proportional gain on the wheel speed. A larger value makes the platform follow more closely,
    /// until it oscillates.
    #[param(default = 10.0, range = 0.0.., unit = "N·m·s/m", key = "KP", per_lane,
            scaling = Scaling::WHEEL_TORQUE)]
    proportional: f64,
    /// Integral gain on the wheel speed. A larger value removes a lasting error sooner.
    #[param(default = 20.0, range = 0.0.., unit = "N·m/m", key = "KI", per_lane,
            scaling = Scaling::WHEEL_TORQUE)]
    integral: f64,
    /// Largest torque of a motor. A larger value lets the platform accelerate harder.
    #[param(default = 20.0, above = 0.0, unit = "N·m", per_lane, scaling = Scaling::WHEEL_TORQUE)]
    max_torque: f64,
}

/// Commanded twist and measurements of the platform.
#[derive(Ports)]
pub struct Inputs {
    /// Commanded forward velocity.
    #[port(unit = "m/s", command, key = "V")]
    command_vx: f64,
    /// Commanded leftward velocity.
    #[port(unit = "m/s", command, key = "VY")]
    command_vy: f64,
    /// Commanded yaw rate.
    #[port(unit = "rad/s", command, key = "W", key_unit = "deg/s", key_scale = math::DEG)]
    command_omega: f64,
    /// Velocity estimated from the wheels.
    #[port(flatten)]
    odometry: Odometry,
    /// Half wheelbase plus half track.
    #[port(unit = "m")]
    turning_arm: f64,
}

/// Distance by which each wheel lags behind its setpoint.
#[derive(State)]
pub struct Behind {
    /// Left front wheel.
    #[state(unit = "m")]
    front_left: f64,
    /// Right front wheel.
    #[state(unit = "m")]
    front_right: f64,
    /// Left rear wheel.
    #[state(unit = "m")]
    rear_left: f64,
    /// Right rear wheel.
    #[state(unit = "m")]
    rear_right: f64,
}

/// Returns the wheel speeds for a twist, m/s.
#[inline(always)]
fn wheel_speeds([vx, vy, omega]: [f64; 3], arm: f64) -> [f64; 4] {
    let turn = omega * arm;
    [vx - vy - turn, vx + vy + turn, vx + vy - turn, vx - vy + turn]
}

#[model]
impl Controller for MecanumPid {
    const COMMANDS: CommandKinds =
        &[command!("twist": "command_vx", "command_vy", "command_omega")];

    fn control(&self, inputs: &Inputs, step: &Step, state: &mut Behind) -> MotorTorques {
        let commanded = [inputs.command_vx, inputs.command_vy, inputs.command_omega];
        let measured = [
            inputs.odometry.odometry_vx,
            inputs.odometry.odometry_vy,
            inputs.odometry.odometry_omega,
        ];
        let wanted = wheel_speeds(commanded, inputs.turning_arm);
        let rolling = wheel_speeds(measured, inputs.turning_arm);
        let behind = [
            &mut state.front_left,
            &mut state.front_right,
            &mut state.rear_left,
            &mut state.rear_right,
        ];
        let mut torques = [0.0; 4];
        for (wheel, behind) in behind.into_iter().enumerate() {
            let error = wanted[wheel] - rolling[wheel];
            let distance = *behind + error * step.dt;
            let torque = self.proportional * error + self.integral * distance;
            torques[wheel] = math::limit(torque, self.max_torque);
            // a saturated motor does not accumulate more error
            if torque == torques[wheel] {
                *behind = distance;
            }
        }
        MotorTorques::new(torques)
    }
}

/// Passes commanded torques to the four motors.
#[derive(Params)]
pub struct MecanumRaw {}

/// Commanded torques.
#[derive(Ports)]
pub struct Commanded {
    /// Torque on the left front wheel, positive forwards.
    #[port(unit = "N·m", command)]
    command_front_left: f64,
    /// Torque on the right front wheel, positive forwards.
    #[port(unit = "N·m", command)]
    command_front_right: f64,
    /// Torque on the left rear wheel, positive forwards.
    #[port(unit = "N·m", command)]
    command_rear_left: f64,
    /// Torque on the right rear wheel, positive forwards.
    #[port(unit = "N·m", command)]
    command_rear_right: f64,
}

#[model]
impl Controller for MecanumRaw {
    const COMMANDS: CommandKinds = &[command!("wheel_torques": Commanded[..4])];

    fn control(&self, command: &Commanded, _: &Step, _: &mut ()) -> MotorTorques {
        MotorTorques::new([
            command.command_front_left,
            command.command_front_right,
            command.command_rear_left,
            command.command_rear_right,
        ])
    }
}
