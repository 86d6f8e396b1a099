//! The run loop.

use std::time::{Duration, Instant};

use simhost_engine::Stop;

use super::Session;
use super::control::WhenPaused;
use crate::error::Error;
use crate::gpu::{Gpu, GpuMode};
use crate::hooks::{Active, Time};
use crate::options::Options;
use crate::output::Recorded;
use crate::pace::Due;

/// Largest number of steps between two looks at inputs.
const PIECE: u64 = 128;
/// The same for a world with sensors, whose steps can take long.
const PIECE_WITH_SENSORS: u64 = 16;
/// Number of vehicles times steps that take about 0.1 s. With more vehicles, a run looks at inputs more often.
const MANY_STEPS: u64 = 640_000;
/// Longest wall time for which a paused run waits before it checks its inputs again.
const PAUSE: Duration = Duration::from_millis(50);

/// The reason why a run has returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The last step that was asked for, or that [`RunControl::stop_after`](crate::RunControl::stop_after) permits, is done.
    Reached,
    /// The condition has become false.
    Condition,
    /// The session is paused.
    Paused,
    /// An input has ended the run.
    Stopped,
    /// An observer has ended the run.
    Observer(Stop),
}

/// Answer of the code that runs between pieces of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The run continues.
    Continue,
    /// The run ends with [`Ended::Condition`].
    End,
}

impl Session {
    /// Steps until the last step that ends at `time` or before.
    ///
    /// # Errors
    /// [`Error::Past`] if the time is not finite or has passed; otherwise as [`Self::run_steps`].
    pub fn run_until(&mut self, time: Time) -> Result<Ended, Error> {
        let clock = self.world.simulation.clock();
        let now = clock.time();
        if !time.0.is_finite() || time.0 < now {
            return Err(Error::Past { until: time.0, now });
        }
        self.run_to(clock.last_step(time.0).0)
    }

    /// Runs a number of steps.
    ///
    /// # Errors
    /// [`Error::Step`] if a step fails, [`Error::Sink`] if a sink loses samples or an input cannot be
    /// recorded.
    pub fn run_steps(&mut self, steps: u64) -> Result<Ended, Error> {
        self.run_to(self.steps().saturating_add(steps))
    }

    /// Steps as long as `condition` is true, which is called before each of them.
    ///
    /// # Errors
    /// As [`Self::run_steps`].
    pub fn run_while(&mut self, mut condition: impl FnMut(&Self) -> bool) -> Result<Ended, Error> {
        self.run_pieces(u64::MAX, 1, &mut |session| {
            Ok(if condition(session) { Flow::Continue } else { Flow::End })
        })
    }

    fn run_to(&mut self, last: u64) -> Result<Ended, Error> {
        self.run_pieces(last, u64::MAX, &mut |_| Ok(Flow::Continue))
    }

    /// Steps until `last` steps are complete, at most `most` at a time, and calls `between` before
    /// each such piece, before the inputs that act on it, and from time to time during a pause.
    ///
    /// # Errors
    /// As [`Self::run_steps`], and the errors of `between`.
    pub fn run_pieces(
        &mut self,
        last: u64,
        most: u64,
        between: &mut dyn FnMut(&mut Self) -> Result<Flow, Error>,
    ) -> Result<Ended, Error> {
        let _log = self.enter_log();
        let ended = self.make_pieces(last, most, between);
        let ended = ended.and_then(|ended| self.settle().map(|()| ended));
        self.log_ended(&ended);
        ended
    }

    fn make_pieces(
        &mut self,
        last: u64,
        most: u64,
        between: &mut dyn FnMut(&mut Self) -> Result<Flow, Error>,
    ) -> Result<Ended, Error> {
        let stop = self.begin()?;
        // everything that can keep the run from starting has been asked
        self.record.start(&self.world.simulation)?;
        if let Some(stop) = stop {
            return Ok(Ended::Observer(stop));
        }
        self.pacer.begin(self.world.simulation.clock());
        let vehicles = self.world.simulation.vehicle_names().len() as u64;
        let has_sensors = !self.world.simulation.sensors().is_empty();
        let piece = if has_sensors { PIECE_WITH_SENSORS } else { PIECE };
        let most = most.min((MANY_STEPS / vehicles.max(1)).clamp(1, piece));
        while self.steps() < self.last_step(last) {
            self.settle()?;
            if between(self)? == Flow::End {
                return Ok(Ended::Condition);
            }
            let steps = self.steps();
            self.apply_inputs()?;
            if self.control.take_stop() {
                return Ok(Ended::Stopped);
            }
            if self.steps() != steps {
                // a reset or a restored snapshot has changed the time
                continue;
            }
            let left = self.last_step(last).saturating_sub(self.steps());
            let allowed = self.control.allowed(self.steps(), left.min(most));
            if allowed == 0 && self.control.is_paused() {
                match self.control.when_paused {
                    WhenPaused::Return => return Ok(Ended::Paused),
                    WhenPaused::Wait => {
                        self.outputs.publish_missing(&self.world)?;
                        let began = Instant::now();
                        self.intake.sender.wait(PAUSE);
                        self.control.work.paused += began.elapsed();
                    }
                }
                continue;
            }
            if let Some(stop) = self.make_piece(allowed, left)? {
                return Ok(Ended::Observer(stop));
            }
        }
        Ok(Ended::Reached)
    }

