//! The steps of an ensemble.

use std::ops::Range;

use simhost_engine::{BatchExchange, BatchProgress, Clock, ResetMask, StepGoals, WorldBatch};

use super::command_input::{CommandInput, Commands};
use super::selection::Selected;
use super::status::MemberEnd;
use super::variants::Starts;
use super::{Ensemble, check_length};
use crate::error::Error;
use crate::hooks::Time;
use crate::session::Session;

/// A command of all members, the steps that they take with it, and the resets after these.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'e> {
    /// Input stream of the command, such as `robot/cmd_vel`.
    pub input: &'e str,
    /// One row per member, with the values of the command in its order and units.
    pub values: &'e [f64],
    /// Number of steps.
    pub steps: u64,
    /// Which members are put back to their starts after the steps; none without a mask.
    pub reset: Option<&'e [bool]>,
}

impl Ensemble {
    /// Takes steps with all members that have not ended. A member whose step fails, whose observer ends its run, or that
    /// reaches the duration of the world ends and stands still.
    ///
    /// # Errors
    /// [`Error`] if a sink or an observer of a member fails, or models cannot be built. A failed
    /// step is not an error; see [`Member::end`](super::Member::end).
    pub fn step(&mut self, steps: u64) -> Result<(), Error> {
        self.advance_to(&|_| steps, None)
    }

    /// Takes steps with those members for which `mask` is true, as [`Self::step`] does.
    ///
    /// # Errors
    /// As [`Self::step`], and [`EnsembleError::Shape`](crate::EnsembleError::Shape) if the mask does not have one value per member.
    pub fn step_some(&mut self, steps: u64, mask: &[bool]) -> Result<(), Error> {
        check_length(self.members(), "the mask", mask.len(), 1)?;
        self.advance_to(&|_| steps, Some(mask))
    }

    /// Steps until `time` with all members that have not ended.
    ///
    /// # Errors
    /// As [`Self::step`], and [`Error::Past`] if the time is not finite, or has passed for all members.
    pub fn run_until(&mut self, time: Time) -> Result<(), Error> {
        let end = last_step(self, time)?;
        let missing =
            (0..self.members()).map(|member| end.saturating_sub(self.members.steps(member)));
        let Some(most) = missing.max() else { return Ok(()) };
        self.advance_to(&|steps| end.saturating_sub(steps).min(most), None)
    }

    /// Returns the smallest number of completed steps of a member.
    pub fn fewest_steps(&self) -> u64 {
        (0..self.members()).map(|member| self.steps_of(member)).min().unwrap_or(0)
    }

    /// Sets a command of all members, takes steps with those that have not ended, puts members back to their starts, and reads
    /// selected quantities of all: [`Self::set`], [`Self::step`], [`Self::reset`] and [`Self::read_f32`] in one, which takes
    /// less time with several threads.
    ///
    /// # Errors
    /// As these. Nothing changes if the values, the mask or the matrix do not fit.
    pub fn exchange(
        &mut self,
        exchange: Exchange<'_>,
        selected: &Selected,
        to: &mut [f32],
    ) -> Result<(), Error> {
        self.exchange_with(exchange, selected, to, |_| |_| {})
    }

