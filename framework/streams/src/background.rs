//! Sinks that write on a separate thread.

use std::path::PathBuf;
use std::time::Duration;

use crate::block::SampleBlock;
use crate::handover::{Block, HandoverLimits};
use crate::sample::Sample;
use crate::sink::SinkError;
use crate::writing_thread::{BlockWriter, WritingThread};

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
    /// Samples of the present step.
    step: SampleBlock,
    thread: WritingThread<Samples>,
}

impl Background {
    /// Starts a thread with a name.
    ///
    /// # Errors
    /// [`SinkError`] if the operating system does not start a thread.
    pub fn start(name: &str, writer: Box<dyn Writer>) -> Result<Self, SinkError> {
        let thread = WritingThread::start(name, LIMITS, Samples(writer))
            .map_err(|error| SinkError::new("cannot start a thread").because(error))?;
        Ok(Self { step: SampleBlock::default(), thread })
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
        let mut block = self.thread.access();
        if !block.is_closed() {
            block.append(&mut self.step);
            return Ok(());
        }
        drop(block);
        self.step.clear();
        let error = self.thread.finish().and_then(Result::err);
        Err(error.unwrap_or_else(|| SinkError::new("the output has ended")))
    }

    /// Writes all remaining samples, ends the thread, and returns the paths of the files.
    ///
    /// # Errors
    /// The error of the writer, unless it has been reported.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        let handed = self.end_of_step();
        self.thread.finish().unwrap_or_else(|| handed.map(|()| Vec::new()))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // an error cannot be reported here; `finish` does report it
        let _ = self.finish();
    }
}

/// Writes the samples of blocks. The first error ends the work.
struct Samples(Box<dyn Writer>);

impl BlockWriter for Samples {
    type Block = SampleBlock;
    type Outcome = Result<Vec<PathBuf>, SinkError>;

    fn write(&mut self, block: &SampleBlock) -> Option<Self::Outcome> {
        block.for_each(|stream, sample| self.0.take(stream, sample)).err().map(Err)
    }

    fn flush(&mut self) -> Option<Self::Outcome> {
        self.0.flush().err().map(Err)
    }

    fn finish(&mut self) -> Self::Outcome {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::mpsc::{Sender, channel};
    use std::time::{Duration, Instant};

    use super::{Background, Writer};
    use crate::{Sample, SinkError, Stamp};

    /// Sends the stamps of samples, and fails at one of them.
    struct Reporter {
        stamps: Sender<u64>,
        fails_at: u64,
        takes: Duration,
    }

    impl Writer for Reporter {
        fn take(&mut self, _: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
            std::thread::sleep(self.takes);
            if sample.stamp.0 == self.fails_at {
                return Err(SinkError::new("the disk is full"));
            }
            let _ = self.stamps.send(sample.stamp.0);
            Ok(())
        }

        fn flush(&mut self) -> Result<(), SinkError> {
            Ok(())
        }

        fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
            Ok(vec![PathBuf::from("file")])
        }
    }

    #[test]
    fn all_samples_arrive_in_their_order() {
        let (stamps, received) = channel();
        let writer = Reporter { stamps, fails_at: u64::MAX, takes: Duration::ZERO };
        let mut background = Background::start("test", Box::new(writer)).unwrap();
        for stamp in 0..10_000 {
            background.take(0, &Sample::new(Stamp(stamp), &[0.0; 100]));
            background.end_of_step().unwrap();
        }
        assert_eq!(background.finish().unwrap(), [PathBuf::from("file")]);
        drop(background);
        assert!(received.iter().eq(0..10_000));
    }

    #[test]
    fn a_slow_writer_holds_up_the_other_thread_and_loses_nothing() {
        let (stamps, received) = channel();
        let writer = Reporter { stamps, fails_at: u64::MAX, takes: Duration::from_millis(20) };
        let mut background = Background::start("test", Box::new(writer)).unwrap();
        let numbers = vec![0.0; 1 << 20];
        let start = Instant::now();
        for stamp in 0..10 {
            background.take(0, &Sample::new(Stamp(stamp), &numbers));
            background.end_of_step().unwrap();
        }
        // 8 MiB each: the thread is at most two samples and those that it has taken behind
        assert!(start.elapsed() >= Duration::from_millis(60), "{:?}", start.elapsed());
        background.finish().unwrap();
        drop(background);
        assert!(received.iter().eq(0..10));
    }

    #[test]
    fn an_error_reaches_the_other_thread_once() {
        let (stamps, _received) = channel();
        let writer = Reporter { stamps, fails_at: 3, takes: Duration::ZERO };
        let mut background = Background::start("test", Box::new(writer)).unwrap();
        let numbers = vec![0.0; 1 << 16];
        let error = (0..1_000_000).find_map(|stamp| {
            background.take(0, &Sample::new(Stamp(stamp), &numbers));
            background.end_of_step().err()
        });
        assert_eq!(error.unwrap().to_string(), "the disk is full");
        assert!(background.finish().is_ok());
    }

    #[test]
    fn an_error_after_the_last_sample_is_reported_at_the_end() {
        let (stamps, _received) = channel();
        let writer = Reporter { stamps, fails_at: 0, takes: Duration::ZERO };
        let mut background = Background::start("test", Box::new(writer)).unwrap();
        background.take(0, &Sample::new(Stamp(0), &[]));
        assert_eq!(background.finish().unwrap_err().to_string(), "the disk is full");
    }
}
