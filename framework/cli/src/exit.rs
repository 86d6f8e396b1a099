//! Exit codes. `docs/src/cli.md` lists them.

/// Exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
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
pub struct Failure {
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
