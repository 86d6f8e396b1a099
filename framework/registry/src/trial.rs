//! Loads libraries that nobody knows in a process of their own first.
//!
//! Loading runs the constructors of a library, and reading its descriptor follows its pointers: either
//! may end the process or hang. All unknown files are tried in one child; when that dies, each in
//! one of its own.

mod child;
mod process;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use child::try_files;
#[cfg(unix)]
pub use process::signal_name;

use crate::memory::Noticed;
use crate::refusal::{Crash, Refusal};
use process::{End, Process};

/// How files are tried.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The program that calls [`try_files`] with the files behind `arguments`.
    pub program: PathBuf,
    /// What stands before the files.
    pub arguments: Vec<OsString>,
    /// Time that one file may take.
    pub limit: Duration,
    /// Where results are remembered.
    pub memory: Option<PathBuf>,
    /// Tries known files again.
    pub rescan: bool,
}

/// How the trial of a file ended.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// Why it is not used, as its process told or as it died.
    pub refusal: Option<Refusal>,
    /// How it died.
    pub crash: Option<Crash>,
    pub noticed: Noticed,
}

impl Verdict {
    /// The verdict on a file that ended its process.
    pub(crate) fn crashed(crash: Crash, noticed: Noticed) -> Self {
        let last_words = noticed.printed.lines().rfind(|line| !line.trim().is_empty());
        let last_words = last_words.unwrap_or_default().trim().chars().take(200).collect();
        let refusal = Refusal::Quarantined { crash: crash.clone(), last_words };
        Self { refusal: Some(refusal), crash: Some(crash), noticed }
    }
}

impl Trial {
    /// Tries files; a verdict for each, in their order.
    ///
    /// # Errors
    /// No process can be started.
    pub(crate) fn of(&self, files: &[&Path]) -> std::io::Result<Vec<Verdict>> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let process = Process::run(self, files)?;
        if process.end == End::Well && process.finished.len() == files.len() {
            return Ok(process.finished);
        }
        if let [_] = files {
            return Ok(vec![blamed(process, self.limit)]);
        }
        let hung = (process.end == End::Silent).then_some(process.finished.len());
        let each = files.iter().enumerate().map(|(place, file)| {
            if hung == Some(place) {
                let noticed = process.unfinished.clone();
                return Ok(Verdict::crashed(Crash::Silent(self.limit.as_secs()), noticed));
            }
            Ok(blamed(Process::run(self, &[file])?, self.limit))
        });
        each.collect()
    }
}

/// The verdict on the only file of a process.
fn blamed(mut process: Process, limit: Duration) -> Verdict {
    let finished = process.finished.pop();
    let crash = match process.end {
        End::Silent => Crash::Silent(limit.as_secs()),
        End::Signal(name) => Crash::Signal(name),
        End::Code(code) => Crash::Exit(code),
        // it ended the process with code 0 before the process was done
        End::Well => match finished {
            Some(verdict) => return verdict,
            None => Crash::Exit(0),
        },
    };
    let noticed = finished.map_or(process.unfinished, |verdict| verdict.noticed);
    Verdict::crashed(crash, noticed)
}
