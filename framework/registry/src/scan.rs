//! Looks through folders of plugins.

use std::path::{Path, PathBuf};

use simhost_abi::Plugin;
use simhost_model::View;

use crate::folders::{Folder, ScanError, Source};
use crate::format;
use crate::library::open;
use crate::memory::{Memory, Noticed, Stamp};
use crate::quiet::Quiet;
use crate::refusal::{Refusal, State};
use crate::trial::{Trial, Verdict};

/// A file in a folder of plugins, or a family that is linked in, and what became of it.
#[derive(Clone)]
pub struct Library {
    /// The file as it was found; none of what is linked in.
    pub file: Option<PathBuf>,
    /// Who named its folder.
    pub source: Source,
    /// Its descriptor, where that could be read.
    pub plugin: Option<&'static View<Plugin>>,
    /// Why it is not used, if it is not.
    pub refusal: Option<Refusal>,
    /// What is odd about it, though it is used.
    pub remarks: Vec<String>,
    /// Place of its folder in the search.
    pub(crate) folder: usize,
}

impl Library {
    /// What became of it.
    pub fn state(&self) -> State {
        self.refusal.as_ref().map_or(State::Loaded, Refusal::state)
    }

    /// The file, or `built in`.
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => file.display().to_string(),
            None => "built in".to_owned(),
        }
    }
}

/// A library with its real path while it is looked at.
struct Candidate {
    library: Library,
    real: PathBuf,
    stamp: Option<Stamp>,
    /// It was not tried before.
    unknown: bool,
}

/// Finds the files of all folders and opens those that are sound, in order. Symbolic links are
/// followed, folders within are not entered.
pub(crate) fn scan(folders: &[Folder], trial: Option<&Trial>) -> Result<Vec<Library>, ScanError> {
    let mut candidates = Vec::new();
    for (place, folder) in folders.iter().enumerate() {
        for file in folder.files()? {
            let candidate = candidate(file, folder.source, place, &candidates);
            candidates.push(candidate);
        }
    }
    Ok(examine(candidates, trial))
}

/// Opens one file, tried first as all are.
pub(crate) fn single(file: &Path, trial: Option<&Trial>) -> Library {
    let candidate = candidate(file.to_path_buf(), Source::PluginDir, 0, &[]);
    examine(vec![candidate], trial).remove(0)
}

fn examine(mut candidates: Vec<Candidate>, trial: Option<&Trial>) -> Vec<Library> {
    match trial {
        Some(trial) => consult(&mut candidates, trial),
        None => candidates.iter_mut().for_each(Candidate::look),
    }
    let quiet = Quiet::begin();
    for Candidate { library, real, .. } in &mut candidates {
        if library.refusal.is_none() {
            match open(real) {
                Ok(plugin) => library.plugin = Some(plugin),
                Err(refusal) => library.refusal = Some(refusal),
            }
        }
    }
    drop(quiet);
    candidates.into_iter().map(|found| found.library).collect()
}

/// A file as its name and its path tell.
fn candidate(file: PathBuf, source: Source, folder: usize, before: &[Candidate]) -> Candidate {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut real = PathBuf::new();
    let refusal = if !name.ends_with(std::env::consts::DLL_SUFFIX) {
        Some(Refusal::NotALibraryName)
    } else {
        match file.canonicalize() {
            Err(error) => Some(Refusal::Unreadable(unreadable(&file, &error))),
            Ok(path) => {
                let same = |known: &&Candidate| known.real == path;
                let first = before.iter().find(same).map(|known| known.library.place());
                real = path;
                first.map(Refusal::SameFile)
            }
        }
    };
    let stamp = Stamp::of(&real).ok();
    let remarks = Vec::new();
    let library = Library { file: Some(file), source, plugin: None, refusal, remarks, folder };
    Candidate { library, real, stamp, unknown: false }
}

fn unreadable(file: &Path, error: &std::io::Error) -> String {
    match file.read_link() {
        Ok(target) => {
            format!("it is a symbolic link to {}, which leads nowhere: {error}", target.display())
        }
        Err(_) => error.to_string(),
    }
}

impl Candidate {
    /// Looks at the bytes of a file that nobody knows.
    fn look(&mut self) {
        if self.library.refusal.is_none() {
            self.library.refusal = format::check(&self.real).err();
            self.unknown = self.library.refusal.is_none();
        }
    }

    fn judge(&mut self, verdict: Verdict) {
        self.library.refusal = verdict.refusal;
        self.library.remarks = remarks(&verdict.noticed);
    }
}

/// Takes what is known of files, and tries the others.
fn consult(candidates: &mut [Candidate], trial: &Trial) {
    let mut memory = Memory::read(trial.memory.clone());
    for candidate in &mut *candidates {
        if candidate.library.refusal.is_some() {
            continue;
        }
        if trial.rescan {
            memory.forget(&candidate.real);
        }
        let stamp = candidate.stamp.as_ref();
        match stamp.and_then(|stamp| memory.of(&candidate.real, stamp)).cloned() {
            None => candidate.look(),
            Some(record) => candidate.judge(match record.crash {
                Some(crash) => Verdict::crashed(crash, record.noticed),
                None => Verdict { refusal: None, crash: None, noticed: record.noticed },
            }),
        }
    }
    let mut unknown: Vec<_> = candidates.iter_mut().filter(|file| file.unknown).collect();
    let paths: Vec<PathBuf> = unknown.iter().map(|file| file.real.clone()).collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    match trial.of(&paths) {
        Ok(verdicts) => {
            for (candidate, verdict) in unknown.iter_mut().zip(verdicts) {
                remember(&mut memory, candidate, &verdict);
                candidate.judge(verdict);
            }
        }
        Err(error) => {
            for candidate in unknown {
                candidate.library.remarks.push(format!(
                    "it was not tried in a process of its own: {error} ({})",
                    trial.program.display()
                ));
            }
        }
    }
    memory.save();
}

/// Files that can be loaded, and files that crash. One that is refused may depend on what is not in
/// the file, such as another library, and is tried again.
fn remember(memory: &mut Memory, candidate: &Candidate, verdict: &Verdict) {
    let refused = verdict.refusal.is_some() && verdict.crash.is_none();
    if let Some(stamp) = candidate.stamp.clone().filter(|_| !refused) {
        memory.keep(&candidate.real, stamp, verdict.crash.clone(), verdict.noticed.clone());
    }
}

fn remarks(noticed: &Noticed) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(line) = noticed.printed.lines().next() {
        let line: String = line.chars().take(200).collect();
        let more = match noticed.printed.lines().count() {
            1 => String::new(),
            count => format!(", {count} lines in all"),
        };
        remarks.push(format!("it prints while it is loaded: `{line}`{more}"));
    }
    match noticed.threads {
        0 => {}
        1 => remarks.push("it starts a thread while it is loaded".to_owned()),
        many => remarks.push(format!("it starts {many} threads while it is loaded")),
    }
    remarks
}
