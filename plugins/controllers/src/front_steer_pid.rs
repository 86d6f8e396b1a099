//! Steers as commanded and controls the speed.
//!
//! The yaw rate that corresponds to speed and steering angle, ω = v tan(δ)/L, is followed as in
//! `twist_front_steer_pid`. Source: MVSim physics manual, "Ackermann steering controller".

use simhost_sdk::abi::Str;
use simhost_sdk::prelude::*;

use crate::pid::{Memory, Options, PairMemory, pid_params};
use crate::steering::{BrakedEngine, BrakedFront, Drive, steering_inputs};

pid_params! {
    /// Steers as commanded, with a PID controller on the rolling speed of each front wheel.
    pub struct FrontSteerPid {
        default KP = 100.0, max_torque = 100.0;
    }
}

pid_params! {
    /// Steers as commanded, with one PID controller of the engine on the speed of the vehicle.
    pub struct EngineSteerPid {
        default KP = 100.0, max_torque = 100.0;
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
        let omega = self.command_vx * math::tan(self.command_steer) / self.wheelbase;
        self.follow(options, driven, omega, self.command_steer)
    }
}

const SPEED_STEER: &[(&str, &[Str])] =
    &[("speed_steer", &[Str::new("command_vx"), Str::new("command_steer")])];

#[model]
impl Controller for FrontSteerPid {
    type Inputs = Inputs;
    type Outputs = BrakedFront;
    type State = PairMemory;
    const COMMANDS: &'static [(&'static str, &'static [Str])] = SPEED_STEER;

    fn control(&self, inputs: &Inputs, step: &Step, memory: &mut PairMemory) -> BrakedFront {
        inputs.drive(self, 2.0).front_motors(self, step.dt, memory)
    }
}

#[model]
impl Controller for EngineSteerPid {
    type Inputs = Inputs;
    type Outputs = BrakedEngine;
    type State = Memory;
    const COMMANDS: &'static [(&'static str, &'static [Str])] = SPEED_STEER;

    fn control(&self, inputs: &Inputs, step: &Step, memory: &mut Memory) -> BrakedEngine {
        inputs.drive(self, 1.0).engine(self, step.dt, memory)
    }
}
