//! Pauses, the end and the clock of runs.

use std::time::Duration;

use simhost_engine::Clock;

use crate::error::Error;
use crate::hooks::Time;
use crate::pace::{ClockMode, Overruns, PaceStatus, Pacer};

/// Work of a session since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepsMade {
    /// Number of steps, with those before a reset or the return to a snapshot.
    pub steps: u64,
    /// Wall time during which runs have waited for the end of a pause.
    pub paused: Duration,
}

/// Pauses, the end and the clock of the runs of a session. Any thread can read the pace and whether the session
/// is paused with [`Inputs::pace`](crate::Inputs::pace).
pub struct RunControl<'s> {
    pub(super) control: &'s mut Control,
    pub(super) pacer: &'s mut Pacer,
    /// The clock of the simulation.
    pub(super) now: Clock,
}

impl RunControl<'_> {
    /// Returns the clock that runs follow.
    pub fn clock(&self) -> ClockMode {
        self.pacer.mode()
    }

    /// Changes the clock that runs follow. Results do not depend on it.
    pub fn set_clock(&mut self, clock: ClockMode) {
        self.pacer.set_mode(clock);
    }

    /// Returns the steps that have been made since the session was opened, and the wall time of its pauses.
    pub fn work(&self) -> StepsMade {
        self.control.work
    }

    /// Returns the delays in relation to the clock since the session was opened.
    pub fn overruns(&self) -> Overruns {
        self.pacer.overruns()
    }

    /// Pauses the session at the end of the first step at `time` or after. Simulated time then stands
    /// still until an input ends the pause.
    ///
    /// # Errors
    /// [`Error::Past`] if the time is not finite or has passed.
    pub fn pause_after(&mut self, time: Time) -> Result<(), Error> {
        self.check_future(time)?;
        let (steps, is_end) = self.now.last_step(time.0);
        self.control.pause_at(if is_end { steps } else { steps + 1 });
        Ok(())
    }

    /// Sets the reaction of runs to a pause.
    pub fn set_when_paused(&mut self, when_paused: WhenPaused) {
        self.control.when_paused = when_paused;
    }

    /// Ends every run at a simulated time. At the present time, no time passes.
    ///
    /// # Errors
    /// [`Error::Past`] if the time is negative, not finite or has passed.
    pub fn stop_after(&mut self, time: Time) -> Result<(), Error> {
        self.check_future(time)?;
        self.control.end = Some(time.0);
        Ok(())
    }

    /// Lets runs end later by `time`: after the time of [`Self::stop_after`] if there is one, otherwise
    /// after the present time.
    ///
    /// # Errors
    /// [`Error::Extension`] if the time is negative or not finite.
    pub fn extend(&mut self, time: Time) -> Result<(), Error> {
        if !time.0.is_finite() || time.0 < 0.0 {
            return Err(Error::Extension { found: time.0 });
        }
        let end = self.control.end.unwrap_or(self.now.time());
        self.control.end = Some(end + time.0);
        Ok(())
    }

    /// # Errors
    /// [`Error::Past`] if a time is not finite or has passed.
    fn check_future(&self, time: Time) -> Result<(), Error> {
        let now = self.now.time();
        match time.0.is_finite() && time.0 >= now {
            true => Ok(()),
            false => Err(Error::Past { until: time.0, now }),
        }
    }
}

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
    /// Work so far.
    pub work: StepsMade,
    is_paused: bool,
    /// Number of completed steps at which a pause begins.
    pause_at: Option<u64>,
    /// Number of steps that are allowed during a pause.
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

    /// Returns how many of `steps` steps are allowed now that `done` steps are complete.
    pub fn allowed(&mut self, done: u64, steps: u64) -> u64 {
        let to_pause = self.pause_at.map_or(u64::MAX, |at| at.saturating_sub(done));
        if to_pause == 0 {
            self.pause_at = None;
            self.pause();
        }
        if self.is_paused { self.granted.min(steps) } else { steps.min(to_pause) }
    }

    /// Counts completed steps.
    pub fn count(&mut self, steps: u64) {
        self.granted = self.granted.saturating_sub(steps);
        self.work.steps += steps;
        self.status.set_steps(self.work.steps);
    }
}
