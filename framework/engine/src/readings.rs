//! Readings of a simulation for observers.

use std::fmt;
use std::sync::Arc;

use simhost_model::SensorImage;

use crate::springs::SpringRates;

/// A vehicle at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleSnapshot<'a> {
    /// Name in the world file.
    pub name: &'a str,
    /// Pose of the reference point: x, y, z, m; yaw, pitch, roll, rad; world frame.
    pub pose: [f64; 6],
    /// Twist of the reference point: vx, vy, m/s; yaw rate, rad/s; vehicle frame.
    pub twist: [f64; 3],
    /// Pose by odometry, as `pose`.
    pub odometry_pose: [f64; 6],
    /// Twist by odometry, as `twist`.
    pub odometry_twist: [f64; 3],
}

/// What moves a vehicle and how heavy it is, including its wheels. A dynamics class that imposes the motion
/// has the mass properties that it measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyProperties {
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Moment of inertia about the vertical through the centre of mass, kg·m².
    pub yaw_inertia: Option<f64>,
    /// Centre of mass in the vehicle frame, m.
    pub centre: Option<[f64; 2]>,
    /// Height of the centre of mass above the reference point, m, if the class publishes it.
    pub centre_height: Option<f64>,
    /// Position of the axle that a steering angle turns ahead of the reference point, m, if the class publishes it.
    pub steered_axle: Option<f64>,
    /// Springs and dampers; `None` for a body that is rigidly supported.
    pub springs: Option<SpringRates>,
    /// Whether friction at the wheels moves the vehicle.
    pub is_driven_by_friction: bool,
}

/// A wheel at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSnapshot<'a> {
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Tag without `_wheel`.
    pub wheel: &'a str,
    /// Position of the centre in the vehicle frame, m.
    pub position: [f64; 2],
    /// Spin, rad/s, positive when rolling forwards.
    pub spin: f64,
    /// Rotation about the axle, rad, not wrapped.
    pub angle: f64,
    /// Steering angle, rad, positive counter-clockwise.
    pub steer: f64,
    /// Motor torque, N·m, positive forwards.
    pub torque: f64,
    /// Normal load including the weight of the wheel, N.
    pub normal_force: f64,
    /// Velocity of the wheel centre in the last step, vehicle frame, m/s.
    pub velocity: [f64; 2],
    /// Force of the ground in the last step, vehicle frame, N.
    pub force: [f64; 2],
}

/// The units of the values of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// All values have the same unit; "1" for a pure number.
    All(&'static str),
    /// x, y, z, m; yaw, pitch, roll, rad.
    Pose,
    /// Two velocities, m/s, and a yaw rate, rad/s.
    Twist,
}

impl Units {
    /// Returns the unit of a value.
    pub fn of(self, index: usize) -> &'static str {
        match (self, index) {
            (Self::All(unit), _) => unit,
            (Self::Pose, 0..3) => "m",
            (Self::Pose, _) => "rad",
            (Self::Twist, 0..2) => "m/s",
            (Self::Twist, _) => "rad/s",
        }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All(unit) => unit,
            Self::Pose => "m, rad",
            Self::Twist => "m/s, rad/s",
        })
    }
}

/// A sensor of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorInfo {
    /// Name of the vehicle, or `world`.
    pub vehicle: String,
    /// Name of the sensor.
    pub sensor: String,
    /// The numbers of a sample, in order. Sensors with equal parameters share the list.
    pub columns: ReadingColumns,
    /// The images that a sample holds.
    pub images: Arc<[SensorImage]>,
}

/// The numbers of a sample: one for each output of the model, or one for each ray.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadingColumns(Arc<[ReadingOutput]>);

/// An output of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingOutput {
    /// Name of the output.
    pub name: &'static str,
    /// Unit; "1" for a pure number.
    pub unit: &'static str,
    /// Number of rays for an output with one value per ray.
    pub rays: Option<usize>,
}

impl ReadingOutput {
    /// Returns the number of its values in a sample.
    pub fn len(&self) -> usize {
        self.rays.unwrap_or(1)
    }

    /// Returns whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ReadingColumns {
    /// Creates the list of outputs in their order.
    pub(crate) fn new(outputs: impl Iterator<Item = ReadingOutput>) -> Self {
        Self(outputs.collect())
    }

    /// Returns the outputs, whose values follow each other in a sample.
    pub fn outputs(&self) -> &[ReadingOutput] {
        &self.0
    }

    /// Returns the numbers in their order.
    pub fn iter(&self) -> impl Iterator<Item = ReadingColumn> {
        self.0.iter().flat_map(|output| {
            let ReadingOutput { name, unit, rays } = *output;
            (0..output.len()).map(move |ray| ReadingColumn { name, unit, ray: rays.map(|_| ray) })
        })
    }

    /// Returns the number of numbers.
    pub fn len(&self) -> usize {
        self.0.iter().map(ReadingOutput::len).sum()
    }

    /// Returns whether a sample has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the place of an output in a sample, and the number of its values.
    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        let output = self.0.iter().position(|output| output.name == name)?;
        let first = self.0[..output].iter().map(ReadingOutput::len).sum();
        Some((first, self.0[output].len()))
    }
}

/// One number of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingColumn {
    /// Name of the output.
    pub name: &'static str,
    /// Unit; "1" for a pure number.
    pub unit: &'static str,
    /// Index of the ray for an output with one value per ray, or of the wheel for one with one per wheel.
    pub ray: Option<usize>,
}
