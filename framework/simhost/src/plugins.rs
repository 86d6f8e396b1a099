//! Collection of the models that a session can use.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;

use simhost_registry::{Catalogue, FolderError, FolderSource, Options, PluginFolder};

/// Collects the models of plugin folders and the built-in ones. Files are loaded without a trial in
/// another process: a host that wants one passes a catalogue.
pub fn collect(folders: &[PathBuf]) -> Result<Catalogue, FolderError> {
    // what is linked in does not change
    static BUILT_IN: OnceLock<Catalogue> = OnceLock::new();
    if let (true, Some(known)) = (folders.is_empty(), BUILT_IN.get()) {
        return Ok(known.clone());
    }
    let folder =
        |path: &PathBuf| PluginFolder { path: path.clone(), source: FolderSource::PluginDir };
    let folders: Vec<PluginFolder> = folders.iter().map(folder).collect();
    let is_built_in = folders.is_empty();
    let options = Options { without: BTreeSet::new(), folders, substitutes: None, trial: None };
    let catalogue = Catalogue::collect(options)?;
    match is_built_in {
        true => Ok(BUILT_IN.get_or_init(|| catalogue).clone()),
        false => Ok(catalogue),
    }
}
