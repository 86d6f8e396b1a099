//! The process that has the command line: this program, or another one that runs it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The words of a command line, and how to start it in a further process.
#[derive(Clone, Debug)]
pub struct Process {
    /// The words, with the name of the program as the first one.
    pub words: Vec<OsString>,
    /// Path of the program.
    pub program: Option<PathBuf>,
    /// Words between the path of the program and the verb, such as `-m simhost` of Python.
    pub before: Vec<OsString>,
}

static PROCESS: OnceLock<Process> = OnceLock::new();

impl Process {
    /// Returns the command line with which this process was started.
    pub fn of_program() -> Self {
        let words = std::env::args_os().collect();
        Self { words, program: std::env::current_exe().ok(), before: Vec::new() }
    }

    /// Makes this the command line that [`Self::present`] returns. The first call counts.
    pub(crate) fn keep(self) {
        let _ = PROCESS.set(self);
    }

    /// Returns the command line that is run.
    pub(crate) fn present() -> &'static Self {
        PROCESS.get_or_init(Self::of_program)
    }

    /// Returns the words after the path of the program that start a verb in a further process.
    pub(crate) fn verb<const N: usize>(&self, words: [&str; N]) -> Vec<OsString> {
        self.before.iter().cloned().chain(words.map(Into::into)).collect()
    }
}
