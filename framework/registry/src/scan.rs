//! Scanning of plugin folders.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use simhost_abi::Plugin;
use simhost_model::View;

use crate::folders::{FolderError, FolderSource, PluginFolder};
use crate::format;
use crate::library::open;
use crate::memory::{Memory, Noticed, Stamp};
use crate::modules::is_plugin_name;
use crate::quiet::Quiet;
use crate::refusal::{FileState, Refusal};
use crate::surroundings::Surroundings;
use crate::trial::{Trial, Verdict};

/// A file in a plugin folder, or a linked-in family, and its state.
#[derive(Clone)]
pub struct Library {
    /// Path of the file as found; `None` for linked-in models.
    pub file: Option<PathBuf>,
    /// Origin of its folder.
    pub source: FolderSource,
    /// Descriptor of the plugin, if it could be read.
    pub plugin: Option<&'static View<Plugin>>,
    /// Reason why the library is not used.
    pub refusal: Option<Refusal>,
    /// Remarks about a library that is used.
    pub remarks: Vec<String>,
    /// Index of its folder in search order.
    pub(crate) folder: usize,
}

impl Library {
    /// State, as in [`FileState::name`](crate::FileState::name).
    pub fn state(&self) -> FileState {
        self.refusal.as_ref().map_or(FileState::Loaded, Refusal::state)
    }

    /// Returns the path of the file, or `built in`.
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => file.display().to_string(),
            None => "built in".to_owned(),
        }
    }
}

/// Replacement of a file in a plugin folder.
#[derive(Clone)]
pub enum Substitute {
    /// A copy of the file is read.
    Copy(PathBuf),
    /// Nothing is read: the file has not changed since it was loaded.
    Loaded(Box<Library>),
}

/// Substitutes of the files in plugin folders, by their paths as found. Files without a substitute are
/// left out.
pub type Substitutes = BTreeMap<PathBuf, Substitute>;

/// A library under examination.
struct Candidate {
    library: Library,
    /// Canonical path.
    real: PathBuf,
    /// Path of the file that is opened: the canonical path, or the path of a copy.
    opened: PathBuf,
    stamp: Option<Stamp>,
    /// Whether the file has not been tried before.
    unknown: bool,
    /// Whether it was loaded earlier.
    is_loaded: bool,
    /// Symbols of an unknown file that the loader would merge with symbols of other libraries.
    merged: Vec<String>,
}

/// Finds the files of all folders and opens the valid ones, in order. Symbolic links are followed;
/// subfolders are not searched.
pub(crate) fn scan(
    folders: &[PluginFolder],
    substitutes: Option<&Substitutes>,
    trial: Option<&Trial>,
) -> Result<Vec<Library>, FolderError> {
    let mut candidates = Vec::new();
    for (place, folder) in folders.iter().enumerate() {
        for file in folder.files()? {
            let substitute = match substitutes.map(|all| all.get(&file)) {
                // the file is newer than the copies
                Some(None) => continue,
                other => other.flatten(),
            };
            let mut candidate = candidate(file, folder.source, place, &candidates);
            candidate.substitute(substitute);
            candidates.push(candidate);
        }
    }
    Ok(examine(candidates, trial))
}

/// Tries and opens one file.
pub(crate) fn single(file: &Path, trial: Option<&Trial>) -> Library {
    let candidate = candidate(file.to_path_buf(), FolderSource::PluginDir, 0, &[]);
    examine(vec![candidate], trial).remove(0)
}

