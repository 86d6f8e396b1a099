//! The form of vehicle files that describe a car of the driving lab, and their errors.

mod error;

use serde::{Deserialize, Serialize};

pub use error::VehicleFileError;
pub(crate) use error::{VERSION, nearest_in};

/// Mass of a wheel that the host adds to the mass of the chassis, kg.
pub(crate) const WHEEL_MASS: f64 = 2.0;

pub(crate) fn no_pose() -> [f64; 6] {
    [0.0; 6]
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Dynamics {
    pub class: Body,
    pub front_mass: f64,
    pub rear_mass: f64,
    pub wheelbase: f64,
    pub track: f64,
    pub wheel_radius: f64,
    pub tyre_pressure: f64,
    pub drag_coefficient: f64,
    pub frontal_area: f64,
    pub road: Road,
    pub rl_wheel: WheelProperties,
    pub rr_wheel: WheelProperties,
    pub fl_wheel: WheelProperties,
    pub fr_wheel: WheelProperties,
    pub chassis: Chassis,
    pub controller: Controller,
    pub actuator: Vec<Actuator>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Body {
    #[default]
    #[serde(rename = "four_mass_body")]
    FourMassBody,
}

/// State of the road, which selects the friction coefficient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Road {
    /// Friction coefficient 0.7.
    #[default]
    Dry,
    /// Friction coefficient 0.4.
    Wet,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WheelProperties {
    pub mass: f64,
    pub diameter: f64,
}

impl Default for WheelProperties {
    fn default() -> Self {
        Self { mass: WHEEL_MASS, diameter: 2.0 * 0.3334 }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Chassis {
    pub mass: f64,
    pub zmin: f64,
    pub zmax: f64,
    pub shape: Shape,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub pt: Vec<[f64; 2]>,
}

impl Shape {
    pub fn rectangle(length: f64, width: f64) -> Self {
        let (x, y) = (0.5 * length, 0.5 * width);
        Self { pt: vec![[-x, -y], [x, -y], [x, y], [-x, y]] }
    }
}

impl Default for Chassis {
    fn default() -> Self {
        let mass = 1800.0 - 4.0 * WHEEL_MASS;
        Self { mass, zmin: 0.15, zmax: 1.195245, shape: Shape::rectangle(4.236424, 2.027126) }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Controller {
    pub class: Targets,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Targets {
    #[default]
    #[serde(rename = "actuator_targets")]
    ActuatorTargets,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Actuator {
    pub class: ActuatorClass,
    pub port: String,
    pub name: String,
    pub min: f64,
    pub max: f64,
    pub change_rate: f64,
    #[serde(default)]
    pub initial: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum ActuatorClass {
    #[serde(rename = "vehicle_actuator")]
    VehicleActuator,
}

/// Range of an actuator and the rate at which it changes, in the unit of its value: m/s² for motor and
/// brakes, rad for the steering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActuatorProperties {
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Largest change per second.
    pub change_rate: f64,
    /// Value at the start.
    pub initial: f64,
}

impl ActuatorProperties {
    /// Returns the properties of an actuator that starts at 0.
    pub const fn new(min: f64, max: f64, change_rate: f64) -> Self {
        Self { min, max, change_rate, initial: 0.0 }
    }
}

/// A brake of a car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brake {
    /// Left front wheel.
    FrontLeft,
    /// Right front wheel.
    FrontRight,
    /// Left rear wheel.
    RearLeft,
    /// Right rear wheel.
    RearRight,
}

impl Brake {
    /// All brakes.
    pub const ALL: [Self; 4] = [Self::FrontLeft, Self::FrontRight, Self::RearLeft, Self::RearRight];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::FrontLeft => "brake_front_left",
            Self::FrontRight => "brake_front_right",
            Self::RearLeft => "brake_rear_left",
            Self::RearRight => "brake_rear_right",
        }
    }
}

const MOTOR: ActuatorProperties = ActuatorProperties::new(-1.5, 3.5, 2.0);
const BRAKE: ActuatorProperties = ActuatorProperties::new(0.0, 5.0, 5.0);
#[allow(clippy::approx_constant, reason = "the stop of the lab's steering has six digits")]
const STEERING: ActuatorProperties = ActuatorProperties::new(-0.785398, 0.785398, 0.5);

impl Actuator {
    pub fn new(port: &str, name: &str, properties: ActuatorProperties) -> Self {
        let ActuatorProperties { min, max, change_rate, initial } = properties;
        let (port, name) = (port.to_owned(), name.to_owned());
        let class = ActuatorClass::VehicleActuator;
        Self { class, port, name, min, max, change_rate, initial }
    }
}

impl Default for Dynamics {
    fn default() -> Self {
        let brakes = Brake::ALL.map(|brake| Actuator::new(brake.name(), brake.name(), BRAKE));
        let mut actuator = vec![
            Actuator::new("motor", "motor", MOTOR),
            Actuator::new("steer", "steering", STEERING),
        ];
        actuator.extend(brakes);
        Self {
            class: Body::FourMassBody,
            front_mass: 950.0,
            rear_mass: 850.0,
            wheelbase: 2.921,
            track: 1.62025,
            wheel_radius: 0.3334,
            tyre_pressure: 2.5,
            drag_coefficient: 0.3,
            frontal_area: 2.027126 * 1.195245,
            road: Road::Dry,
            rl_wheel: WheelProperties::default(),
            rr_wheel: WheelProperties::default(),
            fl_wheel: WheelProperties::default(),
            fr_wheel: WheelProperties::default(),
            chassis: Chassis::default(),
            controller: Controller::default(),
            actuator,
        }
    }
}
