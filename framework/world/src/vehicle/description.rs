//! The description of a vehicle.

use std::sync::Arc;

use simhost_scene::Pose3;

use super::actuator::ActuatorUse;
use super::aerodynamics::Aerodynamics;
use super::chassis::Chassis;
use super::friction::WheelFriction;
use super::log::VehicleLog;
use super::reading_use::ReadingUse;
use super::robot_fault::RobotFault;
use super::suspension::Suspension;
use super::wheel::WheelSpec;
use crate::animation::Animation;
use crate::models::ModelUse;

use crate::publish::Publish;
use crate::sensor::SensorUse;
use crate::sources::Span;
use crate::visual::Visual;

/// A vehicle.
#[derive(Clone, Debug)]
pub struct Vehicle {
    /// Name, unique among vehicles.
    pub name: String,
    /// Position of the declaration.
    pub span: Span,
    /// Initial pose of the reference point.
    pub pose: Pose3,
    /// Initial velocity as given: forward and leftward in m/s, yaw rate in rad/s. The profile
    /// determines the frame.
    pub velocity: [f64; 3],
    /// Whether the height of the pose is kept instead of placing the vehicle on the ground.
    pub skip_elevation_adjust: bool,
    /// The body.
    pub chassis: Arc<Chassis>,
    /// Wheels in the order of the dynamics class.
    pub wheels: Arc<[WheelSpec]>,
    /// Model that converts actuator inputs to wheel torques and steering angles.
    pub dynamics: Arc<ModelUse>,
    /// Model of the force between wheel and ground.
    pub friction: Arc<ModelUse>,
    /// Friction models of wheels with a separate model, in the order of the wheels.
    pub wheel_friction: Arc<[WheelFriction]>,
    /// Model that converts commands to actuator inputs.
    pub controller: Arc<ModelUse>,
    /// Actuators between controller and dynamics class, in the order of the file.
    pub actuators: Arc<[ActuatorUse]>,
    /// Sensors: from includes first, then from the vehicle and from its class.
    pub sensors: Arc<[SensorUse]>,
    /// Inputs of controller and dynamics class that read these sensors.
    pub readings: Arc<[ReadingUse]>,
    /// Faults: from the vehicle, then from its class.
    pub faults: Arc<[RobotFault]>,
    /// Aerodynamic coefficients.
    pub aerodynamics: Aerodynamics,
    /// Springs and dampers. Without them, the body is rigidly supported.
    pub suspension: Option<Suspension>,
    /// Factors on the odometry's increments of x, y and yaw.
    pub odometry_multipliers: [f64; 3],
    /// Whether the frame of the odometry in the stream `tf` rests at the origin of the world, so that the vehicle has its
    /// true pose in it.
    pub has_true_odometry_frame: bool,
    /// Motion that is played instead of driving.
    pub animation: Option<Arc<Animation>>,
    /// Visuals.
    pub visuals: Arc<[Visual]>,
    /// Publication to other processes.
    pub publish: Option<Arc<Publish>>,
    /// The log, if the world gives settings of it.
    pub log: Option<Arc<VehicleLog>>,
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
}
