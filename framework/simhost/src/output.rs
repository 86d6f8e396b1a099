//! Output folders: the record of a run from which it can be repeated.
//!
//! A folder holds `manifest.json`, `world.flat.xml` and `inputs.jsonl`. Together they contain everything
//! that affects the results: the world and its files, the models, the options, and all inputs in order.

mod error;
mod folder;
mod input_file;
mod manifest;
mod models;
mod out;
mod recorded;
mod recorder;

pub use error::OutputError;
pub use folder::Folder;
pub use input_file::InputFile;
pub use manifest::{Choices, End, Manifest, NamedFile, PluginFile, Resumed, VehicleEntry};
pub use models::ModelEntry;
pub use models::{foreign_models, sources as model_sources};
pub use out::{Out, TableOptions};
pub(crate) use recorded::snapshot;
pub use recorded::{ManifestDifference, Recorded};
pub use recorder::{Recipe, RunRecord, plugin_files};

use std::io::Read;

use serde::{Deserialize, Serialize};

/// Machine on which a run was made, and places of its files there. Results do not depend on it if
/// plugins compute the same everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Operating system, such as `linux`.
    pub os: String,
    /// Architecture, such as `x86_64`.
    pub arch: String,
    /// Name of the processor, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Folders that were searched for plugins, in order.
    #[serde(default)]
    pub plugin_folders: Vec<String>,
}

impl Host {
    /// Returns the machine of this process.
    pub fn of_process(plugin_folders: Vec<String>) -> Self {
        Self {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu: cpu(),
            plugin_folders,
        }
    }

    /// Returns the name of the system and the processor.
    pub fn machine(&self) -> String {
        let Self { os, arch, cpu, .. } = self;
        cpu.as_ref().map_or_else(|| format!("{os} {arch}"), |cpu| format!("{os} {arch}, {cpu}"))
    }
}

/// Returns the name of the processor on Linux.
fn cpu() -> Option<String> {
    // the first of as many sections as there are cores
    const FIRST_SECTION: u64 = 1024;
    let file = std::fs::File::open("/proc/cpuinfo").ok()?;
    let mut text = Vec::new();
    file.take(FIRST_SECTION).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
