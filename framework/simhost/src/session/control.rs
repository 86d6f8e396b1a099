//! Pause, steps and the end of a run.

use crate::pace::PaceStatus;

/// Reaction of a run to a pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenPaused {
    /// The run returns [`Ended::Paused`](super::Ended::Paused).
    #[default]
    Return,
    /// The run waits for an input that ends the pause, which another thread sends.
    Wait,
}

/// Pause, steps and the end of a run, as inputs have set them.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Reaction of a run to a pause.
    pub when_paused: WhenPaused,
    is_paused: bool,
    /// Number of completed steps at which a pause begins.
    pause_at: Option<u64>,
    /// Number of steps that may be made during a pause.
    granted: u64,
    /// Whether the run has been asked to end.
    is_stopped: bool,
    /// Time at which every run ends, s.
    pub end: Option<f64>,
    /// Shows other threads whether the session is paused.
    status: PaceStatus,
}

impl Control {
    pub fn new(status: PaceStatus) -> Self {
        Self { status, ..Self::default() }
    }

    pub fn pause(&mut self) {
        self.set_paused(true);
        self.granted = 0;
    }

    pub fn resume(&mut self) {
        self.set_paused(false);
        self.granted = 0;
    }

    /// Pauses as soon as this number of steps is complete.
    pub fn pause_at(&mut self, steps: u64) {
        self.pause_at = Some(steps);
    }

    fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.status.set_paused(is_paused);
    }

    /// Pauses, apart from `steps` steps.
    pub fn step(&mut self, steps: u64) {
        self.set_paused(true);
        self.granted = self.granted.saturating_add(steps);
    }

    pub fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Returns whether the run has been asked to end since the last call.
    pub fn take_stop(&mut self) -> bool {
        std::mem::take(&mut self.is_stopped)
    }

    /// Returns whether steps wait for the end of a pause.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns how many of `steps` steps may be made now that `done` steps are complete.
    pub fn allowed(&mut self, done: u64, steps: u64) -> u64 {
        let to_pause = self.pause_at.map_or(u64::MAX, |at| at.saturating_sub(done));
        if to_pause == 0 {
            self.pause_at = None;
            self.pause();
        }
        if self.is_paused { self.granted.min(steps) } else { steps.min(to_pause) }
    }

    /// Counts steps that have been made.
    pub fn count(&mut self, steps: u64) {
        self.granted = self.granted.saturating_sub(steps);
    }
}
