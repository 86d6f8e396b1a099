//! The clock of a session: its pace, and the pause at a time.

use std::time::Duration;

use simhost_streams::Stamp;

use super::Session;
use crate::error::Error;
use crate::pace::{ClockMode, Overruns, PaceStatus};
use crate::time::Time;

impl Session {
    /// Returns the clock that runs follow.
    pub fn clock(&self) -> ClockMode {
        self.pacer.mode()
    }

    /// Changes the clock that runs follow. Results do not depend on it.
    pub fn set_clock(&mut self, clock: ClockMode) {
        self.pacer.set_mode(clock);
    }

    /// Returns the simulated time as a stamp, in whole nanoseconds.
    pub fn stamp(&self) -> Stamp {
        let clock = self.world.simulation.clock();
        Stamp::of_step(clock.steps, clock.dt)
    }

    /// Returns the pace, which any thread can read while the session runs.
    pub fn pace(&self) -> PaceStatus {
        self.pacer.status().clone()
    }

    /// Returns the delays in relation to the clock since the session was opened.
    pub fn overruns(&self) -> Overruns {
        self.pacer.overruns()
    }

    /// Returns the wall time of the last frame: steps without a look at the clock, and their samples.
    ///
    /// In real time, each frame is timed, and is one step. If a run is as fast as possible, only its
    /// last frame is timed, which can be up to 16 steps.
    pub fn last_frame(&self) -> Duration {
        self.pacer.status().last_frame()
    }

    /// Pauses the session at the end of the first step at `time` or after. Simulated time then stands
    /// still until an input ends the pause.
    ///
    /// # Errors
    /// [`Error::Past`] if the time is not finite or has passed.
    pub fn pause_after(&mut self, time: Time) -> Result<(), Error> {
        let clock = self.world.simulation.clock();
        if !time.0.is_finite() || time < self.time() {
            return Err(Error::Past { until: time.0, now: clock.time() });
        }
        let (steps, is_end) = clock.last_step(time.0);
        self.control.pause_at(if is_end { steps } else { steps + 1 });
        Ok(())
    }
}
