//! Ports of the planning models.
//!
//! All models share the names of their inputs, so a controller that provides all of them drives any
//! model; each model reads those that it has.
//!
//! | Port | Unit | Models |
//! |---|---|---|
//! | `velocity_command` | m/s | `…_vel` |
//! | `acceleration_command` | m/s² | `…_acc`, `…_acc_geared`: in the direction of travel of the world, with the share of the slope and the sign of the gear |
//! | `pedal_command` | m/s² | `…_wo_fall_guard`: positive with the throttle in any gear, without the slope |
//! | `accel_command`, `brake_command` | 1 or m/s² | `actuation_cmd…` |
//! | `steer_command` | rad | all; for `actuation_cmd_vgr`, `…_mechanical` and `…_steer_map` the angle of the steering wheel |
//! | `gear` | 1 | geared models; number of [`crate::gear`], `DRIVE` by default |
//! | `slope_acceleration` | m/s² | `…_wo_fall_guard`, `actuation_cmd…`, and the map model, whose `acceleration_command` includes it |
//! | `engaged` | 1 | all; the model stands still in time while 0 |
//! | `initial_pose_number` | 1 | all; when it changes, the model starts again at `initial_x`, `initial_y`, `initial_yaw`, with the speed `initial_vx` |

use crate::gear::{DRIVE, Gear};
use simhost_sdk::ports::{Odometry, PlanarPose, PlanarVelocity};
use simhost_sdk::prelude::*;

/// The inputs of all models in one struct. Those that a model does not have are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Desired speed, m/s.
    pub velocity: f64,
    /// Desired acceleration, m/s².
    pub acceleration: f64,
    /// Accelerator pedal, or acceleration where no map converts it, m/s².
    pub accel: f64,
    /// Brake pedal.
    pub brake: f64,
    /// Desired steering angle of the tyre or of the steering wheel, rad.
    pub steer: f64,
    /// Number of the gear.
    pub gear: f64,
    /// Forward acceleration by the slope, m/s².
    pub slope: f64,
}

impl Command {
    /// Returns the gear.
    #[inline(always)]
    pub fn gear(&self) -> Gear {
        Gear::of(self.gear)
    }
}

/// Pose and velocity of the body, and whether the model runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// Position and heading, world frame, m, m, rad.
    pub pose: [f64; 3],
    /// Forward velocity, m/s.
    pub vx: f64,
    /// Leftward velocity, m/s.
    pub vy: f64,
    /// Yaw rate, rad/s.
    pub omega: f64,
    /// Whether the model runs.
    pub engaged: bool,
    /// Number of the last initial pose, 0 before the first.
    pub initial_number: f64,
    /// Initial pose, m, m, rad, and speed, m/s.
    pub initial: [f64; 4],
}

/// Inputs of a model: what it is commanded, and where its body is.
pub trait Inputs: Ports {
    /// Returns the command.
    fn command(&self) -> Command;
    /// Returns the motion of the body.
    fn body(&self) -> Body;
}

