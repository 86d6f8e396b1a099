//! Steers for the commanded twist and controls the speed.
//!
//! δ = atan(L ω/v). With motors on the front wheels, there is a PID controller for each on its
//! rolling speed; with an engine, one PID controller on the speed of the vehicle. Source: MVSim
//! physics manual, "Ackermann twist controller".

use simhost_sdk::abi::Str;
use simhost_sdk::{kinematics, prelude::*};

use crate::pid::{self, Memory, Options, PairMemory, Standstill, pid_params};
use crate::raw::{Engine, FrontMotors};

pid_params! {
    /// Steers for the commanded twist, with a PID controller on the rolling speed of each front
    /// wheel.
    pub struct TwistFrontSteerPid {
        default KP = 100.0, max_torque = 100.0;
        /// Speed setpoints below this value count as zero.
        #[param(default = 0.001, range = 0.0.., unit = "m/s")]
        zero_threshold: f64,
        /// Measured speeds below this value count as standstill.
        #[param(default = 0.05, range = 0.0.., unit = "m/s")]
        stop_threshold: f64,
    }
}

pid_params! {
    /// Steers for the commanded twist, with one PID controller of the engine on the speed of the
    /// vehicle.
    pub struct TwistEnginePid {
        default KP = 100.0, max_torque = 400.0;
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
    /// Wheelbase: distance between the axles.
    #[port(unit = "m")]
    wheelbase: f64,
    /// Position of the front axle ahead of the reference point.
    #[port(unit = "m")]
    front_axle_x: f64,
    /// Distance between the front wheels.
    #[port(unit = "m")]
    front_track: f64,
    /// Largest steering angle. A larger value lets the vehicle turn in less room.
    #[port(unit = "rad")]
    max_steer: f64,
    /// Rolling radius.
    #[port(unit = "m")]
    wheel_radius: f64,
    /// Mass without the wheels.
    #[port(unit = "kg")]
    chassis_mass: f64,
    /// Gravity.
    #[port(unit = "m/s²")]
    gravity: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pitch: f64,
}

/// A twist to follow, the steering angle for it, and the measurements of the vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    /// Setpoint and measurement of the forward velocity, m/s.
    pub vx: [f64; 2],
    /// Setpoint and measurement of the yaw rate, rad/s.
    pub omega: [f64; 2],
    /// Steering angle of an equivalent wheel in the middle of the axle, rad.
    pub steer: f64,
    /// Wheelbase, m.
    pub wheelbase: f64,
    /// Position of the front axle ahead of the reference point, m.
    pub front_axle_x: f64,
    /// Distance between the front wheels, m.
    pub front_track: f64,
    /// Largest steering angle, rad.
    pub max_steer: f64,
    /// Torque that holds the vehicle on a slope, N·m.
    pub hold: f64,
}

impl Drive {
    /// Returns the torques of one controller per front wheel.
    #[inline(always)]
    pub fn front_motors(
        &self,
        options: &impl Options,
        standstill: Standstill,
        dt: f64,
        memory: &mut PairMemory,
    ) -> FrontMotors {
        let (left, right) = kinematics::ackermann_angles(
            self.steer,
            self.wheelbase,
            self.front_track,
            self.max_steer,
        );
        let speeds = |vx: f64, omega: f64| {
            let half = 0.5 * self.front_track;
            [
                kinematics::rolling_speed(vx, omega, self.front_axle_x, half, left),
                kinematics::rolling_speed(vx, omega, self.front_axle_x, -half, right),
            ]
        };
        let set_point = speeds(self.vx[0], self.omega[0]);
        let measured = speeds(self.vx[1], self.omega[1]);
        let torques =
            pid::pair(&options.pid(), standstill, set_point, measured, self.hold, dt, memory);
        let [torque_front_left, torque_front_right] = torques;
        FrontMotors { torque_front_left, torque_front_right, steer: self.steer }
    }

    /// Returns the torque of one controller for the engine.
    #[inline(always)]
    pub fn engine(&self, options: &impl Options, dt: f64, memory: &mut Memory) -> Engine {
        let mut memories = [*memory];
        let [torque_engine] = pid::regulate(
            &options.pid(),
            Standstill::DEFAULT,
            [self.vx[0]],
            [self.vx[1]],
            self.hold,
            dt,
            &mut memories,
        );
        [*memory] = memories;
        Engine { torque_engine, steer: self.steer }
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
            math::atan(self.wheelbase * self.command_omega / self.command_vx)
        };
        let hold = options.feedforward(
            self.chassis_mass,
            self.gravity,
            self.pitch,
            self.wheel_radius,
            driven,
        );
        Drive {
            vx: [self.command_vx, self.odometry_vx],
            omega: [self.command_omega, self.odometry_omega],
            steer,
            wheelbase: self.wheelbase,
            front_axle_x: self.front_axle_x,
            front_track: self.front_track,
            max_steer: self.max_steer,
            hold,
        }
    }
}

const TWIST: &[(&str, &[Str])] =
    &[("twist", &[Str::new("command_vx"), Str::new(""), Str::new("command_omega")])];

#[model]
impl Controller for TwistFrontSteerPid {
    type Inputs = Inputs;
    type Outputs = FrontMotors;
    type State = PairMemory;
    const COMMANDS: &'static [(&'static str, &'static [Str])] = TWIST;

    fn control(&self, inputs: &Inputs, step: &Step, memory: &mut PairMemory) -> FrontMotors {
        let standstill = Standstill { zero: self.zero_threshold, stop: self.stop_threshold };
        inputs.drive(self, 2.0).front_motors(self, standstill, step.dt, memory)
    }
}

#[model]
impl Controller for TwistEnginePid {
    type Inputs = Inputs;
    type Outputs = Engine;
    type State = Memory;
    const COMMANDS: &'static [(&'static str, &'static [Str])] = TWIST;

    fn control(&self, inputs: &Inputs, step: &Step, memory: &mut Memory) -> Engine {
        inputs.drive(self, 1.0).engine(self, step.dt, memory)
    }
}
