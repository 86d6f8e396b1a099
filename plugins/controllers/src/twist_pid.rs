//! A PID controller on the ground speed of each side of a differential drive.
//!
//! v_l = v − ω D/2, v_r = v + ω D/2, measured at the wheels. Source: MVSim physics manual,
//! "Differential twist PID controller".

use simhost_sdk::prelude::*;

use crate::pid::{self, Options, PairMemory, Response, Weight, pid_params};

/// Manner in which the sides follow their setpoints: with accelerations that only tyres with much grip transmit, and
/// with a slope of 50 times the default damping of a bearing.
const SIDES: Response = Response { time: 0.15, acceleration: 10.0, least_slope: 0.5 };

pid_params! {
    /// A PID controller on the ground speed of each side of a differential drive.
    pub struct TwistPid {
        as_in_mvsim KP = 10.0, max_torque = 100.0;
        follows with SIDES;
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
    /// Decrease of the torque on each left wheel per gain of its spin within the step.
    #[port(unit = "N·m·s/rad", publish)]
    slope_left: f64,
    /// Decrease of the torque on each right wheel per gain of its spin within the step.
    #[port(unit = "N·m·s/rad", publish)]
    slope_right: f64,
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
        let answer = pid::pair(&self.pid(&load), load, set_point, measured, step.dt, memory);
        let ([torque_left, torque_right], [slope_left, slope_right]) =
            (answer.torques, answer.slopes);
        let brake_torque = answer.brake;
        BrakedSides { torque_left, torque_right, brake_torque, slope_left, slope_right }
    }
}
