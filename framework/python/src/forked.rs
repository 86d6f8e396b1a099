//! Processes that have been forked: only the thread that forks lives on in them, so that threads of a simulation are
//! missing.

use std::sync::{Mutex, PoisonError};

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
    fn is_left(self) -> bool {
        self.0.is_some_and(|process| process != std::process::id())
    }

    /// Forgets the copy of a state in a forked process, whose end would wait for threads.
    pub fn forget_copy<T>(self, state: &mut Mutex<Option<T>>) {
        if self.is_left() {
            std::mem::forget(state.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
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
