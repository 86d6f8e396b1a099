//! Trial of unknown libraries in a child process.
//!
//! Loading runs the constructors of a library, and reading its descriptor follows its pointers.
//! Either can crash or hang the process. All unknown files are tried in one child process; if that
//! ends early, each remaining file is tried in its own.

mod process;

use std::path::Path;
use std::time::Duration;

#[cfg(unix)]
pub use process::signal_name;
pub use process::{Trial, kill, reserve_output, try_files, wait};

use crate::refusal::Crash;
pub(crate) use process::Verdict;
use process::{End, Process};

impl Trial {
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
