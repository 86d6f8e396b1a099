//! The pace of a run, for other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Delays of a run in relation to its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overruns {
    /// Number of frames that began more than 1 ms late.
    pub count: u64,
    /// Number of all frames. In real time, a frame is one step.
    pub frames: u64,
    /// Longest delay.
    pub longest: Duration,
    /// Wall time that was not caught up: simulated time is behind by that much.
    pub lost: Duration,
}

impl std::fmt::Display for Overruns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { count, frames, longest, lost } = self;
        let longest = longest.as_secs_f64() * 1e3;
        write!(f, "{count} of {frames} frames began late, by up to {longest:.1} ms")?;
        match lost.is_zero() {
            true => write!(f, "; all of it was caught up"),
            false => write!(f, "; {:.3} s were not caught up", lost.as_secs_f64()),
        }
    }
}

/// Pace of a session, which any thread can read while the session runs.
#[derive(Clone, Debug, Default)]
pub struct PaceStatus(Arc<SharedPace>);

#[derive(Debug, Default)]
struct SharedPace {
    is_paused: AtomicBool,
    /// Number of steps since the session was opened.
    steps: AtomicU64,
    /// Bits of the factor; 0 stands for "as fast as possible".
    factor: AtomicU64,
    overruns: AtomicU64,
    /// Wall time of the last frame, ns.
    frame: AtomicU64,
    /// Wall time that was not caught up, ns.
    lost: AtomicU64,
}

impl PaceStatus {
    /// Returns whether the session is paused.
    pub fn is_paused(&self) -> bool {
        self.0.is_paused.load(Ordering::Relaxed)
    }

    pub(crate) fn set_paused(&self, is_paused: bool) {
        self.0.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Returns the number of steps since the session was opened, with those before a reset.
    pub fn steps(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }

    pub(crate) fn set_steps(&self, steps: u64) {
        self.0.steps.store(steps, Ordering::Relaxed);
    }

    /// Returns the simulated time per wall time that the session is to keep, or `None` if it runs as
    /// fast as possible.
    pub fn factor(&self) -> Option<f64> {
        let factor = f64::from_bits(self.0.factor.load(Ordering::Relaxed));
        (factor > 0.0).then_some(factor)
    }

    pub(super) fn set_factor(&self, factor: Option<f64>) {
        self.0.factor.store(factor.unwrap_or(0.0).to_bits(), Ordering::Relaxed);
    }

    /// Returns the number of frames that began late.
    pub fn overruns(&self) -> u64 {
        self.0.overruns.load(Ordering::Relaxed)
    }

    /// Returns the wall time that was not caught up: simulated time is behind by that much.
    pub fn lost(&self) -> Duration {
        Duration::from_nanos(self.0.lost.load(Ordering::Relaxed))
    }

    pub(super) fn set_overruns(&self, Overruns { count, lost, .. }: &Overruns) {
        let lost = u64::try_from(lost.as_nanos()).unwrap_or(u64::MAX);
        self.0.overruns.store(*count, Ordering::Relaxed);
        self.0.lost.store(lost, Ordering::Relaxed);
    }

    /// Returns the wall time of the last frame that was timed: the steps of one look at the clock, with
    /// their samples.
    pub fn last_frame(&self) -> Duration {
        Duration::from_nanos(self.0.frame.load(Ordering::Relaxed))
    }

    pub(super) fn set_last_frame(&self, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.frame.store(time, Ordering::Relaxed);
    }
}
