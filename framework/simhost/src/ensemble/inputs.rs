//! Commands of all members.

use std::sync::Arc;

use simhost_streams::{Effect, Input, Stream};

use super::Ensemble;
use super::command_input::CommandInput;
use crate::error::{EnsembleError, Error};

impl Ensemble {
    /// Sets a command of all members, which acts from the next step on. `input` is an input stream such as
    /// `robot/cmd_vel`; `values` has one row per member, with the values of the command in its order and units.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such command; [`EnsembleError::Shape`] with the expected
    /// shape, and [`EnsembleError::NotFinite`] with member and index. Nothing then changes.
    pub fn set(&mut self, input: &str, values: &[f64]) -> Result<(), Error> {
        let command = self.checked_command(input, values)?;
        let CommandInput { number, kind, .. } = &self.commands[command];
        self.members.command(*number, kind, values)?;
        self.command_sessions(command, values)
    }

    /// Returns the index of a command among those that have been found, and checks its values.
    pub(super) fn checked_command(&mut self, input: &str, values: &[f64]) -> Result<usize, Error> {
        let place = self.place_of(input)?;
        let width = &self.commands[place].width;
        self.check_length(format_args!("'{input}'"), values.len(), *width)?;
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (member, index) = (at / width, at % width);
            let what = format!("'{input}'");
            return Err(EnsembleError::NotFinite { what, member, index, found: values[at] }.into());
        }
        Ok(place)
    }

    /// Sets a command of the members that are sessions.
    pub(super) fn command_sessions(&self, command: usize, values: &[f64]) -> Result<(), Error> {
        let CommandInput { vehicle, kind, width, .. } = &self.commands[command];
        for (member, session) in &self.sessions {
            let values = values[member * width..(member + 1) * width].to_vec();
            let (vehicle, kind) = (vehicle.clone(), kind.clone());
            session.inputs().send(Input::Command { vehicle, kind, values })?;
        }
        Ok(())
    }

    /// Returns the number of values that [`Self::set`] expects of each member.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such command.
    pub fn command_width(&mut self, input: &str) -> Result<usize, Error> {
        let place = self.place_of(input)?;
        Ok(self.commands[place].width)
    }

    /// Returns the index of a command among those that have been found.
    fn place_of(&mut self, input: &str) -> Result<usize, Error> {
        if let Some(place) = self.commands.iter().position(|known| known.name == input) {
            return Ok(place);
        }
        self.commands.push(self.command_of(input)?);
        Ok(self.commands.len() - 1)
    }

    /// Finds the command of an input stream.
    fn command_of(&self, input: &str) -> Result<CommandInput, Error> {
        let streams = self.session.world().streams()?;
        let command = |stream: &Arc<Stream>| match &stream.effect {
            Some(Effect::Command { vehicle, kind }) => {
                Some((stream.name.clone(), vehicle.clone(), kind.clone()))
            }
            _ => None,
        };
        let mut known: Vec<_> = streams.iter().filter_map(command).collect();
        let Some(found) = known.iter().position(|(name, ..)| name == input) else {
            let names = known.iter().map(|(name, ..)| name.as_str());
            return Err(crate::inputs::unknown("command", input, names).into());
        };
        let (name, vehicle, kind) = known.swap_remove(found);
        let simulation = self.session.simulation();
        let number = simulation.vehicle_names().iter().position(|name| *name == vehicle);
        let number = number.unwrap_or_default();
        let kinds = simulation.command_kinds(number);
        let width = kinds.iter().find(|one| one.name == kind).map_or(0, |one| one.values.len());
        Ok(CommandInput { name, vehicle, number, kind, width })
    }
}
