//! `--watch`: reloads plugins that are rebuilt during a run.
//!
//! A mapped library must not be overwritten, and the system loader returns the same library for the
//! same file. Therefore each version of a file is copied and the copy is loaded. Copies are never
//! unloaded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use simhost_registry::{Catalogue, Folder};

use crate::arguments::Models;
use crate::catalogue;
use crate::exit::{Code, Failure};

/// Wall time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(200);

/// Size and modification time of a file.
type Stamp = (u64, SystemTime);

/// Copies of the plugins that a run uses, and the state of the originals.
pub struct Watch {
    models: Models,
    originals: Vec<Folder>,
    copies: tempfile::TempDir,
    /// Stamp of the version of each file that is loaded, and its copy.
    loaded: BTreeMap<PathBuf, (Stamp, PathBuf)>,
    /// Stamps at the last look.
    seen: BTreeMap<PathBuf, Stamp>,
    rounds: u32,
    looked: Instant,
}

impl Watch {
    /// Starts watching the plugin folders.
    ///
    /// # Errors
    /// Fails if no folder for the copies can be created.
    pub fn start(models: &Models) -> Result<Self, Failure> {
        let copies = tempfile::tempdir().map_err(|error| {
            Failure::new(
                Code::Output,
                format!("cannot create a folder for copies of plugins: {error}"),
            )
        })?;
        Ok(Self {
            models: models.clone(),
            originals: catalogue::folders(models),
            copies,
            loaded: BTreeMap::new(),
            seen: BTreeMap::new(),
            rounds: 0,
            looked: Instant::now(),
        })
    }

    /// Collects the catalogue from the current content of the folders.
    ///
    /// # Errors
    /// Fails if a file cannot be copied or a folder cannot be read.
    pub fn collect(&mut self) -> Result<Catalogue, Failure> {
        self.rounds += 1;
        let failed = |path: &Path, error: std::io::Error| {
            Failure::new(Code::Output, format!("cannot copy {}: {error}", path.display()))
        };
        let mut folders = Vec::new();
        for (number, original) in self.originals.clone().into_iter().enumerate() {
            let Ok(files) = libraries(&original.path) else {
                folders.push(original);
                continue;
            };
            let folder = self.copies.path().join(format!("{}-{number}", self.rounds));
            std::fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
            for (file, stamp) in files {
                let name = file.file_name().unwrap_or_default();
                let place = folder.join(name);
                match self.loaded.get(&file) {
                    Some((known, copy)) if *known == stamp => {
                        link(copy, &place).map_err(|error| failed(copy, error))?;
                    }
                    _ => {
                        std::fs::copy(&file, &place).map_err(|error| failed(&file, error))?;
                        self.loaded.insert(file.clone(), (stamp, place));
                    }
                }
                self.seen.insert(file, stamp);
            }
            folders.push(Folder { path: folder, source: original.source });
        }
        catalogue::collect_from(&self.models, folders)
    }

    /// Returns the files that differ from the loaded version and have not changed since the last look.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        if self.looked.elapsed() < PERIOD {
            return Vec::new();
        }
        self.looked = Instant::now();
        let all = self.originals.iter().filter_map(|folder| libraries(&folder.path).ok());
        let now: BTreeMap<PathBuf, Stamp> = all.flatten().collect();
        let is_new = |file: &Path, stamp: &Stamp| {
            self.loaded.get(file).is_none_or(|(loaded, _)| loaded != stamp)
        };
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
        if let (true, Ok(about)) = (is_library, std::fs::metadata(&path)) {
            files.push((path, (about.len(), about.modified()?)));
        }
    }
    files.sort();
    Ok(files)
}

/// Makes a file available under another name.
fn link(file: &Path, name: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(file, name);
    #[cfg(not(unix))]
    return std::fs::copy(file, name).map(|_| ());
}
