//! Options of a trial, and its verdict on a file.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::memory::Noticed;
use crate::refusal::{Crash, Refusal};

/// Options of a trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Program that calls `try_files` with the files after `arguments`.
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

impl Trial {
    /// Returns whether the trial is to end early.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
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
