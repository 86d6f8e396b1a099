//! The threads of a simulation.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Runs the phases of a step, either on the caller's thread or on a pool.
///
/// Handing work to a pool and waiting for it takes longer than a whole step of a small world.
/// Therefore a simulation with one thread has no pool.
pub(crate) struct Workers {
    pool: Option<ThreadPool>,
}

impl Workers {
    /// Starts `threads` threads; none if one is enough.
    ///
    /// # Errors
    /// [`ThreadPoolBuildError`] if the operating system cannot start them.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        Ok(Self { pool: pool.transpose()? })
    }

    /// Runs `work` to its end. Inside, [`available`] returns the number of threads.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Returns the number of threads that the current phase can use.
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
        assert_eq!(workers.run(|| (std::thread::current().id(), available())), (here, 1));
    }

    #[test]
    fn several_threads_form_a_pool() {
        let here = std::thread::current().id();
        let (there, count) = Workers::new(3)
            .expect("three threads")
            .run(|| (std::thread::current().id(), available()));
        assert!(there != here && count == 3);
    }
}