fn examine(mut candidates: Vec<Candidate>, trial: Option<&Trial>) -> Vec<Library> {
    match trial {
        Some(trial) => consult(&mut candidates, trial),
        None => {
            for candidate in candidates.iter_mut().filter(|candidate| !candidate.is_loaded) {
                candidate.look();
                let merged = std::mem::take(&mut candidate.merged);
                let noticed = Noticed { merged, ..Noticed::default() };
                candidate.library.remarks.extend(noticed.remarks());
            }
        }
    }
    // a file whose trial was stopped must not be loaded
    if trial.is_some_and(Trial::is_stopped) {
        return candidates.into_iter().map(|found| found.library).collect();
    }
    let quiet = Quiet::begin();
    let surroundings = Surroundings::save();
    let cache = trial.and_then(|trial| trial.memory.as_deref()?.parent());
    let cache = cache.map(|folder| folder.join("libraries"));
    for Candidate { library, real, opened: path, stamp, is_loaded, .. } in &mut candidates {
        if library.refusal.is_none() && !*is_loaded {
            let name = library.place();
            // a substitute is a copy already
            let copy = stamp.as_ref().filter(|_| path == real).zip(cache.as_deref());
            let copy = copy.and_then(|(stamp, cache)| copy_of(path, stamp, cache));
            let (opened, changes) = match copy {
                None => open(path, &name, &surroundings),
                Some(copy) => match open(&copy, &name, &surroundings) {
                    // it depends on its place, or nothing can be loaded from the cache
                    (Err(Refusal::Loader(_)), _) => open(path, &name, &surroundings),
                    outcome => outcome,
                },
            };
            library.remarks.extend(changes);
            match opened {
                Ok(plugin) => library.plugin = Some(plugin),
                Err(refusal) => library.refusal = Some(refusal),
            }
        }
    }
    drop(quiet);
    candidates.into_iter().map(|found| found.library).collect()
}

/// Examines the name and the path of a file.
fn candidate(
    file: PathBuf,
    source: FolderSource,
    folder: usize,
    before: &[Candidate],
) -> Candidate {
    let mut real = PathBuf::new();
    let refusal = if !is_plugin_name(&file) {
        Some(Refusal::NotALibraryName)
    } else {
        match file.canonicalize() {
            Err(error) => Some(Refusal::Unreadable(format::unreadable(&file, &error))),
            Ok(path) => {
                let same = |known: &&Candidate| known.real == path;
                let first = before.iter().find(same).map(|known| known.library.place());
                real = path;
                let kind = real.metadata().ok().and_then(|metadata| format::irregular(&metadata));
                let kind = kind.map(|kind| Refusal::NotAFile(kind.into()));
                first.map(Refusal::SameFile).or(kind)
            }
        }
    };
    let stamp = Stamp::of(&real).ok();
    let remarks = Vec::new();
    let library = Library { file: Some(file), source, plugin: None, refusal, remarks, folder };
    let opened = real.clone();
    Candidate { library, real, opened, stamp, unknown: false, is_loaded: false, merged: Vec::new() }
}

impl Candidate {
    /// Replaces the file by its substitute.
    fn substitute(&mut self, substitute: Option<&Substitute>) {
        if self.library.refusal.is_some() {
            return;
        }
        match substitute {
            None => {}
            Some(Substitute::Copy(copy)) => {
                self.opened.clone_from(copy);
                self.stamp = Stamp::of(copy).ok();
            }
            Some(Substitute::Loaded(known)) => {
                self.library.plugin = known.plugin;
                self.library.remarks.clone_from(&known.remarks);
                // a library with a descriptor was at most set aside for another one
                let refusal = known.refusal.clone();
                self.library.refusal = refusal.filter(|_| known.plugin.is_none());
                self.is_loaded = true;
            }
        }
    }

    /// Inspects the bytes of an unknown file.
    fn look(&mut self) {
        if self.library.refusal.is_none() {
            match format::check(&self.opened) {
                Ok(merged) => self.merged = merged,
                Err(refusal) => self.library.refusal = Some(refusal),
            }
            self.unknown = self.library.refusal.is_none();
        }
    }

    fn judge(&mut self, verdict: Verdict) {
        self.library.refusal = verdict.refusal;
        self.library.remarks = verdict.noticed.remarks();
    }
}

