//! Trial of unknown libraries in a child process.
//!
//! Loading runs the constructors of a library, and reading its descriptor follows its pointers.
//! Either can crash or hang the process. All unknown files are tried in one child process; if that
//! ends early, each remaining file is tried in its own.

mod child;
mod process;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use child::try_files;
#[cfg(unix)]
pub use process::signal_name;
pub use process::{kill, wait};

use crate::memory::Noticed;
use crate::refusal::{Crash, Refusal};
use process::{End, Process};

/// Options of a trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Program that calls [`try_files`] with the files after `arguments`.
    pub program: PathBuf,
    /// Arguments before the files.
    pub arguments: Vec<OsString>,
    /// Time limit per file.
    pub limit: Duration,
    /// File that records the results.
    pub memory: Option<PathBuf>,
    /// Whether known files are tried again.
    pub rescan: bool,
    /// Set to end a trial early.
    pub stop: Arc<AtomicBool>,
}

/// The result of the trial of a file.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// Reason why the file is not used.
    pub refusal: Option<Refusal>,
    /// How the file ended its process.
    pub crash: Option<Crash>,
    pub noticed: Noticed,
}

impl Verdict {
    /// Returns the verdict on a file that ended its process.
    pub(crate) fn crashed(crash: Crash, noticed: Noticed) -> Self {
        let last_words = noticed.printed.lines().rfind(|line| !line.trim().is_empty());
        let last_words = last_words.unwrap_or_default().trim().chars().take(200).collect();
        let refusal = Refusal::Quarantined { crash: crash.clone(), last_words };
        Self { refusal: Some(refusal), crash: Some(crash), noticed }
    }
}

impl Trial {
    /// Returns whether the trial is to end early.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tries files and returns a verdict for each, in their order.
    ///
    /// # Errors
    ///
    /// If no process can be started, or if the trial is stopped.
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

/// Returns the verdict on the only file of a process.
fn blamed(mut process: Process, limit: Duration) -> Verdict {
    let finished = process.finished.pop();
    let crash = match process.end {
        End::Silent => Crash::Silent(limit.as_secs()),
        End::Signal(name) => Crash::Signal(name),
        End::Code(code) => Crash::Exit(code),
        // it ended the process with code 0 before the end of the trial
        End::Well => match finished {
            Some(verdict) => return verdict,
            None => Crash::Exit(0),
        },
    };
    let noticed = finished.map_or(process.unfinished, |verdict| verdict.noticed);
    Verdict::crashed(crash, noticed)
}
