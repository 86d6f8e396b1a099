//! Commands whose times are known before the run.

use std::collections::HashMap;

use simhost_engine::{Clock, Command, CommandKind};
use simhost_streams::Input;

use super::Session;
use crate::error::Error;

/// A command with the time from which it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedCommand {
    /// Time, s. It acts on the first step that starts at this time or later.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Kind of the command.
    pub kind: String,
    /// Values of the kind, in its order and units.
    pub values: Vec<f64>,
}

impl TimedCommand {
    /// Returns whether it acts on a step that starts at a time, or earlier.
    fn is_due(&self, clock: Clock) -> bool {
        clock.time() >= self.time - 1e-9
    }

    fn input(&self) -> Input {
        let Self { vehicle, kind, values, .. } = self.clone();
        Input::Command { vehicle, kind, values }
    }
}

impl Session {
    /// Replaces all commands whose times are known, sorted by time. They act after the inputs that arrive
    /// before the same step. Commands whose time has passed do not act, until a reset or a restored
    /// snapshot returns to an earlier time.
    ///
    /// # Errors
    /// [`Error::Input`] or [`Error::Commands`] if a command does not fit its vehicle, or they are not sorted.
    pub fn set_commands(&mut self, commands: Vec<TimedCommand>) -> Result<(), Error> {
        let (list, misfit) = self.fitting_commands(&commands);
        if let Some(misfit) = misfit {
            self.inputs.check(&misfit.input())?;
        }
        self.simulation.set_commands(list)?;
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
            let list = self.fitting_commands(&self.commands).0;
            self.simulation.set_commands(list).expect("sorted commands that fit their vehicles");
        }
    }

    /// Returns the commands that fit their vehicles, and the first that does not.
    fn fitting_commands<'a>(
        &self,
        commands: &'a [TimedCommand],
    ) -> (Vec<Command>, Option<&'a TimedCommand>) {
        let simulation = &self.simulation;
        let names = simulation.vehicle_names().iter().enumerate();
        let numbers: HashMap<&str, usize> =
            names.map(|(number, name)| (name.as_str(), number)).collect();
        let mut kinds = HashMap::new();
        let (mut list, mut misfit) = (Vec::with_capacity(commands.len()), None);
        for command in commands {
            let TimedCommand { time, vehicle, kind, values } = command;
            let known = numbers.get(vehicle.as_str()).and_then(|number| {
                let of = || simulation.command_kinds(*number);
                let kinds: &Vec<CommandKind> = kinds.entry(*number).or_insert_with(of);
                kinds.iter().find(|known| known.name == *kind)
            });
            let Some(known) = known.filter(|known| known.values.len() == values.len()) else {
                misfit = misfit.or(Some(command));
                continue;
            };
            let named = known.values.iter().zip(values);
            let values = named.filter_map(|(port, value)| Some((port.clone()?, *value))).collect();
            list.push(Command { time: *time, vehicle: vehicle.clone(), values });
        }
        (list, misfit)
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
        let mut next = done.map_or(0, |done| commands.partition_point(|one| one.is_due(done)));
        let mut outcome = Ok(());
        for step in clock.steps..clock.steps + steps {
            while let Some(command) = commands.get(next).filter(|one| one.is_due(at(step))) {
                let input = command.input();
                self.log_command(step, &input);
                outcome = outcome.and(self.record_at(step, &input));
                next += 1;
            }
        }
        self.commands = commands;
        outcome.and(self.flush_record())
    }
}
