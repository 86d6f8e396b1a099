//! The steps of an ensemble.

use simhost_engine::{Clock, StepGoals};

use super::Ensemble;
use super::command_input::CommandInput;
use super::selection::Selected;
use super::status::MemberEnd;
use crate::error::Error;
use crate::session::Session;
use crate::time::Time;

/// A command that members are given before their steps, and the quantities that are read after them.
pub(super) struct Exchange<'e> {
    /// Index of the command among those that have been found.
    pub command: usize,
    pub values: &'e [f64],
    pub selected: &'e Selected,
    pub to: &'e mut [f32],
}

impl Ensemble {
    /// Takes steps with all members that have not ended. A member whose step fails, whose observer ends its run, or that
    /// reaches the duration of the world ends and stands still.
    ///
    /// # Errors
    /// [`Error`] if a sink or an observer of a member fails, or models cannot be built. Failed steps are no error; see
    /// [`Member::end`].
    pub fn step(&mut self, steps: u64) -> Result<(), Error> {
        self.advance(steps, None)
    }

    /// Takes steps with those members for which `mask` is true, as [`Self::step`] does.
    ///
    /// # Errors
    /// As [`Self::step`], and [`EnsembleError::Shape`] if the mask does not have one value per member.
    pub fn step_some(&mut self, steps: u64, mask: &[bool]) -> Result<(), Error> {
        self.check_length("the mask", mask.len(), 1)?;
        self.advance(steps, Some(mask))
    }

    /// Steps until `time` with all members that have not ended.
    ///
    /// # Errors
    /// As [`Self::step`], and [`Error::Past`] if the time is not finite, or has passed for all members.
    pub fn run_until(&mut self, time: Time) -> Result<(), Error> {
        let clock = self.session.simulation().clock();
        let fewest = (0..self.members()).map(|member| self.members.steps(member)).min();
        let now = Clock { steps: fewest.unwrap_or(0), ..clock };
        let end = clock.last_step(time.0).0;
        if !time.0.is_finite() || end < now.steps {
            return Err(Error::Past { until: time.0, now: now.time() });
        }
        let missing =
            (0..self.members()).map(|member| end.saturating_sub(self.members.steps(member)));
        let Some(most) = missing.max() else { return Ok(()) };
        self.advance_to(&|steps| end.saturating_sub(steps).min(most), None)
    }

    /// Sets a command of all members, takes steps with those that have not ended, and reads selected quantities of all:
    /// [`Self::set`], [`Self::step`] and [`Self::read_f32`] in one, which takes less time with several threads.
    ///
    /// # Errors
    /// As these. Nothing changes if the values or the matrix do not fit.
    pub fn exchange(
        &mut self,
        (input, values): (&str, &[f64]),
        steps: u64,
        selected: &Selected,
        to: &mut [f32],
    ) -> Result<(), Error> {
        let command = self.checked_command(input, values)?;
        self.check_length("the matrix", to.len(), selected.width())?;
        if selected.width() == 0 {
            self.set(input, values)?;
            return self.step(steps);
        }
        self.command_sessions(command, values)?;
        let exchange = Exchange { command, values, selected, to: &mut *to };
        self.advance_with(&|_| steps, None, Some(exchange))?;
        self.read_sessions(selected, to, |value| value as f32);
        Ok(())
    }

    fn advance(&mut self, steps: u64, mask: Option<&[bool]>) -> Result<(), Error> {
        self.advance_to(&|_| steps, mask)
    }

    /// Takes as many steps with each member as `wanted` returns for the number of its completed steps.
    pub(super) fn advance_to(
        &mut self,
        wanted: &(dyn Fn(u64) -> u64 + Sync),
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        self.advance_with(wanted, mask, None)
    }

    /// Takes steps as [`Self::advance_to`] does. Members without a session are given a command before, and are read after
    /// it.
    pub(super) fn advance_with(
        &mut self,
        wanted: &(dyn Fn(u64) -> u64 + Sync),
        mask: Option<&[bool]>,
        exchange: Option<Exchange<'_>>,
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
        let progress = match exchange {
            None => members.step(goals),
            Some(Exchange { command, values, selected, to }) => {
                let CommandInput { number, kind, .. } = &commands[command];
                let read = (selected.quantities(), selected.width());
                let command = (*number, &**kind, values);
                members.exchange(command, goals, read, (to, &|value| value as f32))
            }
        }?;
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
            self.note_ends();
        }
        Ok(())
    }

    /// Notes which members have ended.
    pub(super) fn note_ends(&mut self) {
        for member in 0..self.members() {
            if self.ends.has(member) {
                continue;
            }
            let steps = self.steps_of(member);
            let end = match self.members.failure(member) {
                Some(error) if !self.sessions.contains_key(&member) => Some(MemberEnd::of(error)),
                _ if steps >= self.last => Some(MemberEnd::Duration),
                _ => None,
            };
            self.ends.set(member, end);
        }
    }

    pub(super) fn steps_of(&self, member: usize) -> u64 {
        let session = self.sessions.get(&member);
        session.map_or_else(|| self.members.steps(member), Session::steps)
    }
}
