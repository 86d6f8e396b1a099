//! Files of commands.

use std::path::Path;

use simhost_engine::{Simulation, TimedCommand};
use simhost_record::{CommandFile, CommandFileError, CommandedVehicle, read_commands};
use simhost_streams::Input;

use crate::error::Error;
use crate::session::Session;

/// The rows of a file of commands for a simulation.
#[derive(Clone, Debug, Default)]
pub struct CommandSchedule {
    /// Commands for vehicles, sorted by time.
    pub commands: Vec<TimedCommand>,
    /// Values of parameters, with the number of completed steps from which they act.
    pub parameters: Vec<(u64, Input)>,
}

impl CommandSchedule {
    /// Reads a file of commands for the vehicles of a simulation.
    ///
    /// # Errors
    /// [`CommandFileError`] with file and line if the file cannot be read, the rows are not sorted by time, or a
    /// row does not fit its vehicle.
    pub fn read(path: &Path, simulation: &Simulation) -> Result<Self, CommandFileError> {
        let names = simulation.vehicle_names();
        let vehicles = names.iter().enumerate().map(|(number, name)| {
            let kinds = simulation.command_kinds(number).into_iter();
            let kinds = kinds.map(|kind| (kind.name, kind.values)).collect();
            CommandedVehicle { name: name.clone(), kinds }
        });
        let vehicles: Vec<CommandedVehicle> = vehicles.collect();
        let nearest = |name: &str| {
            simhost_model::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
        };
        let CommandFile { commands, parameters } = read_commands(path, &vehicles, nearest)?;
        let commands = commands.into_iter().map(|row| TimedCommand {
            time: row.time,
            vehicle: row.vehicle,
            kind: row.kind,
            values: row.values,
        });
        let dt = simulation.clock().dt;
        let parameters = parameters.into_iter().map(|row| {
            // from the first step that begins then
            let step = ((row.time - 1e-9) / dt).ceil().max(0.0) as u64;
            (step, Input::Parameter { name: row.name, value: row.value })
        });
        Ok(Self { commands: commands.collect(), parameters: parameters.collect() })
    }
}

impl Session {
    /// Replaces all commands whose times are known by those of a file, and plans the values of parameters in it.
    ///
    /// # Errors
    /// [`Error::CommandFile`] if the file cannot be used, and the errors of [`Self::set_commands`] and
    /// [`Self::plan`].
    pub fn set_command_file(&mut self, path: &Path) -> Result<(), Error> {
        let schedule = CommandSchedule::read(path, self.simulation())?;
        self.set_commands(schedule.commands)?;
        schedule.parameters.into_iter().try_for_each(|(step, input)| self.plan(step, input))
    }
}
