//! `--watch`: reloads plugins that are rebuilt, and the world file, during a run.
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
use crate::process::{Code, Failure};

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
    /// The world and the files that it includes, with the stamps of the versions that were read last.
    worlds: BTreeMap<PathBuf, Option<Stamp>>,
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
            worlds: BTreeMap::new(),
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

    /// Watches the files of a world, which are about to be read, besides those that are watched already.
    pub fn add_worlds<'a>(&mut self, files: impl Iterator<Item = &'a Path>) {
        for file in files {
            self.worlds.entry(file.to_owned()).or_insert_with(|| stamp_of(file));
        }
    }

    /// Returns the files of the world that differ from the versions that were read last, which is this one from
    /// now on.
    fn changed_worlds(&mut self, seen: &BTreeMap<PathBuf, Stamp>) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for (file, read) in &mut self.worlds {
            let now = stamp_of(file);
            // a file that is being replaced, or still being written, is left for the next look
            if now.is_some() && now != *read && seen.get(file).copied() == now {
                *read = now;
                changed.push(file.clone());
            }
        }
        changed
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
        let seen = std::mem::take(&mut self.seen);
        let worlds = self.changed_worlds(&seen);
        self.seen = seen;
        let now = self.files();
        let is_new = |file: &Path, stamp: &Stamp| self.read.get(file) != Some(stamp);
        // a file that is still being written is left for the next look
        let settled = |file: &Path, stamp: &Stamp| self.seen.get(file) == Some(stamp);
        let mut changed: Vec<PathBuf> = now
            .iter()
            .filter(|(f, s)| is_new(f, s) && settled(f, s))
            .map(|(f, _)| f.clone())
            .collect();
        self.seen = now;
        let of_worlds = self.worlds.keys().filter_map(|file| Some((file.clone(), stamp_of(file)?)));
        self.seen.extend(of_worlds);
        changed.extend(worlds);
        changed
    }
}

/// Returns the size and the modification time of a file; `None` if it is missing.
fn stamp_of(file: &Path) -> Option<Stamp> {
    let about = std::fs::metadata(file).ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// Returns the libraries in a folder with their stamps.
fn libraries(folder: &Path) -> std::io::Result<Vec<(PathBuf, Stamp)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let (true, Ok(about)) =
            (simhost_registry::is_plugin_name(&path), std::fs::metadata(&path))
            && about.is_file()
        {
            files.push((path, (about.len(), about.modified()?)));
        }
    }
    files.sort();
    Ok(files)
}
