//! The process that has the command line: this program, or another one that runs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
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
    /// Files with models in Python, which have been run; `None` if this program has no Python.
    pub python: Option<Vec<PythonFile>>,
}

/// A file whose models are among the linked-in ones.
#[derive(Clone, Debug)]
pub struct PythonFile {
    /// The path as the command line has it.
    pub path: PathBuf,
    /// Full names of the classes that it declares.
    pub classes: Vec<String>,
}

static PROCESS: OnceLock<Process> = OnceLock::new();

impl Process {
    /// Returns the command line with which this process was started.
    pub fn of_program() -> Self {
        let words = std::env::args_os().collect();
        Self { words, program: std::env::current_exe().ok(), before: Vec::new(), python: None }
    }

    /// Makes this the command line that [`Self::present`] returns. The first call counts.
    pub(crate) fn keep(self) {
        let _ = PROCESS.set(self);
    }

    /// Returns the command line that is run.
    pub(crate) fn present() -> &'static Self {
        PROCESS.get_or_init(Self::of_program)
    }

    /// Returns the classes of a file with models in Python.
    ///
    /// # Errors
    /// If this program has no Python, or has not run the file.
    pub(crate) fn python_classes(&self, file: &Path) -> Result<&[String], Failure> {
        let refused = |text: &str| {
            Failure::new(Code::BadInput, format!("cannot run {}: {text}", file.display()))
        };
        let files = self.python.as_ref().ok_or_else(|| {
            refused(
                "this program has no Python; expected the one of the Python package\nhelp: install the package \
                 `simhost`, and write `python -m simhost` in place of `simhost`",
            )
        })?;
        let found = files.iter().find(|one| one.path == file);
        Ok(&found.ok_or_else(|| refused("expected a file that is given with --python"))?.classes)
    }

    /// Returns the words after the path of the program that start a verb in a further process.
    pub(crate) fn verb<const N: usize>(&self, words: [&str; N]) -> Vec<OsString> {
        self.before.iter().cloned().chain(words.map(Into::into)).collect()
    }
}

/// Exit code of the program.
///
/// `docs/src/cli.md` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Code {
    /// The run or the request completed.
    Done = 0,
    /// The answer is negative: a test of `plugin check` failed, or two runs differ.
    Negative = 1,
    /// The command line is invalid.
    Usage = 2,
    /// A body diverged.
    Diverged = 10,
    /// A model faulted, and the fault policy of the world ends the run.
    PluginFault = 11,
    /// The world, a command file or a plugin directory is invalid.
    BadInput = 12,
    /// An output file cannot be written.
    Output = 13,
    /// A GPU is required, and there is none or it failed.
    Gpu = 14,
    /// The program took more memory than it may.
    Memory = 15,
    /// simhost panicked, which is a defect of simhost.
    Panicked = 101,
    /// The run was interrupted by Ctrl-C or a termination signal.
    Interrupted = 130,
}

/// Failure of a verb: message and exit code.
#[derive(Debug)]
pub(super) struct Failure {
    /// Message for standard error.
    pub text: String,
    /// Exit code.
    pub code: Code,
}

impl Failure {
    /// Creates a failure with a message.
    pub fn new(code: Code, error: impl std::fmt::Display) -> Self {
        Self { text: error.to_string(), code }
    }
}