    /// Does what [`Self::exchange`] does. `look` gets the numbers of some members, and returns a function that is then called
    /// with their rows, by the thread that has read them. All members come once, in ascending order.
    ///
    /// # Errors
    /// As [`Self::exchange`]. Then not all of these functions need have been called.
    pub fn exchange_with<L: FnOnce(&[f32]) + Send>(
        &mut self,
        Exchange { input, values, steps, reset }: Exchange<'_>,
        selected: &Selected,
        to: &mut [f32],
        mut look: impl FnMut(Range<usize>) -> L,
    ) -> Result<(), Error> {
        let command = self.checked_command(input, values)?;
        check_length(self.members(), "the matrix", to.len(), selected.width())?;
        reset.map_or(Ok(()), |mask| check_length(self.members(), "the mask", mask.len(), 1))?;
        if selected.width() == 0 || !self.sessions.is_empty() {
            self.set(input, values)?;
            self.step(steps)?;
            reset.map_or(Ok(()), |mask| self.reset(mask, None))?;
            self.read_f32(selected, to)?;
            look(0..self.members())(to);
            return Ok(());
        }
        let have_changed =
            reset.map_or(Ok(false), |mask| self.members.variants_mut().draw_again(mask))?;
        let reset = reset.map(|members| ResetMask { members, have_changed });
        if let Some(ResetMask { members, .. }) = reset {
            // those at their last step, or whose step has failed, take none all the same
            self.ends.resume(members);
        }
        self.advance_with(&|_| steps, None, |members, commands, goals| {
            let CommandInput { number, kind, .. } = &commands.found[command];
            let exchange = BatchExchange {
                vehicle: *number,
                kind,
                values,
                steps: goals,
                reset,
                quantities: selected.quantities(),
                to,
                convert: &|value| value as f32,
            };
            members.exchange(exchange, look)
        })
    }

    /// Takes as many steps with each member as `wanted` returns for the number of its completed steps.
    pub(crate) fn advance_to(
        &mut self,
        wanted: &(dyn Fn(u64) -> u64 + Sync),
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        self.advance_with(wanted, mask, |members, _, goals| members.step(goals))
    }

    /// Takes steps as [`Self::advance_to`] does. `act` takes the steps of members without a
    /// session; it also gets the commands.
    fn advance_with(
        &mut self,
        wanted: &(dyn Fn(u64) -> u64 + Sync),
        mask: Option<&[bool]>,
        act: impl FnOnce(
            &mut WorldBatch<Starts>,
            &Commands,
            StepGoals<'_>,
        ) -> Result<BatchProgress, Error>,
    ) -> Result<(), Error> {
        let Self { members, sessions, ends, last, befores, commands, .. } = self;
        let goal = |member: usize, done: u64| match ends.has(member)
            || mask.is_some_and(|mask| !mask[member])
        {
            true => 0,
            false => wanted(done).min(last.saturating_sub(done)),
        };
        befores.clear();
        befores.extend(sessions.iter().map(|(member, session)| (*member, session.steps())));
        let (of_sessions, has_sessions) = (&*befores, !befores.is_empty());
        let goal_of_member = |member, done| match has_sessions && of_sessions.contains_key(&member)
        {
            true => 0,
            false => goal(member, done),
        };
        let goal_of_all = |done: u64| wanted(done).min(last.saturating_sub(done));
        let goals = match has_sessions || mask.is_some() || ends.has_any() {
            true => StepGoals::Each(&goal_of_member),
            false => StepGoals::Alike(&goal_of_all),
        };
        let progress = act(members, commands, goals)?;
        let mut stopped = Vec::new();
        for (member, session) in &mut *sessions {
            let steps = goal(*member, session.steps());
            if steps > 0
                && let Some(end) = MemberEnd::of_run(session.run_steps(steps))?
            {
                stopped.push((*member, end));
            }
        }
        for (member, end) in stopped {
            self.ends.set(member, Some(end));
        }
        if progress.has_failures || progress.most_steps >= self.last || !self.sessions.is_empty() {
            self.ends.note(&self.members, &self.sessions, self.last);
        }
        Ok(())
    }

    pub(crate) fn steps_of(&self, member: usize) -> u64 {
        let session = self.sessions.get(&member);
        session.map_or_else(|| self.members.steps(member), Session::steps)
    }
}

/// Returns the number of the last step that ends at a time or before.
///
/// # Errors
/// [`Error::Past`] if the time is not finite, or has passed for all members.
pub(crate) fn last_step(of: &Ensemble, time: Time) -> Result<u64, Error> {
    let now = Clock { steps: of.fewest_steps(), ..of.session.simulation().clock() };
    let end = now.last_step(time.0).0;
    // steps have no negative numbers
    let is_before_start = time.0 < 0.0 && now.last_step(-time.0) != (0, true);
    match time.0.is_finite() && end >= now.steps && !is_before_start {
        true => Ok(end),
        false => Err(Error::Past { until: time.0, now: now.time() }),
    }
}
