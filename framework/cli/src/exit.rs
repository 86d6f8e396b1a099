//! Exit codes, all in one place. `docs/cli.md` lists them.

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// The run is complete.
    Done = 0,
    /// A test of `plugin check` failed.
    TestsFailed = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// A body diverged.
    Diverged = 10,
    /// A model faulted and the world says that this ends the run.
    PluginFault = 11,
    /// The world, a command file or a plugin directory is not right.
    BadInput = 12,
    /// The output cannot be written.
    Output = 13,
    /// Ctrl-C, or a request to terminate.
    Interrupted = 130,
}

impl From<Code> for std::process::ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

/// Why a verb failed: what is shown, and the code.
#[derive(Debug)]
pub struct Failure {
    /// Shown on standard error.
    pub text: String,
    /// The exit code.
    pub code: Code,
}

impl Failure {
    /// A failure with what went wrong.
    pub fn new(code: Code, error: impl std::fmt::Display) -> Self {
        Self { text: error.to_string(), code }
    }
}
