//! Repeating a recorded session.

use super::{Ended, Flow, Session};
use crate::error::Error;
use crate::gpu::{Gpu, GpuMode};
use crate::options::Options;
use crate::output::Recorded;

impl Session {
    /// Opens a session that repeats a recorded one: its world, its seed, its limits and its inputs take the
    /// place of those in `options`.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn reopen(recorded: &Recorded, mut options: Options) -> Result<Self, Error> {
        options.load = recorded.options(options.load);
        options.seed = Some(recorded.manifest.seed);
        options.limits = recorded.manifest.options.limits();
        // the readings of any other mode have no influence on the results
        if recorded.manifest.options.gpu.parse() == Ok(GpuMode::Require) {
            options.gpu = Gpu::new(GpuMode::Require);
        }
        let mut session = Self::open(recorded.world(), options)?;
        session.plan_recorded(recorded, 0)?;
        Ok(session)
    }

    /// Plans the inputs of a recorded session without the first `skipped`. Each acts after the one before it, and is
    /// checked when it acts: it can name an entity that another one adds. Those that acted before the measurements at
    /// the start act now.
    ///
    /// # Errors
    /// [`Error`] if an input that acts now cannot be recorded.
    pub fn plan_recorded(&mut self, recorded: &Recorded, skipped: usize) -> Result<(), Error> {
        let (early, later): (Vec<_>, Vec<_>) =
            recorded.acting().skip(skipped).cloned().partition(|record| record.before_start);
        early.into_iter().try_for_each(|record| self.log_and_try(record.input.into()))?;
        let later = later.into_iter().map(|record| (record.step, record.input));
        self.intake.plan_recorded(later, recorded.folder());
        Ok(())
    }

    /// Repeats the steps of the recorded session that [`Self::reopen`] was given. Returns whether the result
    /// hash agrees, or `None` if the recorded session was killed and has recorded none.
    ///
    /// # Errors
    /// As [`Self::run_steps`], apart from the error with which the recorded session has ended.
    pub fn repeat(&mut self, recorded: &Recorded) -> Result<Option<bool>, Error> {
        let failed = recorded.failure().is_some();
        // the step that failed may not have been counted
        let last = recorded.last_step() + u64::from(failed);
        loop {
            match self.run_planned(last, u64::MAX, &mut |_| Ok(Flow::Continue)) {
                // the recorded session continued after the request of an observer
                Ok(Ended::Observer(_)) if self.steps() < last => {}
                Err(Error::Step(_)) if failed => break,
                ended => break ended.map(drop)?,
            }
        }
        let hash = format!("{:032x}", self.world.simulation.result_hash());
        let end = recorded.end();
        Ok(end.map(|end| end.result_hash == hash && end.step == self.steps()))
    }
}
