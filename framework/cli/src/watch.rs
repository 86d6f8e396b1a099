//! `--watch`: reloads plugins that are rebuilt during a run.
//!
//! A mapped library must not be overwritten, and the system loader returns the same library for the
//! same file. Therefore each version of a file is copied, the copy is loaded, and its file is removed
//! at once, so that nothing is left even if a model ends the process. Libraries are never unloaded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use simhost_registry::{Catalogue, Library, PluginFolder, Substitute, Substitutes};

use crate::arguments::Models;
use crate::catalogue;
use crate::exit::{Code, Failure};

/// Wall time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(200);

/// Size and modification time of a file.
type Stamp = (u64, SystemTime);

/// The plugins that a run uses, and the state of their files.
pub struct Watch {
    models: Models,
    folders: Vec<PluginFolder>,
    /// Stamp of the version of each file that was read last.
    read: BTreeMap<PathBuf, Stamp>,
    /// Libraries from these versions.
    libraries: BTreeMap<PathBuf, Library>,
    /// Stamps at the last look.
    seen: BTreeMap<PathBuf, Stamp>,
    looked: Instant,
}

impl Watch {
    /// Starts watching the plugin folders.
    pub fn start(models: &Models) -> Self {
        Self {
            models: models.clone(),
            folders: catalogue::folders(models),
            read: BTreeMap::new(),
            libraries: BTreeMap::new(),
            seen: BTreeMap::new(),
            looked: Instant::now(),
        }
    }

    /// Collects the catalogue from the current content of the folders.
    ///
    /// # Errors
    /// Fails if a file cannot be copied or a folder cannot be read.
    pub fn collect(&mut self) -> Result<Catalogue, Failure> {
        let copies = tempfile::tempdir().map_err(|error| {
            let text = format!("cannot create a folder for copies of plugins: {error}");
            Failure::new(Code::Output, text)
        })?;
        let mut substitutes = Substitutes::new();
        for (file, stamp) in self.files() {
            let known = self.libraries.get(&file).filter(|_| self.read.get(&file) == Some(&stamp));
            let substitute = match known {
                Some(library) => Substitute::Loaded(Box::new(library.clone())),
                None => {
                    // a folder for each file, so that copies keep their names
                    let folder = copies.path().join(substitutes.len().to_string());
                    let copy = folder.join(file.file_name().unwrap_or_default());
                    let copied = std::fs::create_dir(&folder)
                        .and_then(|()| std::fs::copy(&file, &copy).map(|_| ()));
                    copied.map_err(|error| {
                        let text = format!("cannot copy {}: {error}", file.display());
                        Failure::new(Code::Output, text)
                    })?;
                    Substitute::Copy(copy)
                }
            };
            substitutes.insert(file.clone(), substitute);
            self.seen.insert(file.clone(), stamp);
            self.read.insert(file, stamp);
        }
        let catalogue = catalogue::collect_with(&self.models, substitutes)?;
        let found = catalogue.libraries().iter();
        self.libraries =
            found.filter_map(|library| Some((library.file.clone()?, library.clone()))).collect();
        Ok(catalogue)
    }

    /// Returns the libraries in the folders with their stamps.
    fn files(&self) -> BTreeMap<PathBuf, Stamp> {
        self.folders.iter().filter_map(|folder| libraries(&folder.path).ok()).flatten().collect()
    }

    /// Returns the files that differ from the loaded version and have not changed since the last look.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        if self.looked.elapsed() < PERIOD {
            return Vec::new();
        }
        self.looked = Instant::now();
        let now = self.files();
        let is_new = |file: &Path, stamp: &Stamp| self.read.get(file) != Some(stamp);
        // a file that is still being written is left for the next look
        let settled = |file: &Path, stamp: &Stamp| self.seen.get(file) == Some(stamp);
        let changed: Vec<PathBuf> = now
            .iter()
            .filter(|(f, s)| is_new(f, s) && settled(f, s))
            .map(|(f, _)| f.clone())
            .collect();
        self.seen = now;
        changed
    }
}

/// Returns the libraries in a folder with their stamps.
fn libraries(folder: &Path) -> std::io::Result<Vec<(PathBuf, Stamp)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_library = path.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX);
        if let (true, Ok(about)) = (is_library, std::fs::metadata(&path))
            && about.is_file()
        {
            files.push((path, (about.len(), about.modified()?)));
        }
    }
    files.sort();
    Ok(files)
}
