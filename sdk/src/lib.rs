//! The SDK for authors of simhost models.
//!
//! A model is a plain struct of parameters that implements one trait: [`Friction`] (force between a
//! wheel and the ground), [`Dynamics`] (from actuators to the motion of a vehicle), [`Controller`]
//! (from commands and measurements to actuators), [`Sensor`] (from the scene to readings),
//! [`Actuator`] (between a controller and a dynamics class), [`Environment`] (wind, ground and gravity of
//! a world), [`Fleet`] (from the state of many vehicles to a command for each), [`Observer`] (reads
//! quantities of a run, writes files and can end the run) or [`Suspension`] (from the travel of the
//! wheels of an axle to their position and the force of the links).
//! [`export_plugin!`] turns a crate of models into a shared library that the host loads with
//! `--plugin-dir`.
//!
//! ```
//! use simhost_sdk::prelude::*;
//!
//! /// Coulomb friction that opposes the sliding of the contact patch.
//! #[derive(Params)]
//! pub struct Coulomb {
//!     /// Friction coefficient. A larger value makes the vehicle slide less.
//!     #[param(default = 0.8, range = 0.0..=3.0)]
//!     mu: f64,
//! }
//!
//! #[model]
//! impl Friction for Coulomb {
//!     fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
//!         wheel.oppose_sliding(wheel.mu(self.mu), step)
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! The host owns time, state and randomness: between two steps a model keeps only what it declares
//! with [`State`]. All quantities are in SI units. The x axis of a vehicle points forwards and its
//! y axis to the left.

extern crate self as simhost_sdk;

mod abilities;
mod actuator;
mod batch;
#[doc(hidden)]
pub mod checks;
mod columns;
mod controller;
mod descriptor;
mod dynamics;
mod environment;
mod export;
mod fault;
mod fleet;
mod friction;
mod group;
pub mod kinematics;
#[doc(hidden)]
pub mod lanes;
pub mod math;
mod memory;
mod message;
mod model_core;
#[cfg_attr(not(all(target_family = "wasm", target_os = "unknown")), path = "no_module.rs")]
mod module;
mod observer;
mod params;
mod per_wheel;
pub mod ports;
mod random;
mod reading;
mod roads;
mod sensor;
mod step;
pub mod submodel;
mod surroundings;
mod suspension;
pub mod testing;

#[doc(hidden)]
pub use export::plugin_descriptor;
#[doc(hidden)]
pub use fault::contained;
#[doc(hidden)]
pub use inventory;
pub use simhost_abi as abi;
pub use simhost_derive::{Choice, Params, Ports, RayPorts, State, model};
pub use simhost_vectors as vectors;

pub use actuator::Actuator;
#[doc(hidden)]
pub use actuator::ActuatorModel;
pub use columns::{Columns, Ports, State};
pub use controller::Controller;
#[doc(hidden)]
pub use controller::ControllerModel;
#[doc(hidden)]
pub use dynamics::DynamicsModel;
pub use dynamics::{
    AdvancingLanes, Chassis, Drive, Dynamics, Energies, Footprint, Motion, SpatialMotion,
    WheelContact, WheelMotion, WheelPlace, Wheels, Wrench, wheel_input,
};
#[doc(hidden)]
pub use environment::EnvironmentModel;
pub use environment::{Environment, Surface};
pub use export::Linked;
pub use fleet::Fleet;
#[doc(hidden)]
pub use fleet::FleetModel;
#[doc(hidden)]
pub use friction::FrictionModel;
pub use friction::{Force, Friction, Wheel};
pub use group::Group;
#[doc(hidden)]
pub use memory::Remembers;
pub use memory::{Memory, Remembered};
pub use model_core::{CommandKinds, ModelCore};
#[doc(hidden)]
pub use model_core::{command_desc, command_values, port_name};
#[doc(hidden)]
pub use observer::ObserverModel;
pub use observer::{
    EndReason, Flow, Observer, OutputFolder, Place, Quantity, RunEnd, RunStart, Sample,
};
pub use params::{BinaryFile, ParamValue, Params, TextFile};
pub use per_wheel::PerWheel;
pub use random::Random;
#[doc(hidden)]
pub use reading::PortValue;
pub use reading::Reading;
pub use roads::LaneWay;
#[doc(hidden)]
pub use sensor::SensorModel;
pub use sensor::{Aim, Image, RayPorts, RayReadings, RayResult, Sensor};
pub use simhost_abi::{
    Contact, Distortion, EarthPoint, ImageKind, Neighbour, NeighbourQuery, ParamScaling, Ray,
    RayHit, RoadPoint, Scaling, SurfacePoint, WheelUse, entity_kind as entity,
};
pub use step::{GroundPoint, Step};
pub use surroundings::Neighbours;
#[doc(hidden)]
pub use suspension::SuspensionModel;
pub use suspension::{
    AxleKinematics, AxleMotion, CornerKinematics, CornerMotion, Suspension, TravelRates,
};

// every complete model in these pages compiles
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/plugin-recipes.md")]
struct Recipes;
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/plugin-publishing.md")]
struct Publishing;
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/plugin-guide.md")]
struct Guide;

/// The items that most models need: `use simhost_sdk::prelude::*`.
pub mod prelude {
    pub use crate::{
        Actuator, AdvancingLanes, Aim, AxleKinematics, AxleMotion, BinaryFile, Chassis, Choice,
        CommandKinds, Contact, Controller, CornerKinematics, CornerMotion, Distortion, Dynamics,
        EndReason, Energies, Environment, Fleet, Flow, Footprint, Force, Friction, Group, Image,
        ImageKind, Memory, ModelCore, Motion, Neighbour, NeighbourQuery, Observer, OutputFolder,
        Params, PerWheel, Place, Ports, Quantity, Random, Ray, RayHit, RayPorts, RayReadings,
        RayResult, Reading, Remembered, RunEnd, RunStart, Sample, Scaling, Sensor, SpatialMotion,
        State, Step, Surface, Suspension, TextFile, TravelRates, Wheel, WheelContact, WheelMotion,
        WheelPlace, WheelUse, Wheels, Wrench, command, entity, export_plugin, math, model,
        wheel_input,
    };
}
