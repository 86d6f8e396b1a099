//! Frames that wait until a client reads them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::frame::Frame;

/// Bound of the frames that must not be dropped, bytes. A client that lets more wait is disconnected.
const MAX_REPLIES: usize = 64 << 20;

/// Frames that wait until a client reads them, bounded in bytes. Appending never waits for the client.
pub struct Backlog {
    state: Mutex<State>,
    changed: Condvar,
    max_samples: usize,
}

#[derive(Default)]
struct State {
    frames: VecDeque<Frame>,
    sample_bytes: usize,
    reply_bytes: usize,
    dropped: Dropped,
    /// Drops that have not been reported to the client.
    unreported: Dropped,
    is_closed: bool,
}

/// Samples that a client did not receive because it read too slowly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Number of samples.
    pub samples: u64,
    /// Their size, bytes.
    pub bytes: u64,
}

impl Backlog {
    /// Creates a backlog that holds samples of up to `max_samples` bytes.
    pub fn new(max_samples: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), max_samples }
    }

    /// Appends a frame. The oldest samples give way to a new one.
    pub fn push(&self, frame: Frame) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        match frame.is_sample {
            true => state.sample_bytes += frame.size(),
            false => state.reply_bytes += frame.size(),
        }
        state.frames.push_back(frame);
        while state.sample_bytes > self.max_samples {
            state.drop_oldest();
        }
        if state.reply_bytes > MAX_REPLIES {
            state.close();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for frames, and moves some of them to `out`. Returns `false` when the backlog is closed and
    /// empty.
    pub fn take(&self, out: &mut Vec<u8>) -> bool {
        /// Bytes after which no further frame is taken.
        const ENOUGH: usize = 64 << 10;
        let mut state = self.lock();
        while state.frames.is_empty() && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        while out.len() < ENOUGH {
            let Some(frame) = state.frames.pop_front() else { break };
            match frame.is_sample {
                true => state.sample_bytes -= frame.size(),
                false => state.reply_bytes -= frame.size(),
            }
            frame.write(out);
        }
        !out.is_empty()
    }

    /// Refuses further frames. Those that wait are still sent.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Refuses further frames, and forgets those that wait.
    pub fn abandon(&self) {
        self.lock().close();
        self.changed.notify_all();
    }

    /// Returns the samples dropped so far.
    pub fn dropped(&self) -> Dropped {
        self.lock().dropped
    }

    /// Returns the samples dropped since the last call.
    pub fn report(&self) -> Dropped {
        std::mem::take(&mut self.lock().unreported)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn drop_oldest(&mut self) {
        let Some(at) = self.frames.iter().position(|frame| frame.is_sample) else { return };
        let Some(frame) = self.frames.remove(at) else { return };
        self.sample_bytes -= frame.size();
        for dropped in [&mut self.dropped, &mut self.unreported] {
            dropped.samples += 1;
            dropped.bytes += frame.size() as u64;
        }
    }

    fn close(&mut self) {
        self.is_closed = true;
        self.frames = VecDeque::new();
        (self.sample_bytes, self.reply_bytes) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::Backlog;
    use crate::frame::Frame;

    #[test]
    fn the_oldest_samples_are_dropped_and_replies_are_kept() {
        let sample = |number: u8| Frame::sample(0, 0, vec![number; 1000].into());
        let backlog = Backlog::new(3 * sample(0).size());
        backlog.push(Frame::text("first"));
        for number in 0..10 {
            backlog.push(sample(number));
        }
        backlog.push(Frame::text("last"));
        let mut out = Vec::new();
        assert!(backlog.take(&mut out));
        let is_kept = |number: u8| out.windows(1000).any(|window| window == [number; 1000]);
        let kept: Vec<u8> = (0..10).filter(|number| is_kept(*number)).collect();
        assert_eq!(kept, [7, 8, 9]);
        assert!(out.windows(5).any(|text| text == b"first"));
        assert!(out.ends_with(b"last"));
        assert_eq!(backlog.dropped().samples, 7);
        assert_eq!(backlog.report().samples, 7);
        assert_eq!(backlog.report().samples, 0);
    }

    #[test]
    fn a_client_that_never_reads_replies_is_disconnected() {
        let backlog = Backlog::new(1000);
        for _ in 0..70 {
            backlog.push(Frame::text(vec![b' '; 1 << 20]));
        }
        assert!(!backlog.take(&mut Vec::new()));
    }
}