/// Declares the inputs of models, with those that all of them share.
macro_rules! inputs {
    (
        $(#[$about:meta])* $name:ident
        { $($(#[$port:meta])* $field:ident => $command:ident,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Ports)]
        pub struct $name {
            $($(#[$port])* $field: f64,)*
            /// Whether the model runs (1) or stands still in time (0).
            #[port(unit = "1", default = 1.0, optional)]
            engaged: f64,
            /// Number of the commanded initial pose. The model starts again at that pose when the
            /// number changes.
            #[port(unit = "1", optional)]
            initial_pose_number: f64,
            /// Position of the commanded initial pose, world frame.
            #[port(unit = "m", optional)]
            initial_x: f64,
            /// Position of the commanded initial pose, world frame.
            #[port(unit = "m", optional)]
            initial_y: f64,
            /// Heading of the commanded initial pose, counter-clockwise from the world x axis.
            #[port(unit = "rad", optional)]
            initial_yaw: f64,
            /// Forward velocity at the commanded initial pose.
            #[port(unit = "m/s", optional)]
            initial_vx: f64,
            /// Pose of the vehicle.
            #[port(flatten)]
            pose: PlanarPose,
            /// Velocity of the vehicle.
            #[port(flatten)]
            velocity: PlanarVelocity,
        }

        impl Inputs for $name {
            #[inline(always)]
            fn command(&self) -> Command {
                Command { $($command: self.$field,)* ..Command::default() }
            }
            #[inline(always)]
            fn body(&self) -> Body {
                Body {
                    pose: [self.pose.x, self.pose.y, self.pose.yaw],
                    vx: self.velocity.vx,
                    vy: self.velocity.vy,
                    omega: self.velocity.omega,
                    engaged: self.engaged != 0.0,
                    initial_number: self.initial_pose_number,
                    initial: [
                        self.initial_x, self.initial_y, self.initial_yaw, self.initial_vx,
                    ],
                }
            }
        }
    };
}

inputs! {
    /// Inputs of the models that follow a speed.
    VelocityInputs {
        /// Desired speed.
        #[port(unit = "m/s")]
        velocity_command => velocity,
        /// Desired steering angle of the tyre, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command => steer,
    }
}

inputs! {
    /// Inputs of the models that follow an acceleration.
    AccelerationInputs {
        /// Desired forward acceleration, which includes the slope and the sign of the gear.
        #[port(unit = "m/s²")]
        acceleration_command => acceleration,
        /// Desired steering angle of the tyre, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command => steer,
    }
}

inputs! {
    /// Inputs of the models that follow an acceleration in the direction of their gear.
    GearedInputs {
        /// Desired forward acceleration, which includes the slope and the sign of the gear.
        #[port(unit = "m/s²")]
        acceleration_command => acceleration,
        /// Desired steering angle of the tyre, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command => steer,
        /// Number of the gear as in `autoware_vehicle_msgs/GearCommand`: 2 `DRIVE`, 20 `REVERSE`.
        #[port(unit = "1", default = DRIVE, optional)]
        gear => gear,
        /// Share of the slope in `acceleration_command`.
        #[port(unit = "m/s²", optional)]
        slope_acceleration => slope,
    }
}

inputs! {
    /// Inputs of the model with a pedal and a slope.
    PedalInputs {
        /// Desired acceleration of the pedals, positive with the throttle in any gear.
        #[port(unit = "m/s²")]
        pedal_command => acceleration,
        /// Number of the gear as in `autoware_vehicle_msgs/GearCommand`: 2 `DRIVE`, 20 `REVERSE`.
        #[port(unit = "1", default = DRIVE, optional)]
        gear => gear,
        /// Forward acceleration due to the slope.
        #[port(unit = "m/s²", optional)]
        slope_acceleration => slope,
        /// Desired steering angle of the tyre, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command => steer,
    }
}

inputs! {
    /// Inputs of the models with an accelerator, a brake and a steering wheel.
    ActuationInputs {
        /// Accelerator pedal, 0 to 1, or acceleration in m/s² where no map converts it.
        #[port(unit = "1")]
        accel_command => accel,
        /// Brake pedal, 0 to 1.
        #[port(unit = "1")]
        brake_command => brake,
        /// Forward acceleration due to the slope.
        #[port(unit = "m/s²", optional)]
        slope_acceleration => slope,
        /// Desired angle of the tyre or of the steering wheel, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command => steer,
        /// Number of the gear as in `autoware_vehicle_msgs/GearCommand`: 2 `DRIVE`, 20 `REVERSE`.
        #[port(unit = "1", default = DRIVE, optional)]
        gear => gear,
    }
}

/// Measurements of all models.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Measured {
    /// Velocity that the model reports.
    #[port(flatten)]
    pub odometry: Odometry,
    /// Steering angle that the model reports: the angle of the tyre plus the bias of the sensor.
    #[port(unit = "rad")]
    pub steer_angle: f64,
    /// Acceleration that the model reports.
    #[port(unit = "m/s²")]
    pub longitudinal_acceleration: f64,
    /// Position of the accelerator that causes the present acceleration; 0 for a model without
    /// pedals.
    #[port(unit = "1")]
    pub accel_status: f64,
    /// Position of the brake that causes the present deceleration; 0 for a model without pedals.
    #[port(unit = "1")]
    pub brake_status: f64,
    /// Angle of the steering wheel, or of the tyre where the model has no steering wheel; 0 for a
    /// model without pedals.
    #[port(unit = "rad")]
    pub steer_status: f64,
}
