//! A PID controller on the ground speed of each side of a differential drive.
//!
//! v_l = v − ω D/2, v_r = v + ω D/2, measured at the wheels. Source: MVSim physics manual,
//! "Differential twist PID controller".

use simhost_sdk::prelude::*;

use crate::pid::{self, Options, PairMemory, Weight, pid_params};

pid_params! {
    /// A PID controller on the ground speed of each side of a differential drive.
    pub struct TwistPid {
        default KP = 10.0, max_torque = 100.0;
    }
}

/// Commanded twist and measurements of the vehicle.
#[derive(Ports)]
pub struct Inputs {
    /// Commanded forward velocity.
    #[port(unit = "m/s", command, key = "V")]
    command_vx: f64,
    /// Commanded yaw rate.
    #[port(unit = "rad/s", command, key = "W", key_unit = "deg/s", key_scale = math::DEG)]
    command_omega: f64,
    /// Forward velocity estimated from the wheels.
    #[port(unit = "m/s")]
    odometry_vx: f64,
    /// Yaw rate estimated from the wheels.
    #[port(unit = "rad/s")]
    odometry_omega: f64,
    /// Distance between the sides.
    #[port(unit = "m")]
    track: f64,
    /// The weight to move.
    #[port(flatten)]
    weight: Weight,
}

/// Actuators of a differential drive.
#[derive(Ports)]
pub struct BrakedSides {
    /// Torque on each left wheel, positive forwards.
    #[port(unit = "N·m")]
    torque_left: f64,
    /// Torque on each right wheel, positive forwards.
    #[port(unit = "N·m")]
    torque_right: f64,
    /// Largest torque of the brake of each driven wheel.
    #[port(unit = "N·m", publish)]
    brake_torque: f64,
}

#[model]
impl Controller for TwistPid {
    const COMMANDS: CommandKinds = &[command!("twist": "command_vx", "", "command_omega")];

    fn control(&self, inputs: &Inputs, step: &Step, memory: &mut PairMemory) -> BrakedSides {
        let sides = |vx: f64, omega: f64| {
            let turn = 0.5 * omega * inputs.track;
            [vx - turn, vx + turn]
        };
        let set_point = sides(inputs.command_vx, inputs.command_omega);
        let measured = sides(inputs.odometry_vx, inputs.odometry_omega);
        let load = self.load(&inputs.weight, 2.0);
        let answer = pid::pair(&self.pid(), load, set_point, measured, step.dt, memory);
        let [torque_left, torque_right] = answer.torques;
        BrakedSides { torque_left, torque_right, brake_torque: answer.brake }
    }
}
