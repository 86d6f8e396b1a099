//! Exports worlds and single models as FMUs for FMI 2.0 and 3.0: co-simulation, and model exchange for models with continuous
//! states.
//!
//! An FMU is an archive with a description of its variables, a library, and resources. [`Interface`] describes the
//! variables once: the description of either version is generated from it, and the library in the FMU, the crate
//! `simhost-fmu`, reads it from the resources. The library is the same in all FMUs.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod archive;
mod error;
mod export;
mod interface;
mod lone_model;
mod model_export;
mod model_variables;
mod resources;
mod selection;
mod units;
mod version;
mod xml;

pub use archive::sha256;
pub use error::FmuError;
pub use export::{FmuExport, FmuSummary, export, motions};
pub use interface::{
    BundledPlugin, CommandGroup, INTERFACE_FILE, Interface, ModelSource, Role, Simulated,
    StartValue, Variable, WORLD_FILE,
};
pub use lone_model::LoneModel;
pub use model_export::{ModelExport, export_model};
pub use version::{FmiVersion, fmu_files};
