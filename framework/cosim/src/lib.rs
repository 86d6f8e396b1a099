//! Models from FMUs: co-simulation, and model exchange without state events, for FMI 2.0 and 3.0.
//!
//! An element with `class="fmu" file="…"` asks [`FmuImporter`] for a model. It reads the archive ([`FmuArchive`]) and the description
//! ([`FmuDescription`]), assigns variables to the ports of the kind, and returns a descriptor like any other plugin. Each lane of
//! the model has an instance of the FMU as its memory, so that snapshots, forks and ensembles copy it as they copy the memory
//! of any model.
//!
//! A program that links this crate has the class `fmu`.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod archive;
mod calls;
mod conversion;
mod description;
mod descriptor;
mod exchange;
mod fmu;
mod functions;
mod importer;
mod instance;
mod lane;
mod loading;
mod memory;
mod ports;
mod process;
mod progress;
mod protocol;
mod selftest;
mod server;
mod table;
mod values;

pub use archive::FmuArchive;
pub use description::FmuDescription;
pub use importer::{FmuImporter, why_not_restorable};
pub use process::set_server;
pub use server::serve;

/// Importer of the class `fmu`.
static IMPORTER: FmuImporter = FmuImporter;

simhost_sdk::inventory::submit! { simhost_registry::LinkedImporter(&IMPORTER) }