    /// Steps until all planned inputs have acted, and then until `last` are complete, as
    /// [`Self::run_pieces`] does.
    ///
    /// # Errors
    /// As [`Self::run_pieces`].
    pub fn run_planned(
        &mut self,
        last: u64,
        most: u64,
        between: &mut dyn FnMut(&mut Self) -> Result<Flow, Error>,
    ) -> Result<Ended, Error> {
        while let Some(step) = self.intake.next_planned() {
            let ended = self.run_pieces(step, most, between)?;
            if ended != Ended::Reached {
                return Ok(ended);
            }
            if between(self)? == Flow::End {
                return Ok(Ended::Condition);
            }
            // a reset can have led to a step before the next input
            self.apply_planned()?;
        }
        self.run_pieces(last, most, between)
    }

    /// Takes at most `most` of the `left` steps up to the next sample that is due, or waits for a while if
    /// the clock permits none yet.
    fn make_piece(&mut self, most: u64, left: u64) -> Result<Option<Stop>, Error> {
        let clock = self.world.simulation.clock();
        let most = most.min(self.outputs.observers.steps_to_sample(clock));
        let most = most.min(self.outputs.steps_to_sample(clock.steps));
        let most = most.min(self.intake.steps_to_planned(clock.steps));
        // steps during a pause are made at once
        let due = if self.control.is_paused() { Due::Steps(most) } else { self.pacer.due(clock) };
        let steps = match due {
            Due::Steps(steps) => steps.min(most),
            Due::Wait(limit) => {
                self.intake.sender.wait(limit);
                return Ok(None);
            }
        };
        if steps == left || self.hooks.has_any() {
            self.pacer.time_frame();
        }
        if self.hooks.has_any() {
            self.make_step_with_hooks()?;
        } else {
            self.make_steps(steps)?;
        }
        self.publish()?;
        let stop = self.outputs.observers.observe(&self.world.simulation);
        self.pacer.end_frame(self.world.simulation.clock());
        Ok(stop)
    }

    /// Takes one step with its hooks.
    fn make_step_with_hooks(&mut self) -> Result<(), Error> {
        self.active.update(&self.hooks);
        self.call_hooks(Active::before)?;
        // what hooks have sent acts in this step
        self.apply_inputs()?;
        self.make_steps(1)?;
        self.call_hooks(Active::after)
    }

    /// Steps without looking at anything in between.
    fn make_steps(&mut self, steps: u64) -> Result<(), Error> {
        self.record_commands(steps)?;
        let stepped = self.world.simulation.run(steps);
        self.record.note_failure(&stepped);
        stepped?;
        self.control.count(steps);
        self.note_fallback();
        self.log_steps();
        Ok(())
    }

    /// Measures before the first step, and begins the observers.
    fn begin(&mut self) -> Result<Option<Stop>, Error> {
        self.is_finished = false;
        self.measure()?;
        if !self.outputs.is_begun() {
            self.log_begun();
        }
        self.outputs.begin(&self.world)
    }

    /// Measures once before the first step.
    pub(super) fn measure(&mut self) -> Result<(), Error> {
        if !self.world.is_measured {
            self.record().begin()?;
            self.world.is_measured = true;
            let started = self.world.simulation.start();
            self.record.note_failure(&started);
            started?;
            self.publish()?;
        }
        Ok(())
    }

    /// Hands out the samples that are due.
    fn publish(&mut self) -> Result<(), Error> {
        self.outputs.publish(&self.world)?;
        self.record.announce(&self.outputs.take_opened())
    }

    /// Hands out the state from which a run continues, if that has not been done.
    fn settle(&mut self) -> Result<(), Error> {
        self.outputs.settle(&self.world)?;
        self.record.announce(&self.outputs.take_opened())
    }

    /// Returns the number of the last step of a run that is to end after `last` steps.
    fn last_step(&self, last: u64) -> u64 {
        let clock = self.world.simulation.clock();
        self.control.end.map_or(last, |end| last.min(clock.last_step(end).0))
    }

    /// Records the commands of a file that act on the next `steps` steps.
    pub(crate) fn record_commands(&mut self, steps: u64) -> Result<(), Error> {
        let is_kept = self.record.is_kept();
        if self.intake.commands().is_empty() || !(is_kept || self.logs_commands()) {
            return Ok(());
        }
        self.record().begin()?;
        for (step, input) in self.intake.due_commands(self.world.simulation.clock(), steps) {
            self.log_command(step, &input);
            self.record.add(step, false, &input);
        }
        self.record.flush()
    }

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