/// Looks up known files, and tries the others.
fn consult(candidates: &mut [Candidate], trial: &Trial) {
    // a program without plugin files does not read about those of others
    if candidates.is_empty() {
        return;
    }
    let mut memory = Memory::read(trial.memory.clone());
    for candidate in &mut *candidates {
        if candidate.library.refusal.is_some() || candidate.is_loaded {
            continue;
        }
        if trial.rescan {
            memory.forget(&candidate.opened);
        }
        let stamp = candidate.stamp.as_ref();
        match stamp.and_then(|stamp| memory.of(&candidate.opened, stamp)).cloned() {
            None => candidate.look(),
            Some(record) => candidate.judge(match record.crash {
                Some(crash) => Verdict::crashed(crash, record.noticed),
                None => Verdict { refusal: None, crash: None, noticed: record.noticed },
            }),
        }
    }
    let mut unknown: Vec<_> = candidates.iter_mut().filter(|file| file.unknown).collect();
    let paths: Vec<PathBuf> = unknown.iter().map(|file| file.opened.clone()).collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    match trial.of(&paths) {
        Ok(verdicts) => {
            for (candidate, mut verdict) in unknown.iter_mut().zip(verdicts) {
                verdict.noticed.merged = std::mem::take(&mut candidate.merged);
                remember(&mut memory, candidate, &verdict);
                candidate.judge(verdict);
            }
        }
        Err(error) => {
            for candidate in unknown {
                candidate.library.remarks.push(format!(
                    "it was not tested in a separate process: {error} ({})",
                    trial.program.display()
                ));
            }
        }
    }
    memory.save();
}

/// Records files that load and files that crash. A refusal is not recorded, because it can depend
/// on other files, such as a missing library.
fn remember(memory: &mut Memory, candidate: &Candidate, verdict: &Verdict) {
    let refused = verdict.refusal.is_some() && verdict.crash.is_none();
    if let Some(stamp) = candidate.stamp.clone().filter(|_| !refused) {
        memory.keep(&candidate.opened, stamp, verdict.crash.clone(), verdict.noticed.clone());
    }
}

/// Most files in the folder of a library. A library in a larger folder is loaded from where it is.
const MOST: usize = 1024;

/// Returns the copy of a version of a library in a folder of the cache, which is made if it is missing. `None`
/// if there cannot be one.
///
/// A file that is mapped must not be overwritten: its code would change under a running process.
/// Each version of a library is copied to a separate folder, under its own name, and the copy is
/// loaded. The folder has links to everything that is in the folder of the library, so that the
/// system loader finds libraries by `$ORIGIN`, debuggers find separate symbols, and models find
/// their data.
fn copy_of(library: &Path, stamp: &Stamp, cache: &Path) -> Option<PathBuf> {
    let (own, beside) = (library.file_name()?, neighbours(library)?);
    let start = format!("{:016x}-", number_of(library));
    let folder = cache.join(format!("{start}{:016x}", number_of(stamp)));
    let copy = folder.join(own);
    if copy.metadata().is_ok_and(|about| about.len() == stamp.size()) {
        link(&beside, library, &folder);
        return Some(copy);
    }
    std::fs::create_dir_all(cache).ok()?;
    let fresh = tempfile::tempdir_in(cache).ok()?;
    std::fs::copy(library, fresh.path().join(own)).ok()?;
    link(&beside, library, fresh.path());
    // it was overwritten meanwhile
    if Stamp::of(library).ok().as_ref() != Some(stamp) {
        return None;
    }
    remove(cache, &start);
    // another process can have made it
    if std::fs::rename(fresh.path(), &folder).is_ok() {
        let _ = fresh.keep();
    }
    copy.is_file().then_some(copy)
}

/// Returns a number that identifies a version or a path.
fn number_of(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Returns the names of the other files in the folder of a library, unless there are too many.
fn neighbours(library: &Path) -> Option<BTreeSet<OsString>> {
    let entries = std::fs::read_dir(library.parent()?).ok()?;
    let names = entries.take(MOST + 1).map(|entry| Some(entry.ok()?.file_name()));
    let mut names: BTreeSet<OsString> = names.collect::<Option<_>>()?;
    names.remove(library.file_name()?);
    (names.len() < MOST).then_some(names)
}

/// Links files of the folder of a library into another folder, where they are missing.
fn link(names: &BTreeSet<OsString>, library: &Path, folder: &Path) {
    let Some(home) = library.parent() else { return };
    #[cfg(unix)]
    for name in names {
        // one that exists is the link of an earlier process
        let _ = std::os::unix::fs::symlink(home.join(name), folder.join(name));
    }
    #[cfg(not(unix))]
    let _ = (names, home, folder);
}

/// Removes the copies of older versions. Processes that have loaded one keep it.
fn remove(cache: &Path, start: &str) {
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(start) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
