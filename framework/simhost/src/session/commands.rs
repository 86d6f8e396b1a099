//! Commands whose times are known before the run.

use simhost_engine::{Clock, TimedCommand};
use simhost_streams::Input;

use super::Session;
use crate::error::Error;

/// Returns a command as an input that acts now.
fn input(command: &TimedCommand) -> Input {
    let TimedCommand { vehicle, kind, values, .. } = command.clone();
    Input::Command { vehicle, kind, values }
}

impl Session {
    /// Replaces all commands whose times are known, sorted by time. They act after the inputs that arrive
    /// before the same step. Commands whose time has passed do not act, until a reset or a restored
    /// snapshot returns to an earlier time.
    ///
    /// # Errors
    /// [`Error::Input`] or [`Error::Commands`] if a command does not fit its vehicle, or they are not sorted.
    pub fn set_commands(&mut self, commands: Vec<TimedCommand>) -> Result<(), Error> {
        if let Err(error) = self.simulation.set_commands(&commands) {
            // inputs know the nearest names
            let misfit = commands.iter().filter(|_| error.is_misfit());
            misfit.map(input).try_for_each(|input| self.inputs.check(&input))?;
            return Err(error.into());
        }
        // without a description, the simulation cannot be built again
        if self.is_recorded() || self.description.is_some() {
            self.commands = commands;
        }
        Ok(())
    }

    /// Gives the commands to a simulation that has been built again. Those for vehicles that have been
    /// removed are left out.
    pub(super) fn repeat_commands(&mut self) {
        if !self.commands.is_empty() {
            let set = self.simulation.set_fitting_commands(&self.commands);
            set.expect("sorted commands of finite numbers");
        }
    }

    /// Records the commands that act on the next `steps` steps.
    pub(super) fn record_commands(&mut self, steps: u64) -> Result<(), Error> {
        if self.commands.is_empty() || !(self.is_recorded() || self.logs_commands()) {
            return Ok(());
        }
        let clock = self.simulation.clock();
        let at = |steps: u64| Clock { steps, ..clock };
        let commands = std::mem::take(&mut self.commands);
        let done = clock.steps.checked_sub(1).map(at);
        let mut next =
            done.map_or(0, |done| commands.partition_point(|one| one.is_due(done.time())));
        let mut outcome = Ok(());
        for step in clock.steps..clock.steps + steps {
            while let Some(command) = commands.get(next).filter(|one| one.is_due(at(step).time())) {
                let input = input(command);
                self.log_command(step, &input);
                outcome = outcome.and(self.record_at(step, &input));
                next += 1;
            }
        }
        self.commands = commands;
        outcome.and(self.flush_record())
    }
}
