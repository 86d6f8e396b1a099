//! Errors of studies.

use std::path::{Path, PathBuf};

/// A study cannot be read, planned, stored or continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The plan is wrong.
    #[error("{place}{problem}")]
    Plan {
        /// File, line and column, with a colon and a space after each; empty for what a program has given.
        place: String,
        /// Text that was found, and the expected one.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The content of a file of a study is not what it should be.
    #[error("{}: {problem}", path.display())]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Content that was found, and the expected one.
        problem: String,
    },
    /// The world cannot be opened.
    #[error(transparent)]
    World(#[from] simhost::Error),
    /// The folder has a study, and nothing says what to do with it.
    #[error(
        "{} has a study with {finished} of {runs} runs; help: continue it with --resume, add runs of a longer plan with \
         --extend, or replace it with --new",
        folder.display()
    )]
    Exists {
        /// The folder.
        folder: PathBuf,
        /// Number of finished runs.
        finished: u64,
        /// Number of runs of the plan.
        runs: u64,
    },
    /// The folder has files of something else.
    #[error("{} has files of something else than a study; help: choose an empty folder", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process works on the study.
    #[error("another process works on the study in {}; expected none", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The study in the folder is another one.
    #[error("the study in {} has changed: {}; {help}", folder.display(), changes.join("; "))]
    Changed {
        /// The folder.
        folder: PathBuf,
        /// Differences, as `what: before, now`.
        changes: Vec<String>,
        /// Remedy.
        help: &'static str,
    },
    /// Another version of simhost has written the study.
    #[error(
        "{} is of simhost {found}; this is simhost {own}; help: simulate chunks with the version that has planned them",
        path.display()
    )]
    Version {
        /// The record of the study.
        path: PathBuf,
        /// Its versions.
        found: String,
        /// The versions of this program.
        own: String,
    },
    /// There is no run with this identifier.
    #[error("unknown run '{found}'; {help}")]
    Run {
        /// The identifier.
        found: String,
        /// Expected value.
        help: String,
    },
    /// A process that simulates runs for another one cannot be started or understood.
    #[error("a process for isolated runs failed: {0}")]
    Child(String),
}

impl StudyError {
    /// Returns the error of a plan without a place.
    pub(crate) fn plan(problem: impl Into<String>) -> Self {
        Self::Plan { place: String::new(), problem: problem.into() }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }
}
