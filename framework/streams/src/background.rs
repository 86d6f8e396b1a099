//! Sinks that write on a separate thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::block::SampleBlock;
use crate::handover::{Handover, HandoverLimits};
use crate::sample::Sample;
use crate::sink::SinkError;

/// Longest wall time between two calls of [`Writer::flush`].
pub const PERIOD: Duration = Duration::from_millis(500);
/// The thread is woken for 256 KiB, and at most 1 MiB waits for it, apart from the samples of one step. What waits then fits
/// into the cache of a core.
const LIMITS: HandoverLimits =
    HandoverLimits { period: PERIOD, enough: 1 << 18, too_many: 1 << 20 };

/// Writes samples on a separate thread.
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
/// The thread that adds samples only copies them. It waits if the other one is more than 1 MiB behind, so
/// that no sample is lost and memory stays bounded.
pub struct Background {
    shared: Arc<Handover<SampleBlock>>,
    /// Samples of the present step.
    step: SampleBlock,
    thread: Option<JoinHandle<Result<Vec<PathBuf>, SinkError>>>,
}

impl Background {
    /// Starts a thread with a name.
    ///
    /// # Errors
    /// [`SinkError`] if the operating system does not start a thread.
    pub fn start(name: &str, writer: Box<dyn Writer>) -> Result<Self, SinkError> {
        let shared = Handover::new(LIMITS);
        let own = shared.clone();
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || run(&own, writer))
            .map_err(|error| SinkError::new("cannot start a thread").because(error))?;
        Ok(Self { shared, step: SampleBlock::default(), thread: Some(thread) })
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
        let mut block = self.shared.access();
        if !block.is_closed() {
            block.append(&mut self.step);
            return Ok(());
        }
        drop(block);
        self.step.clear();
        Err(self.failure())
    }

    /// Writes all remaining samples, ends the thread, and returns the paths of the files.
    ///
    /// # Errors
    /// The error of the writer, unless it has been reported.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        let handed = self.end_of_step();
        let Some(thread) = self.thread.take() else { return handed.map(|()| Vec::new()) };
        self.shared.close();
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
fn run(
    shared: &Handover<SampleBlock>,
    mut writer: Box<dyn Writer>,
) -> Result<Vec<PathBuf>, SinkError> {
    let _writing = shared.writing();
    let mut block = SampleBlock::default();
    let mut last_flush = Instant::now();
    loop {
        let is_closed = shared.next(&mut block, last_flush);
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

#[cfg(test)]
mod tests;
