//! Steered vehicles with a driven front axle or an engine: the inputs of their controllers, and the
//! control of speed for a given steering angle.

use simhost_sdk::ports::{FrontMotors, SteeringGeometry};
use simhost_sdk::{kinematics, prelude::*};

use crate::pid::{self, Answer, Load, Memory, Options, PairMemory, Response};

/// Manner in which a steered vehicle follows its setpoint. The measured wheels need not be the driven ones, which
/// would spin with a steeper slope.
pub(crate) const STEERED: Response = Response { time: 0.3, acceleration: 4.0, least_slope: 0.02 };

/// Declares the inputs of a controller: a commanded forward velocity, one more command, and the
/// measurements that all of these controllers use.
macro_rules! steering_inputs {
    ($(#[$doc:meta])* pub struct $name:ident { $(#[$field:meta])* $command:ident }) => {
        $(#[$doc])*
        #[derive(Ports)]
        pub struct $name {
            /// Commanded forward velocity.
            #[port(unit = "m/s", command, key = "V")]
            command_vx: f64,
            $(#[$field])*
            $command: f64,
            /// Forward velocity estimated from the wheels.
            #[port(unit = "m/s")]
            odometry_vx: f64,
            /// Yaw rate estimated from the wheels.
            #[port(unit = "rad/s")]
            odometry_omega: f64,
            /// Steering angle of an equivalent wheel in the middle of the axle; 10 if the dynamics class
            /// does not measure it.
            #[port(unit = "rad", optional, default = 10.0)]
            axle_steer: f64,
            /// Geometry of the steering.
            #[port(flatten)]
            geometry: simhost_sdk::ports::SteeringGeometry,
            /// The weight to move.
            #[port(flatten)]
            weight: $crate::pid::Weight,
        }

        impl $name {
            /// Returns the motion to follow: the commanded velocity, the yaw rate `omega`, rad/s, and
            /// the steering angle `steer`, rad, with `driven` driven wheels. The wheels follow the yaw
            /// rate that belongs to the angle they have, which the steering limits and delays.
            #[inline(always)]
            fn follow(
                &self,
                options: &impl $crate::pid::Options,
                driven: f64,
                omega: f64,
                steer: f64,
            ) -> $crate::steering::Drive {
                let load = options.load(&self.weight, driven);
                let geometry = &self.geometry;
                let within = simhost_sdk::math::limit(steer, geometry.max_steer);
                let is_measured = self.axle_steer.abs() < std::f64::consts::TAU;
                let reached = if is_measured { self.axle_steer } else { within };
                let turning =
                    self.command_vx * simhost_sdk::math::tan(reached) / geometry.wheelbase;
                let is_constant = options.torque_is_constant();
                $crate::steering::Drive {
                    vx: [self.command_vx, self.odometry_vx],
                    omega: [if is_constant { omega } else { turning }, self.odometry_omega],
                    steer: if is_constant { steer } else { within },
                    angle: if is_constant { steer } else { reached },
                    geometry: self.geometry,
                    load,
                }
            }
        }
    };
}
pub(crate) use steering_inputs;

/// A twist to follow, the steering angle for it, and the measurements of the vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    /// Setpoint and measurement of the forward velocity, m/s.
    pub vx: [f64; 2],
    /// Setpoint and measurement of the yaw rate, rad/s.
    pub omega: [f64; 2],
    /// Steering angle to reach, of an equivalent wheel in the middle of the axle, rad.
    pub steer: f64,
    /// Steering angle for which the front wheels are driven, rad.
    pub angle: f64,
    /// Geometry of the steering.
    pub geometry: SteeringGeometry,
    /// Torque that the vehicle needs.
    pub load: Load,
}

impl Drive {
    /// Returns the torques of one controller per front wheel.
    #[inline(always)]
    pub fn front_motors(
        &self,
        options: &impl Options,
        dt: f64,
        memory: &mut PairMemory,
    ) -> BrakedFront {
        let (left, right) = kinematics::ackermann_angles(
            self.angle,
            self.geometry.wheelbase,
            self.geometry.front_track,
            self.geometry.max_steer,
        );
        let speeds = |vx: f64, omega: f64| {
            let half = 0.5 * self.geometry.front_track;
            [
                kinematics::rolling_speed(vx, omega, self.geometry.front_axle_x, half, left),
                kinematics::rolling_speed(vx, omega, self.geometry.front_axle_x, -half, right),
            ]
        };
        let set_point = speeds(self.vx[0], self.omega[0]);
        let measured = speeds(self.vx[1], self.omega[1]);
        let answer =
            pid::pair(&options.pid(&self.load), self.load, set_point, measured, dt, memory);
        let [torque_front_left, torque_front_right] = answer.torques;
        let motors = FrontMotors { torque_front_left, torque_front_right, steer: self.steer };
        let [slope_front_left, slope_front_right] = answer.slopes;
        let brake_torque = 2.0 * answer.brake;
        BrakedFront { motors, brake_torque, slope_front_left, slope_front_right }
    }

    /// Returns the torque of one controller for the engine.
    #[inline(always)]
    pub fn engine(&self, options: &impl Options, dt: f64, memory: &mut Memory) -> BrakedEngine {
        let ([set_point, measured], pid) = (self.vx, options.pid(&self.load));
        let Answer { torques: [torque_engine], slopes: [slope_engine], brake: brake_torque } =
            pid::single(&pid, self.load, set_point, measured, dt, memory);
        BrakedEngine { torque_engine, steer: self.steer, brake_torque, slope_engine }
    }
}

/// Actuators of an Ackermann vehicle with motors on the front wheels.
#[derive(Ports)]
pub struct BrakedFront {
    /// Torques and steering angle.
    #[port(flatten)]
    motors: FrontMotors,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", publish)]
    brake_torque: f64,
    /// Decrease of the torque of the left motor per gain of the spin of its wheel within the step.
    #[port(unit = "N·m·s/rad", publish)]
    slope_front_left: f64,
    /// Decrease of the torque of the right motor per gain of the spin of its wheel within the step.
    #[port(unit = "N·m·s/rad", publish)]
    slope_front_right: f64,
}

/// Actuators of a steered vehicle with an engine.
#[derive(Ports)]
pub struct BrakedEngine {
    /// Torque of the engine, positive forwards.
    #[port(unit = "N·m")]
    torque_engine: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", publish)]
    brake_torque: f64,
    /// Decrease of the torque of the engine per gain of the spin of the wheels within the step.
    #[port(unit = "N·m·s/rad", publish)]
    slope_engine: f64,
}

/// Implements a controller that converts its commands to commands for a number of driven wheels or
/// motors.
macro_rules! steering_controller {
    ($model:ident, $commands:expr, $method:ident * $driven:literal, $state:ident -> $outputs:ident) => {
        #[model]
        impl Controller for $model {
            const COMMANDS: CommandKinds = $commands;

            fn control(&self, inputs: &Inputs, step: &Step, memory: &mut $state) -> $outputs {
                inputs.drive(self, $driven).$method(self, step.dt, memory)
            }
        }
    };
}
pub(crate) use steering_controller;
