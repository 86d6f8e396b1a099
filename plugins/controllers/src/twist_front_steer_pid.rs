//! Steers for the commanded twist and controls the speed.
//!
//! δ = atan(L ω/v). With motors on the front wheels, there is a PID controller for each on its
//! rolling speed; with an engine, one PID controller on the speed of the vehicle. Source: MVSim
//! physics manual, "Ackermann twist controller".

use simhost_sdk::prelude::*;

use crate::pid::{Memory, Options, PairMemory, pid_params};
use crate::steering::{
    BrakedEngine, BrakedFront, Drive, STEERED, steering_controller, steering_inputs,
};

pid_params! {
    /// Steers for the commanded twist, with a PID controller on the rolling speed of each front
    /// wheel.
    pub struct TwistFrontSteerPid {
        as_in_mvsim KP = 100.0, max_torque = 100.0;
        follows with STEERED;
    }
}

pid_params! {
    /// Steers for the commanded twist, with one PID controller of the engine on the speed of the
    /// vehicle.
    pub struct TwistEnginePid {
        as_in_mvsim KP = 100.0, max_torque = 400.0;
        follows with STEERED;
    }
}

steering_inputs! {
    /// Commanded twist and measurements of the vehicle.
    pub struct Inputs {
        /// Commanded yaw rate.
        #[port(unit = "rad/s", command, key = "W", key_unit = "deg/s", key_scale = math::DEG)]
        command_omega
    }
}

impl Inputs {
    #[inline(always)]
    fn drive(&self, options: &impl Options, driven: f64) -> Drive {
        // turning on the spot requires a right angle, which the steering limits
        let steer = if self.command_omega == 0.0 {
            0.0
        } else if self.command_vx == 0.0 {
            std::f64::consts::FRAC_PI_2.copysign(self.command_omega)
        } else {
            math::atan(self.geometry.wheelbase * self.command_omega / self.command_vx)
        };
        self.follow(options, driven, self.command_omega, steer)
    }
}

const TWIST: CommandKinds = &[command!("twist": "command_vx", "", "command_omega")];

steering_controller! { TwistFrontSteerPid, TWIST, front_motors * 2.0, PairMemory -> BrakedFront }

steering_controller! { TwistEnginePid, TWIST, engine * 1.0, Memory -> BrakedEngine }
