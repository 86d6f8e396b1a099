//! Output folders: the record of a run from which it can be repeated.
//!
//! A folder holds `manifest.json`, `world.flat.xml` and `inputs.jsonl`. Together they contain everything
//! that affects the results: the world and its files, the models, the options, and all inputs in order.

mod error;
mod folder;
mod host;
mod input_file;
mod manifest;
mod models;
mod out;
mod recorded;
mod recorder;

pub use error::OutputError;
pub use folder::Folder;
pub use host::Host;
pub use input_file::InputFile;
pub use manifest::{Choices, End, Manifest, NamedFile, PluginFile, Resumed, VehicleEntry};
pub use models::ModelEntry;
pub use models::foreign_models;
pub use out::{Out, TableOptions};
pub(crate) use recorded::snapshot;
pub use recorded::{ManifestDifference, Recorded};
pub use recorder::{Recipe, RunRecord, plugin_files};
