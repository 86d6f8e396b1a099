//! The threads of a simulation.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Runs a step, either on the caller's thread or on a pool.
///
/// Handing work to a pool and waiting for it takes longer than a whole step of a small world.
/// Therefore a simulation with one thread has no pool, and small work does not enter it.
#[derive(Clone)]
pub(crate) struct Workers {
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// Starts `threads` threads; none if one is enough.
    ///
    /// # Errors
    /// [`ThreadPoolBuildError`] if the operating system cannot start them.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        Ok(Self { pool: pool.transpose()?.map(Arc::new) })
    }

    /// Runs `work` to its end: on the pool if `pays` is true, else on the caller's thread. Inside,
    /// [`available`] returns the number of threads.
    pub fn run<R: Send>(&self, pays: bool, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) if pays => pool.install(work),
            _ => work(),
        }
    }
}

/// Returns the number of threads among which the current work can be divided.
pub(crate) fn available() -> usize {
    // outside of a pool, rayon would start its global one
    if rayon::current_thread_index().is_some() { rayon::current_num_threads() } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_is_the_callers() {
        let here = std::thread::current().id();
        let workers = Workers::new(1).expect("no thread is started");
        assert_eq!(workers.run(true, || (std::thread::current().id(), available())), (here, 1));
    }

    #[test]
    fn small_work_stays_on_the_callers_thread() {
        let here = std::thread::current().id();
        let workers = Workers::new(2).expect("two threads");
        assert_eq!(workers.run(false, || (std::thread::current().id(), available())), (here, 1));
    }

    #[test]
    fn several_threads_form_a_pool() {
        let here = std::thread::current().id();
        let (there, count) = Workers::new(3)
            .expect("three threads")
            .run(true, || (std::thread::current().id(), available()));
        assert!(there != here && count == 3);
    }
}
