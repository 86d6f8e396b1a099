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
