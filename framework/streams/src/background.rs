//! Sinks that write on a thread of their own.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::block::Block;
use crate::sample::Sample;
use crate::sink::SinkError;

/// Longest wall time between two calls of [`Writer::flush`].
pub const PERIOD: Duration = Duration::from_millis(500);
/// Bytes after which the thread is woken before the period ends.
const ENOUGH: usize = 1 << 18;
/// Bytes that wait for the thread at most, apart from those of one step.
const TOO_MANY: usize = 1 << 22;

/// Writes samples on a thread of its own.
pub trait Writer: Send {
    /// Writes a sample, or keeps it until the next flush. `stream` is an index into the streams of the
    /// sink.
    ///
    /// # Errors
    /// [`SinkError`] if the sample is lost; no other method is called afterwards.
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError>;

    /// Writes the samples that it has kept. Called every [`PERIOD`] of wall time.
    ///
    /// # Errors
    /// [`SinkError`] if samples are lost; no other method is called afterwards.
    fn flush(&mut self) -> Result<(), SinkError>;

    /// Completes the output, and returns the paths of the files.
    ///
    /// # Errors
    /// [`SinkError`] if the output cannot be completed.
    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError>;
}

/// A [`Writer`] on its thread, and the samples that wait for it.
///
/// The thread that adds samples only copies them. It waits if the other one is more than 4 MiB behind, so
/// that no sample is lost and memory stays bounded.
pub struct Background {
    shared: Arc<Shared>,
    /// Samples of the present step.
    step: Block,
    thread: Option<JoinHandle<Result<Vec<PathBuf>, SinkError>>>,
}

/// Memory that the threads share.
#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Signals the writing thread.
    work: Condvar,
    /// Signals that the writing thread has taken the samples.
    taken: Condvar,
    is_done: AtomicBool,
}

#[derive(Default)]
struct Queue {
    block: Block,
    is_closed: bool,
}

/// The shared memory of all threads, for [`close_all`].
static ALL: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Lets the threads of this process write the samples that they have, for at most `limit`, before the
/// process ends without them. Samples that are added later are lost.
pub fn close_all(limit: Duration) {
    let end = Instant::now() + limit;
    let wait_for = |is: &dyn Fn() -> bool| {
        while !is() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    // a process that has crashed must not wait for a lock
    let Ok(all) = ALL.try_lock() else { return };
    for shared in all.iter().filter_map(Weak::upgrade) {
        wait_for(&|| shared.try_close());
        wait_for(&|| shared.is_done.load(Ordering::Relaxed));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_close(&self) -> bool {
        let Ok(mut queue) = self.queue.try_lock() else { return false };
        queue.is_closed = true;
        self.work.notify_one();
        true
    }
}

/// Closes the queue when the thread ends, so that nobody waits for it.
struct CloseOnDrop<'a>(&'a Shared);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.is_done.store(true, Ordering::Relaxed);
        self.0.taken.notify_all();
    }
}

impl Background {
    /// Starts a thread with a name.
    ///
    /// # Errors
    /// [`SinkError`] if the operating system does not start a thread.
    pub fn start(name: &str, writer: Box<dyn Writer>) -> Result<Self, SinkError> {
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|shared| shared.strong_count() > 0);
        all.push(Arc::downgrade(&shared));
        drop(all);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || run(&own, writer))
            .map_err(|error| SinkError::new("cannot start a thread").because(error))?;
        Ok(Self { shared, step: Block::default(), thread: Some(thread) })
    }

    /// Adds a sample of the present step.
    pub fn take(&mut self, stream: usize, sample: &Sample<'_>) {
        self.step.push(stream, sample);
    }

    /// Hands the samples of the present step to the thread. Waits while the thread is far behind.
    ///
    /// # Errors
    /// The error of the writer if it has failed.
    pub fn end_of_step(&mut self) -> Result<(), SinkError> {
        if self.step.is_empty() {
            return Ok(());
        }
        let shared = &*self.shared;
        let mut queue = shared.lock();
        while queue.block.size() >= TOO_MANY && !queue.is_closed {
            queue = shared.taken.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closed {
            drop(queue);
            self.step.clear();
            return Err(self.failure());
        }
        queue.block.append(&mut self.step);
        if queue.block.size() >= ENOUGH {
            shared.work.notify_one();
        }
        Ok(())
    }

    /// Writes all remaining samples, ends the thread, and returns the paths of the files.
    ///
    /// # Errors
    /// The error of the writer, unless it has been reported.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        let handed = self.end_of_step();
        let Some(thread) = self.thread.take() else { return handed.map(|()| Vec::new()) };
        self.shared.lock().is_closed = true;
        self.shared.work.notify_one();
        match thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// Returns the error with which the thread has ended.
    fn failure(&mut self) -> SinkError {
        let ended = || SinkError::new("the output has ended");
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome.err().unwrap_or_else(ended),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => ended(),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // an error cannot be reported here; `finish` does report it
        let _ = self.finish();
    }
}

/// Writes samples until the queue is closed.
fn run(shared: &Shared, mut writer: Box<dyn Writer>) -> Result<Vec<PathBuf>, SinkError> {
    let _close = CloseOnDrop(shared);
    let mut block = Block::default();
    let mut last_flush = Instant::now();
    loop {
        let is_closed = next(shared, &mut block, last_flush);
        block.for_each(|stream, sample| writer.take(stream, sample))?;
        block.clear();
        if is_closed {
            return writer.finish();
        }
        if last_flush.elapsed() >= PERIOD {
            writer.flush()?;
            last_flush = Instant::now();
        }
    }
}

/// Waits for samples and exchanges the blocks. Returns whether no more samples will be added.
fn next(shared: &Shared, block: &mut Block, last_flush: Instant) -> bool {
    let mut queue = shared.lock();
    loop {
        let rest = PERIOD.saturating_sub(last_flush.elapsed());
        if queue.is_closed || queue.block.size() >= ENOUGH || rest.is_zero() {
            break;
        }
        let waited = shared.work.wait_timeout(queue, rest);
        queue = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    std::mem::swap(&mut queue.block, block);
    shared.taken.notify_one();
    queue.is_closed
}

#[cfg(test)]
mod tests;
