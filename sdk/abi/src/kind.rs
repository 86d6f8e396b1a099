//! The kinds of models.

use crate::numbered::numbered;

/// The kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Kind {
    /// Force between a wheel and the ground.
    Friction = 1,
    /// Computes the motion of a vehicle from actuators.
    Dynamics = 2,
    /// Computes actuators from commands and measurements.
    Controller = 3,
    /// Computes readings from the scene and the vehicle.
    Sensor = 4,
    /// Between the output of a controller and the input of a dynamics class.
    Actuator = 5,
    /// Wind, ground and gravity of a world.
    Environment = 6,
    /// Computes a command for each of many vehicles from the state of all.
    Fleet = 7,
    /// Reads quantities of a run, changes nothing, and can end the run.
    Observer = 8,
    /// Position of the wheels of an axle from their travel, and the force of the links on the body.
    Suspension = 9,
}

numbered! { Kind: Friction, Dynamics, Controller, Sensor, Actuator, Environment, Fleet, Observer, Suspension }

impl Kind {
    /// Returns the name of the element that selects a class of this kind in a world file.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Friction => "friction",
            Self::Dynamics => "dynamics",
            Self::Controller => "controller",
            Self::Sensor => "sensor",
            Self::Actuator => "actuator",
            Self::Environment => "environment",
            Self::Fleet => "fleet",
            Self::Observer => "observer",
            Self::Suspension => "suspension",
        }
    }

    /// Returns the names inside the element of a model that the host reads itself. No parameter and no input of a
    /// model of this kind can have them.
    pub const fn host_keys(self) -> &'static [&'static str] {
        match self {
            Self::Friction => &["class"],
            Self::Dynamics => &[
                "class",
                "simulator_model",
                "chassis",
                "controller",
                "actuator",
                "connect",
                "visual",
            ],
            Self::Controller => &["class", "simulator_model", "connect"],
            Self::Sensor => &[
                "class",
                "simulator_model",
                "name",
                "sensor_period",
                "latency",
                "latency_jitter",
                "publish",
                "visual",
                "connect",
            ],
            Self::Actuator => &["class", "port", "name", "connect"],
            Self::Environment => &["class", "name"],
            Self::Fleet => &["class", "name", "vehicles", "connect"],
            Self::Observer => &["class", "name", "every"],
            Self::Suspension => &["class", "axle"],
        }
    }

    /// Returns the tag with its indefinite article, such as `an actuator`, for messages.
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::Friction => "a friction",
            Self::Dynamics => "a dynamics",
            Self::Controller => "a controller",
            Self::Sensor => "a sensor",
            Self::Actuator => "an actuator",
            Self::Environment => "an environment",
            Self::Fleet => "a fleet",
            Self::Observer => "an observer",
            Self::Suspension => "a suspension",
        }
    }
}
