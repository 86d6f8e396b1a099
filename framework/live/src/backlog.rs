//! Frames that wait until a client reads them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::frame::Frame;

/// Bound of the frames that must not be dropped, bytes. A client that lets more wait is disconnected.
const MAX_REPLIES: usize = 64 << 20;

/// Time for which a sample of a state waits at most if a later one of its stream waits as well. With the time in
/// the buffers of the system, it stays below half a second.
const MAX_AGE: Duration = Duration::from_millis(150);

/// Frames that wait until a client reads them, bounded in bytes and, for samples of states, in time. Appending never waits for the client.
pub struct Backlog {
    state: Mutex<State>,
    changed: Condvar,
    max_samples: usize,
}

#[derive(Default)]
struct State {
    /// Frames, and when they were appended.
    frames: VecDeque<(Instant, Frame)>,
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
        let now = Instant::now();
        state.frames.push_back((now, frame));
        while state.sample_bytes > self.max_samples {
            state.drop_oldest();
        }
        state.drop_stale(now);
        if state.reply_bytes > MAX_REPLIES {
            state.close();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for frames, and moves them to `out` until it has `enough` bytes. Returns `false` when the backlog is
    /// closed and empty.
    pub fn take(&self, enough: usize, out: &mut Vec<u8>) -> bool {
        let mut state = self.lock();
        while state.frames.is_empty() && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.drop_stale(Instant::now());
        while out.len() < enough {
            let Some((_, frame)) = state.frames.pop_front() else { break };
            match frame.is_sample {
                true => state.sample_bytes -= frame.size(),
                false => state.reply_bytes -= frame.size(),
            }
            frame.write(out);
        }
        !out.is_empty()
    }

    /// Returns the frames that wait, without waiting for any.
    pub fn drain(&self) -> Vec<Frame> {
        let mut state = self.lock();
        (state.sample_bytes, state.reply_bytes) = (0, 0);
        std::mem::take(&mut state.frames).into_iter().map(|(_, frame)| frame).collect()
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
        if let Some(at) = self.frames.iter().position(|(_, frame)| frame.is_sample) {
            self.drop_at(at);
        }
    }

    /// Drops the samples of states that have waited too long, and that later ones replace.
    fn drop_stale(&mut self, now: Instant) {
        let mut at = 0;
        while let Some((since, frame)) = self.frames.get(at)
            && now.duration_since(*since) > MAX_AGE
        {
            let is_replaced = |state| {
                self.frames.iter().skip(at + 1).any(|(_, later)| later.state == Some(state))
            };
            match frame.state.is_some_and(is_replaced) {
                true => self.drop_at(at),
                false => at += 1,
            }
        }
    }

    fn drop_at(&mut self, at: usize) {
        let Some((_, frame)) = self.frames.remove(at) else { return };
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
    use super::{Backlog, MAX_AGE};
    use crate::frame::Frame;

    const ENOUGH: usize = 64 << 10;

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
        assert!(backlog.take(ENOUGH, &mut out));
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
    fn samples_of_states_that_later_ones_replace_do_not_wait_long() {
        let sample = |stream, number: u8| Frame::sample(stream, 0, vec![number; 100].into());
        let backlog = Backlog::new(1 << 20);
        backlog.push(sample(1, 1).of_state(1));
        backlog.push(sample(2, 2).of_state(2));
        backlog.push(sample(3, 3));
        std::thread::sleep(MAX_AGE + MAX_AGE / 10);
        backlog.push(sample(1, 4).of_state(1));
        backlog.push(sample(3, 5));
        let mut out = Vec::new();
        assert!(backlog.take(ENOUGH, &mut out));
        let kept = (1..6).filter(|number| out.windows(100).any(|window| window == [*number; 100]));
        // 2 is the last one of its stream, and 3 is an event
        assert_eq!(kept.collect::<Vec<u8>>(), [2, 3, 4, 5]);
        assert_eq!(backlog.dropped().samples, 1);
    }

    #[test]
    fn a_client_that_never_reads_replies_is_disconnected() {
        let backlog = Backlog::new(1000);
        for _ in 0..70 {
            backlog.push(Frame::text(vec![b' '; 1 << 20]));
        }
        assert!(!backlog.take(ENOUGH, &mut Vec::new()));
    }
}
