//! Processes that have been forked: only the thread that forks lives on in them, so that threads of a simulation are
//! missing.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::errors::{Failure, raise};

/// The process in which threads have been started, if any have.
pub struct Home {
    /// Number of the process; 0 for none.
    process: AtomicU32,
    /// Whether more than one thread takes steps.
    has_workers: bool,
}

impl Home {
    /// Remembers the process if more than one thread is used.
    pub fn of(threads: usize) -> Self {
        Self::with_workers(threads > 1)
    }

    /// Remembers the process for a copy of what has this home, which takes steps with as many threads, and has no output.
    pub fn of_copy(&self) -> Self {
        Self::with_workers(self.has_workers)
    }

    fn with_workers(has_workers: bool) -> Self {
        let home = Self { process: AtomicU32::new(0), has_workers };
        if has_workers {
            home.settle();
        }
        home
    }

    /// Remembers the process, in which a thread has been started for output or clients.
    pub fn settle(&self) {
        self.process.store(process::id(), Ordering::Relaxed);
    }

    /// Returns whether this is another process.
    pub fn is_left(&self) -> bool {
        let home = self.process.load(Ordering::Relaxed);
        home != 0 && home != process::id()
    }

    /// Forgets the copy of a state in a forked process, whose end would wait for threads and write to files.
    pub fn forget_copy<T>(&self, state: &mut Mutex<Option<T>>) {
        if self.is_left() {
            std::mem::forget(state.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
    }

    /// Checks that this is the same process.
    pub fn check(&self) -> Result<(), Failure> {
        match self.is_left() {
            false => Ok(()),
            true => Err(Failure::Raised(raise(
                "BusyError",
                "it has threads, which do not exist in a forked process; help: open it in the process that uses it, \
                 start processes with the method `spawn`, or use one thread and no output or clients",
            ))),
        }
    }
}
