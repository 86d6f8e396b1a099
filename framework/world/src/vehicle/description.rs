//! The description of a vehicle.

use std::ops::Range;
use std::sync::Arc;

use simhost_abi::Kind;
use simhost_scene::Pose3;

use super::axle_suspension::AxleSuspension;
use super::chassis::Chassis;
use super::dynamics::ActuatorUse;
use super::robot_fault::RobotFault;
use super::suspension::BodySprings;
use super::wheel::{WheelFriction, WheelSpec};
use crate::animation::Animation;
use crate::models::ModelUse;
use crate::publish::Publish;
use crate::reader::{ElementReader, Field, declare};
use crate::robot_description::RobotDescription;
use crate::sensor::SensorUse;
use crate::sources::Span;
use crate::visual::Visual;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element, non_negative, number};

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
    /// The suspensions of its axles.
    pub suspensions: Arc<[AxleSuspension]>,
    /// Sensors: from includes first, then from the vehicle and from its class.
    pub sensors: Arc<[SensorUse]>,
    /// Inputs of controller, dynamics class and actuators that read these sensors.
    pub readings: Arc<[ReadingUse]>,
    /// Inputs of these sensors that read others of them. A sensor comes after those that it reads.
    pub sensor_readings: Arc<[SensorReading]>,
    /// Inputs of these sensors that read actuators.
    pub actuator_readings: Arc<[ActuatorReading]>,
    /// Faults: from the vehicle, then from its class.
    pub faults: Arc<[RobotFault]>,
    /// Aerodynamic coefficients.
    pub aerodynamics: Aerodynamics,
    /// Springs and dampers. Without them, the body is rigidly supported.
    pub suspension: Option<BodySprings>,
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
    /// The file of the robot from which the vehicle was made.
    pub robot: Option<Arc<RobotDescription>>,
}

/// An input of a model that reads an output of a sensor of its vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingUse {
    /// Kind of the model.
    pub reader: Kind,
    /// Index of an actuator in [`Vehicle::actuators`](crate::Vehicle::actuators); 0 for a model of another kind.
    pub number: usize,
    /// Name of the input.
    pub input: &'static str,
    /// Index of the sensor in [`Vehicle::sensors`](crate::Vehicle::sensors).
    pub sensor: usize,
    /// Index of the output among the outputs of the phase `read` of the sensor.
    pub output: usize,
    /// Largest number of values; `None` for an input that is a single number.
    pub capacity: Option<usize>,
    /// Value of a single number before the first sample.
    pub default: f64,
}

/// An input of a sensor that reads another sensor of its vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorReading {
    /// Index of the reading sensor in [`Vehicle::sensors`](crate::Vehicle::sensors).
    pub reader: usize,
    /// The input, and the output that it reads.
    pub reading: ReadingUse,
}

/// An input of a sensor that reads outputs of actuators of its vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorReading {
    /// Index of the sensor in [`Vehicle::sensors`](crate::Vehicle::sensors).
    pub reader: usize,
    /// Name of the input.
    pub input: &'static str,
    /// Indices of actuators in [`Vehicle::actuators`](crate::Vehicle::actuators), and of outputs of their phase
    /// `actuate`. An array has the values of all, one after the other.
    pub sources: Vec<(usize, usize)>,
    /// Number of values; `None` for an input that is a single number.
    pub capacity: Option<usize>,
    /// Value of a single number before the first sample.
    pub default: f64,
}

impl ActuatorReading {
    /// Returns whether sensors with these readings can share an instance, as [`ReadingUse::is_like`] does.
    pub fn is_like(&self, other: &Self) -> bool {
        self.input == other.input && self.capacity == other.capacity
    }
}

impl ReadingUse {
    /// Returns whether models with these readings can share an instance: the inputs are the same, and have the
    /// same capacities.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.reader, self.number) == (other.reader, other.number)
            && self.input == other.input
            && self.capacity == other.capacity
    }
}

declare! {
    /// Aerodynamic forces, proportional to the square of the speed relative to the air.
    section = element("aerodynamics");

    /// Aerodynamic coefficients of a vehicle. With the velocity v of the vehicle relative to the air, vehicle
    /// frame, the force is −½ ρ |v| (A_x v_x, A_y v_y) in the plane of the vehicle, and ½ ρ A_z v² upwards.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Aerodynamics {
        /// Drag coefficient times frontal area.
        pub drag_area: f64 = attribute(non_negative("m²")).or("0");
        /// Lift coefficient times area; negative is downforce.
        pub lift_area: f64 = attribute(number("m²")).or("0");
        /// Side force coefficient times side area, for air that moves across the vehicle.
        pub side_area: Option<f64> = attribute(non_negative("m²")).or_else("`drag_area`");
        /// Centre of pressure of the side force ahead of the reference point. Ahead of the centre of mass, side wind
        /// turns the vehicle away from the wind.
        pub pressure_x: Option<f64> = attribute(number("m")).or_else("the centre of mass");
        /// Height of the centre of pressure above the ground. A larger value shifts more load between the wheels.
        pub pressure_z: Option<f64> = attribute(non_negative("m")).or_else("the mean height of the mass");
    }
}

impl Aerodynamics {
    /// Returns whether the air acts on the vehicle.
    pub fn has_force(&self) -> bool {
        [self.drag_area, self.lift_area, self.side_area.unwrap_or(0.0)].iter().any(|a| *a != 0.0)
    }

    /// Returns whether the air only slows down and lifts the vehicle, the same from all sides.
    pub fn is_plain(&self) -> bool {
        self.side_area.is_none() && self.pressure_x.is_none() && self.pressure_z.is_none()
    }
}

/// Settings of the log of a vehicle.
///
/// `<log_path>` and `<auto_start_recording>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VehicleLog {
    /// Start of the names of the files, with their folder: `logs/night_`. Empty by default.
    pub path: Arc<str>,
    /// Whether recording starts with the run.
    pub starts: bool,
}

/// Start of the names of the files.
pub(super) const PATH: Entry = child(Value::Text)
    .named("log_path")
    .doc("Prefix of the names of the log files, such as `logs/night_`.");
/// Whether recording starts with the run.
pub(super) const STARTS: Entry = child(Value::Bool)
    .named("auto_start_recording")
    .doc("Records a log of the vehicle and its wheels from the start, if the run has an output directory.")
    .or("false");

/// The settings, if one of them is given.
impl Field for Option<Arc<VehicleLog>> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let at = place.start;
        let (path, starts) = (reader.field_at(at)?, reader.field_at(at + 1)?);
        Some(Some(Arc::new(VehicleLog { path, starts })))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        Some(None)
    }
}
