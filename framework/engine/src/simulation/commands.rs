//! Commands: the list of those to come, and commands that act at once.

use std::collections::HashMap;
use std::sync::Arc;

use super::Simulation;
use crate::columns::Column;
use crate::commands::{CommandError, CommandKind, TimedCommand};
use crate::state::{CommandQueue, ResolvedCommand};

impl Simulation {
    /// Replaces all commands. Commands whose time has passed are not carried out.
    ///
    /// # Errors
    /// [`CommandError`] if a vehicle or a kind is unknown, a number is not finite, or the commands are not
    /// sorted by time. No command then changes.
    pub fn set_commands(&mut self, commands: &[TimedCommand]) -> Result<(), CommandError> {
        set_resolved(self, commands, &|_| false)
    }

    /// Replaces all commands by those that fit the vehicles, as [`Self::set_commands`] does.
    ///
    /// # Errors
    /// As for [`Self::set_commands`], except for commands that do not fit.
    pub fn set_fitting_commands(&mut self, commands: &[TimedCommand]) -> Result<(), CommandError> {
        set_resolved(self, commands, &CommandError::is_misfit)
    }

    /// Carries out a command now, whatever its time; it acts from the next step on.
    ///
    /// # Errors
    /// [`CommandError`] if the vehicle or the kind is unknown, or a number is not finite.
    pub fn command(&mut self, command: &TimedCommand) -> Result<(), CommandError> {
        let resolved = Resolver::of_one(self, &command.vehicle).resolve(command)?;
        let columns = &mut self.state.tables[resolved.table].vehicles.columns;
        for (column, value) in resolved.values {
            columns.get_mut(column)[resolved.lane] = value;
        }
        Ok(())
    }

    /// Returns the first of the commands that have been set for each fleet that overrides it: the names of
    /// the vehicle and of the fleet.
    pub fn overridden_commands(&self) -> Vec<(&str, &str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        if self.state.fleets.is_empty() {
            return found;
        }
        for ResolvedCommand { table, lane, values, .. } in &self.state.commands.resolved {
            let columns: Vec<Column> = values.iter().map(|(column, _)| *column).collect();
            let Some(fleet) = self.state.fleets.overriding(*table, *lane, &columns) else {
                continue;
            };
            if !found.iter().any(|(_, known)| *known == fleet) {
                found.push((&self.state.tables[*table].vehicles.lanes[*lane].fixed.name, fleet));
            }
        }
        found
    }

    /// Returns the kinds of commands that the controller of a vehicle accepts. Vehicles are indexed as
    /// in [`Self::vehicle_names`].
    pub fn command_kinds(&self, vehicle: usize) -> Vec<CommandKind> {
        let place = self.blueprint.places.get(vehicle);
        place.map_or(Vec::new(), |&(table, _)| self.state.tables[table].command_kinds())
    }

    /// Returns the same for all vehicles in their order. Those that share their models share the list.
    pub fn all_command_kinds(&self) -> impl Iterator<Item = Arc<[CommandKind]>> {
        let shared: Vec<Arc<[CommandKind]>> =
            self.state.tables.iter().map(|table| table.command_kinds().into()).collect();
        self.blueprint.places.iter().map(move |&(table, _)| shared[table].clone())
    }
}

/// Replaces all commands but those that are left out.
fn set_resolved(
    of: &mut Simulation,
    commands: &[TimedCommand],
    is_left_out: &dyn Fn(&CommandError) -> bool,
) -> Result<(), CommandError> {
    let mut latest = f64::NEG_INFINITY;
    let mut resolved = Vec::with_capacity(commands.len());
    let mut resolver = Resolver::new(of);
    for command in commands {
        let time = command.time;
        if time < latest {
            return Err(CommandError::Order { time, latest });
        }
        match resolver.resolve(command) {
            Ok(command) => resolved.push(command),
            Err(error) if is_left_out(&error) => {}
            Err(error) => return Err(error),
        }
        latest = time;
    }
    of.state.commands = CommandQueue { resolved, next: 0 };
    of.state.skip_commands();
    Ok(())
}

/// Looks up the columns that commands set.
struct Resolver<'s> {
    of: &'s Simulation,
    /// Numbers of the vehicles by name.
    numbers: HashMap<&'s str, usize>,
    /// Columns by table and kind.
    kinds: HashMap<(usize, String), Option<Vec<Option<Column>>>>,
}

impl<'s> Resolver<'s> {
    fn new(of: &'s Simulation) -> Self {
        let numbers =
            of.blueprint.names.iter().enumerate().map(|(number, name)| (name.as_str(), number));
        // names are unique
        Self { of, numbers: numbers.collect(), kinds: HashMap::new() }
    }

    /// Creates a resolver that knows one vehicle.
    fn of_one(of: &'s Simulation, vehicle: &str) -> Self {
        let number = of.blueprint.names.number(vehicle);
        let numbers = number.map(|number| (of.blueprint.names[number].as_str(), number));
        Self { of, numbers: numbers.into_iter().collect(), kinds: HashMap::new() }
    }

    fn resolve(&mut self, command: &TimedCommand) -> Result<ResolvedCommand, CommandError> {
        let TimedCommand { time, vehicle, kind, values } = command;
        let Some(&number) = self.numbers.get(vehicle.as_str()) else {
            return Err(CommandError::Vehicle { time: *time, vehicle: vehicle.clone() });
        };
        let (table, lane) = self.of.blueprint.places[number];
        let columns = self.kinds.entry((table, kind.clone()));
        let columns = columns.or_insert_with(|| {
            Some(self.of.state.tables[table].command_columns(kind)?.collect::<Vec<_>>())
        });
        let Some(columns) = columns.as_ref().filter(|columns| columns.len() == values.len()) else {
            let (vehicle, kind, count) = (vehicle.clone(), kind.clone(), values.len());
            return Err(CommandError::Kind { time: *time, vehicle, kind, count });
        };
        let named = columns.iter().zip(values);
        let values: Vec<_> =
            named.filter_map(|(column, value)| Some(((*column)?, *value))).collect();
        if !time.is_finite() || values.iter().any(|(_, value)| !value.is_finite()) {
            return Err(CommandError::NotFinite { time: *time, vehicle: vehicle.clone() });
        }
        Ok(ResolvedCommand { time: *time, table, lane, values })
    }
}
