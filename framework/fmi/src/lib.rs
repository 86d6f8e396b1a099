//! Exports worlds as FMUs: co-simulation for FMI 2.0 and 3.0.
//!
//! An FMU is an archive with a description of its variables, a library, and resources. [`Interface`] describes the
//! variables once: the description of either version is generated from it, and the library in the FMU, the crate
//! `simhost-fmu`, reads it from the resources. The library is the same in all FMUs.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
mod export;
mod selection;
mod version;
mod xml;

pub use error::FmuError;
pub use export::{FmuExport, FmuSummary, export};
pub use selection::{
    CommandGroup, INTERFACE_FILE, Interface, Role, StartValue, Variable, WORLD_FILE,
};
pub use version::FmiVersion;
