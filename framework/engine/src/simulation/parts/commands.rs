//! Commands as a part of a simulation: the list of those to come, and commands that act at once.

use std::collections::HashMap;

use crate::clock::Clock;
use crate::columns::Column;
use crate::commands::{self, Command, CommandError, CommandKind};
use crate::simulation::command_queue::{CommandQueue, ResolvedCommand};
use crate::simulation::continuation::{Continuation, TakeOverError};
use crate::simulation::part::{Part, stateless};
use crate::simulation::{Simulation, StepError};

impl Part for CommandQueue {
    /// Sets the inputs of controllers by the commands that act from this step on.
    fn begin(of: &mut Simulation) -> Result<(), StepError> {
        if of.commands.next == of.commands.resolved.len() {
            return Ok(());
        }
        let time = of.clock.time();
        while let Some(command) = of.commands.due(time) {
            let columns = &mut of.tables[command.table].vehicles.columns;
            for (column, value) in &command.values {
                columns.get_mut(*column)[command.lane] = *value;
            }
            of.commands.next += 1;
        }
        Ok(())
    }

    fn quiet_steps(of: &Simulation, most: u64) -> u64 {
        let is_quiet = |step: &u64| of.commands.due(of.after(*step).time()).is_none();
        (0..most).take_while(is_quiet).count() as u64
    }

    stateless!();

    fn take_over(of: &mut Simulation, from: &mut Continuation<'_>) -> Result<(), TakeOverError> {
        if from.is_same() {
            of.commands.next = from.old.commands.next;
        }
        Ok(())
    }
}

impl Simulation {
    /// Replaces all commands. Commands whose time has passed are not carried out.
    ///
    /// # Errors
    /// [`CommandError`] if a vehicle or an input is unknown, a number is not finite, or the commands are
    /// not sorted by time.
    pub fn set_commands(
        &mut self,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<(), CommandError> {
        let mut latest = f64::NEG_INFINITY;
        let mut resolved = Vec::new();
        let numbers = self.names.iter().enumerate().map(|(number, name)| (name.as_str(), number));
        // names are unique
        let numbers: HashMap<&str, usize> = numbers.collect();
        for command in commands {
            let time = command.time;
            if time < latest {
                return Err(CommandError::Order { time, latest });
            }
            resolved.push(self.resolve(command, &numbers)?);
            latest = time;
        }
        self.commands = CommandQueue { resolved, next: 0 };
        self.skip_commands();
        Ok(())
    }

    /// Carries out a command now, whatever its time; it acts from the next step on.
    ///
    /// # Errors
    /// [`CommandError`] if the vehicle or an input is unknown, or a number is not finite.
    pub fn command(&mut self, command: Command) -> Result<(), CommandError> {
        let number = self.names.iter().position(|name| *name == command.vehicle);
        let name = command.vehicle.clone();
        let numbers = number.map(|number| (name.as_str(), number)).into_iter().collect();
        let resolved = self.resolve(command, &numbers)?;
        let columns = &mut self.tables[resolved.table].vehicles.columns;
        for (column, value) in resolved.values {
            columns.get_mut(column)[resolved.lane] = value;
        }
        Ok(())
    }

    /// Looks up the columns that a command sets. `numbers` are the numbers of the vehicles by name.
    fn resolve(
        &self,
        command: Command,
        numbers: &HashMap<&str, usize>,
    ) -> Result<ResolvedCommand, CommandError> {
        let Command { time, vehicle, values } = command;
        if !time.is_finite() || values.iter().any(|(_, value)| !value.is_finite()) {
            return Err(CommandError::NotFinite { time, vehicle });
        }
        let Some(&number) = numbers.get(vehicle.as_str()) else {
            return Err(CommandError::Vehicle { time, vehicle });
        };
        let (table, lane) = self.places[number];
        let inputs = &self.tables[table].commands;
        let column = |(input, value): (String, f64)| match inputs.get(&input) {
            Some(column) => Ok((column, value)),
            None => Err(CommandError::Input { time, vehicle: vehicle.clone(), input }),
        };
        let values = values.into_iter().map(column).collect::<Result<_, _>>()?;
        Ok(ResolvedCommand { time, table, lane, values })
    }

    /// Skips the commands that acted on the completed steps.
    pub(crate) fn skip_commands(&mut self) {
        let last =
            self.clock.steps.checked_sub(1).map(|steps| Clock { steps, ..self.clock }.time());
        let is_done =
            |command: &ResolvedCommand| last.is_some_and(|time| commands::acts(command.time, time));
        self.commands.next = self.commands.resolved.partition_point(is_done);
    }

    /// Returns the first of the commands that have been set for each fleet that overrides it: the names of
    /// the vehicle and of the fleet.
    pub fn overridden_commands(&self) -> Vec<(&str, &str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        if self.fleets.is_empty() {
            return found;
        }
        for ResolvedCommand { table, lane, values, .. } in &self.commands.resolved {
            let columns: Vec<Column> = values.iter().map(|(column, _)| *column).collect();
            let Some(fleet) = self.fleets.overriding(*table, *lane, &columns) else { continue };
            if !found.iter().any(|(_, known)| *known == fleet) {
                found.push((&self.tables[*table].vehicles.lanes[*lane].name, fleet));
            }
        }
        found
    }

    /// Returns the kinds of commands that the controller of a vehicle accepts. Vehicles are indexed as
    /// in [`Self::vehicle_names`].
    pub fn command_kinds(&self, vehicle: usize) -> Vec<CommandKind> {
        let place = self.places.get(vehicle);
        place.map_or(Vec::new(), |&(table, _)| self.tables[table].command_kinds())
    }
}
