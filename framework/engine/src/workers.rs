//! The threads of a simulation.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Number of times that the caller's thread looks for the end of the others before it sleeps, about
/// 0.1 ms.
const SPINS: usize = 3000;

/// The caller's thread, and a pool of others.
///
/// Waking threads and waiting for them takes longer than a whole step of a small world. Therefore a
/// simulation with one thread has no pool, and small work stays on the caller's thread.
#[derive(Clone)]
pub(crate) struct Workers {
    others: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// Starts `threads` threads less one, because the caller's thread takes part.
    ///
    /// # Errors
    /// [`ThreadPoolBuildError`] if the operating system cannot start them.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let others =
            (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads - 1).build());
        Ok(Self { others: others.transpose()?.map(Arc::new) })
    }

    /// Returns all threads if `pays` is true, and the caller's alone otherwise.
    pub fn crew(&self, pays: bool) -> Crew<'_> {
        Crew(self.others.as_deref().filter(|_| pays))
    }
}

/// Threads that share work.
#[derive(Clone, Copy)]
pub(crate) struct Crew<'a>(Option<&'a ThreadPool>);

impl Crew<'_> {
    /// The caller's thread.
    pub const ALONE: Self = Self(None);

    /// Returns the number of threads.
    pub fn count(self) -> usize {
        1 + self.0.map_or(0, ThreadPool::current_num_threads)
    }

    /// Calls `work` for every item, and returns when all calls have ended. The caller's thread begins at
    /// once; each thread takes the next item when it is ready, so that one that is late has less to do.
    pub fn for_each<T: Send>(self, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        let Some(pool) = self.0 else { return items.for_each(work) };
        let items = Mutex::new(items);
        let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        let take_part = || {
            while let Some(item) = next() {
                work(item);
            }
        };
        let others = AtomicUsize::new(pool.current_num_threads());
        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads() {
                scope.spawn(|_| {
                    take_part();
                    others.fetch_sub(1, Ordering::Release);
                });
            }
            take_part();
            // the others will be ready before the operating system could wake this thread
            for _ in 0..SPINS {
                if others.load(Ordering::Acquire) == 0 {
                    break;
                }
                std::hint::spin_loop();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::thread::{self, ThreadId};

    use super::*;

    /// Returns the threads that work on `count` items. With `meet`, they wait for each other.
    fn threads_of(crew: Crew<'_>, count: usize, meet: bool) -> Vec<ThreadId> {
        let (seen, barrier) = (Mutex::new(Vec::new()), Barrier::new(crew.count()));
        crew.for_each(0..count, |_| {
            seen.lock().expect("nothing panics").push(thread::current().id());
            if meet {
                barrier.wait();
            }
        });
        seen.into_inner().expect("nothing panics")
    }

    #[test]
    fn one_thread_is_the_callers() {
        let workers = Workers::new(1).expect("no thread is started");
        assert_eq!(threads_of(workers.crew(true), 3, false), [thread::current().id(); 3]);
    }

    #[test]
    fn small_work_stays_on_the_callers_thread() {
        let workers = Workers::new(2).expect("a thread is started");
        assert_eq!(threads_of(workers.crew(false), 3, false), [thread::current().id(); 3]);
    }

    #[test]
    fn the_callers_thread_and_the_others_share_work() {
        let workers = Workers::new(3).expect("two threads are started");
        let seen = threads_of(workers.crew(true), 3, true);
        assert!(seen.contains(&thread::current().id()));
        assert_eq!(seen.into_iter().collect::<HashSet<_>>().len(), 3);
    }

    #[test]
    fn every_item_is_taken_once() {
        let workers = Workers::new(4).expect("three threads are started");
        let mut items = vec![0; 1000];
        workers.crew(true).for_each(items.iter_mut(), |item| *item += 1);
        assert_eq!(items, [1; 1000]);
    }
}
