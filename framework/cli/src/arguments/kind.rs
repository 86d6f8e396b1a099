//! Kinds of models on the command line.

use clap::ValueEnum;
use simhost_abi::Kind;

/// Kind of model, as written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindName {
    /// Force between a wheel and the ground.
    Friction,
    /// Drive train and steering, from actuators to wheels.
    Dynamics,
    /// Commands and measurements to actuators.
    Controller,
    /// Readings of the scene or of the vehicle.
    Sensor,
    /// Lag, limits and dead time between a controller and a dynamics class.
    Actuator,
    /// Commands for many vehicles.
    Fleet,
    /// Wind, ground and gravity of a world.
    Environment,
    /// Quantities of a run to files and stop conditions.
    Observer,
    /// Links between the body and the wheels of an axle.
    Suspension,
}

impl KindName {
    /// Returns the kind as the boundary names it.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Friction => Kind::Friction,
            Self::Dynamics => Kind::Dynamics,
            Self::Controller => Kind::Controller,
            Self::Sensor => Kind::Sensor,
            Self::Actuator => Kind::Actuator,
            Self::Fleet => Kind::Fleet,
            Self::Environment => Kind::Environment,
            Self::Observer => Kind::Observer,
            Self::Suspension => Kind::Suspension,
        }
    }
}
