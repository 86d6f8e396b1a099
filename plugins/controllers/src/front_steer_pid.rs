//! Steers as commanded and controls the speed.
//!
//! The yaw rate that corresponds to speed and steering angle, ω = v tan(δ)/L, is followed as in
//! `twist_front_steer_pid`. Source: MVSim physics manual, "Ackermann steering controller".

use simhost_sdk::prelude::*;

use crate::pid::{Memory, Options, PairMemory, pid_params};
use crate::steering::{
    BrakedEngine, BrakedFront, Drive, STEERED, steering_controller, steering_inputs,
};

pid_params! {
    /// Steers as commanded, with a PID controller on the rolling speed of each front wheel.
    pub struct FrontSteerPid {
        as_in_mvsim KP = 100.0, max_torque = 100.0;
        follows with STEERED;
    }
}

pid_params! {
    /// Steers as commanded, with one PID controller of the engine on the speed of the vehicle.
    pub struct EngineSteerPid {
        as_in_mvsim KP = 100.0, max_torque = 100.0;
        follows with STEERED;
    }
}

steering_inputs! {
    /// Commanded speed and steering angle, and measurements of the vehicle.
    pub struct Inputs {
        /// Commanded steering angle, positive counter-clockwise.
        #[port(unit = "rad", command, key = "STEER_ANG", key_unit = "deg", key_scale = math::DEG)]
        command_steer
    }
}

impl Inputs {
    #[inline(always)]
    fn drive(&self, options: &impl Options, driven: f64) -> Drive {
        let omega = self.command_vx * math::tan(self.command_steer) / self.geometry.wheelbase;
        self.follow(options, driven, omega, self.command_steer)
    }
}

const SPEED_STEER: CommandKinds = &[command!("speed_steer": "command_vx", "command_steer")];

steering_controller! { FrontSteerPid, SPEED_STEER, front_motors * 2.0, PairMemory -> BrakedFront }

steering_controller! { EngineSteerPid, SPEED_STEER, engine * 1.0, Memory -> BrakedEngine }
