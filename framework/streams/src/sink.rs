//! Takers of samples.

use std::path::PathBuf;
use std::sync::Arc;

use crate::input::RecordingAction;
use crate::sample::{Sample, Stamp};
use crate::stream::Stream;

/// Takes the samples of streams: writes them to a file, sends them to clients, or computes with them.
///
/// All methods are called on the thread that steps the world, so a sink copies samples and does
/// slow work on a separate thread.
///
/// ```
/// use simhost_streams::{Sample, Sink, SinkError};
///
/// /// Counts samples.
/// #[derive(Default)]
/// struct Counter(usize);
///
/// impl Sink for Counter {
///     fn take(&mut self, _stream: usize, _sample: &Sample<'_>) -> Result<(), SinkError> {
///         self.0 += 1;
///         Ok(())
///     }
/// }
/// ```
pub trait Sink: Send {
    /// Begins a sequence of samples of these streams, whose indices [`Self::take`] receives. Called once
    /// before the first sample, and again when time goes back (after a reset or a restored snapshot) or
    /// when streams have been added or removed.
    ///
    /// # Errors
    /// [`SinkError`] if the sink cannot take the streams; the run then does not begin.
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        let _ = streams;
        Ok(())
    }

    /// Returns whether the sink wants the sample of a stream that is due now. Samples that no sink wants are
    /// not computed.
    fn wants(&mut self, stream: usize) -> bool {
        let _ = stream;
        true
    }

    /// Takes a sample of a stream. The stamps of one stream increase strictly.
    ///
    /// # Errors
    /// [`SinkError`] if the sample is lost; this ends the run.
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError>;

    /// Called after all samples of one step.
    ///
    /// # Errors
    /// [`SinkError`] if samples are lost; this ends the run.
    fn end_of_step(&mut self, stamp: Stamp) -> Result<(), SinkError> {
        let _ = stamp;
        Ok(())
    }

    /// Receives the start of the names of the log files of a vehicle, `<log_path>` in the world. Called
    /// after [`Self::begin`] when the sink is attached, and when a vehicle with a log is added.
    fn set_log_path(&mut self, vehicle: &str, path: &str) {
        let _ = (vehicle, path);
    }

    /// Switches the recording of a vehicle, or of all vehicles if the name is empty. Called for vehicles
    /// with `<auto_start_recording>` after [`Self::set_log_path`], and for each
    /// [`Input::Recording`](crate::Input::Recording). Sinks that record everything ignore it.
    fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        let _ = (vehicle, action);
    }

    /// Completes the output after the last sample, and returns the paths of the files that were written.
    ///
    /// # Errors
    /// [`SinkError`] if the output cannot be completed.
    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        Ok(Vec::new())
    }
}

/// A sink cannot take or keep samples.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct SinkError {
    text: String,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl SinkError {
    /// Creates an error with a message that names the output.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), source: None }
    }

    /// Adds the cause.
    #[must_use]
    pub fn because(self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }
}
