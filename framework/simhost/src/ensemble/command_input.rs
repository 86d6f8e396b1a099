//! Input streams of commands.

use std::collections::BTreeMap;
use std::sync::Arc;

use simhost_streams::{Effect, Input, Stream};

use crate::error::Error;
use crate::session::Session;

/// The input stream of a command.
pub struct CommandInput {
    /// Name of the stream.
    pub name: String,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Index of the vehicle.
    pub number: usize,
    /// Kind of command.
    pub kind: String,
    /// Number of values.
    pub width: usize,
}

impl CommandInput {
    /// Sets the command of the members that are sessions.
    pub(super) fn send(
        &self,
        sessions: &BTreeMap<usize, Session>,
        values: &[f64],
    ) -> Result<(), Error> {
        let CommandInput { vehicle, kind, width, .. } = self;
        for (member, session) in sessions {
            let values = values[member * width..(member + 1) * width].to_vec();
            let (vehicle, kind) = (vehicle.clone(), kind.clone());
            session.inputs().send(Input::Command { vehicle, kind, values })?;
        }
        Ok(())
    }
}

/// The commands that have been set.
#[derive(Default)]
pub struct Commands {
    /// Commands, as they were found.
    pub found: Vec<CommandInput>,
}

impl Commands {
    /// Returns the index of a command in [`Self::found`].
    pub fn find(&mut self, session: &Session, input: &str) -> Result<usize, Error> {
        if let Some(place) = self.found.iter().position(|known| known.name == input) {
            return Ok(place);
        }
        self.found.push(command_of(session, input)?);
        Ok(self.found.len() - 1)
    }
}

/// Finds the command of an input stream.
fn command_of(session: &Session, input: &str) -> Result<CommandInput, Error> {
    let streams = session.world().streams()?;
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
    let simulation = session.simulation();
    let number = simulation.vehicle_names().number(&vehicle).unwrap_or_default();
    let kinds = simulation.command_kinds(number);
    let width = kinds.iter().find(|one| one.name == kind).map_or(0, |one| one.values.len());
    Ok(CommandInput { name, vehicle, number, kind, width })
}
