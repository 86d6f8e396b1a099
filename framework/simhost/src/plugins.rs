//! Collection of the models that a session can use.

use std::collections::BTreeSet;
use std::path::PathBuf;

use simhost_registry::{Catalogue, FolderError, FolderSource, Options, PluginFolder};

/// Collects the models of plugin folders and the built-in ones. Files are loaded without a trial in
/// another process: a host that wants one passes a catalogue.
pub fn collect(folders: &[PathBuf]) -> Result<Catalogue, FolderError> {
    let folder =
        |path: &PathBuf| PluginFolder { path: path.clone(), source: FolderSource::PluginDir };
    let folders = folders.iter().map(folder).collect();
    Catalogue::collect(Options {
        without: BTreeSet::new(),
        folders,
        substitutes: None,
        trial: None,
    })
}
