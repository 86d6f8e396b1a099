//! The request to record a session.

use std::path::{Path, PathBuf};

use super::manifest::Resumed;

/// Folder for the record of a session, and facts for its manifest that only the program knows.
#[derive(Clone, Debug)]
pub struct Out {
    /// Path as it was given, for messages and lists of files.
    pub(super) shown: PathBuf,
    /// The same folder for any working folder: a plugin can change it.
    pub(super) path: PathBuf,
    /// Whether to write to a folder with files that no run has written.
    pub force: bool,
    /// File in the folder that is not removed with the earlier run: the snapshot that this run resumes.
    pub kept: Option<PathBuf>,
    /// Kinds whose built-in models are disabled.
    pub builtin_off: Vec<String>,
    /// Whether plugins are reloaded when they are rebuilt, so that the run cannot be repeated.
    pub watch: bool,
    /// Tables that are written to the folder; `None` for none.
    pub tables: Option<TableOptions>,
    /// Options that decide which further files are written, for the manifest.
    pub output: serde_json::Map<String, serde_json::Value>,
    /// File of commands.
    pub commands: Option<PathBuf>,
    /// Snapshot from which the run is resumed.
    pub resumed: Option<Resumed>,
}

impl Out {
    /// Records in a folder, which starts at the present working folder if its path is relative.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        let shown = folder.as_ref().to_owned();
        Self {
            path: std::path::absolute(&shown).unwrap_or_else(|_| shown.clone()),
            shown,
            force: false,
            kept: None,
            builtin_off: Vec::new(),
            watch: false,
            tables: Some(TableOptions::default()),
            output: serde_json::Map::new(),
            commands: None,
            resumed: None,
        }
    }

    /// Returns the absolute path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Tables that a session writes to its output folder.
///
/// Rows are written at the start and after each step. `trajectory.csv`, `odometry.csv` and
/// `wheels.csv` are always written, each sensor has a separate file or folder, and `energy.csv` is
/// written if energy books are kept, see
/// [`Edits::keep_energy_books`](crate::Edits::keep_energy_books).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOptions {
    /// Simulated time between rows, s; by default, each step has one. Readings always have a row per sample.
    pub period: Option<f64>,
    /// Simulated time between the rows of `hash.csv`, s; by default, there is no such file.
    pub hash_period: Option<f64>,
    /// Patterns of the quantities in `quantities.csv`, in addition to those that the world selects with
    /// `<record>`. Without any pattern, there is no such file.
    pub record: Vec<String>,
}
