//! Processes that have been forked: only the thread that forks lives on in them, so that threads of a simulation are
//! missing.

use crate::errors::{Failure, raise};

/// The process in which threads have been started, if any have.
#[derive(Clone, Copy)]
pub struct Home(Option<u32>);

impl Home {
    /// Remembers the process if more than one thread is used.
    pub fn of(threads: usize) -> Self {
        Self((threads > 1).then(std::process::id))
    }

    /// Returns whether this is another process.
    pub fn is_left(self) -> bool {
        self.0.is_some_and(|process| process != std::process::id())
    }

    /// Checks that this is the same process.
    pub fn check(self) -> Result<(), Failure> {
        match self.is_left() {
            false => Ok(()),
            true => Err(Failure::Raised(raise(
                "BusyError",
                "it has threads, which do not exist in a forked process; help: open it in the process that uses it, \
                 start processes with the method `spawn`, or use one thread",
            ))),
        }
    }
}
