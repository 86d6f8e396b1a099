//! Models as the host uses them, whatever language they are written in.
//!
//! * [`Classes`] finds a model by the name of its class, and [`ModelRef`] refers to it.
//! * [`View`] reads a descriptor of the plugin boundary safely: parameters, ports, states and
//!   phases.
//! * [`ParamValue`] is the value of a parameter, checked against its declaration.
//! * [`Instance`] is a created model. [`PhaseCall`] calls a phase of it for the lanes of a table,
//!   and contains its faults.
//! * [`FlatTrack`] measures the steady force of a friction model at imposed slips and loads.
//! * [`Observer`] is an instance of a model that reads a run between its steps.
//! * [`Patterns`] select quantities by name, and [`nearest()`] suggests a name for a misspelt one.
//!
//! The crate knows neither worlds nor plugin files: `simhost-registry` finds models, and
//! `simhost-engine` steps them.

#![expect(clippy::result_large_err, reason = "a fault contains its text, as at the boundary")]

pub mod breadcrumb;
mod call;
mod classes;
mod entities;
mod file_classes;
mod flat_track;
pub mod float_control;
mod images;
mod instance;
pub mod lanes;
mod memory;
mod nearest;
mod numbered;
mod observer;
mod pattern;
pub mod ports;
mod rig;
mod scaling;
mod unit;
mod values;
mod vehicle_formats;
mod view;

pub use call::PhaseCall;
pub use scaling::{ScalingLaw, Size, Unscalable, UnscalableReason, aliases, scale_values};
pub mod profile;

pub use classes::{ClassError, Classes, LINKED_IN, ModelRef, PluginName, fitting};
pub use entities::{Entities, Entity};
pub use file_classes::{CodePlace, FileClassError, FileRequest, PortMap};
pub use flat_track::{FlatTrack, TyreForce, TyreMotion};
pub use instance::{Instance, Table, defect_of_wheels, initial_states};
pub use memory::Memories;
pub use nearest::nearest;
pub use numbered::{NumberedFunctions, NumberedModels};
pub use observer::{Beginning, Instant, ObservedQuantity, Observer, ObserverRun, warns};
pub use pattern::{Pattern, Patterns, nearest_pattern};
pub use rig::{ModelRig, RigPhase, RigShape};
pub use simhost_abi::SensorImage;
pub use unit::{same_unit, unit_factor};
pub use values::ParamValue;
pub use vehicle_formats::{
    ConvertedVehicle, LinkedVehicleFormat, VehicleFormat, VehicleFormatError, VehicleRequest,
    vehicle_format,
};
pub use view::View;
