//! Files of commands.

use std::path::Path;

use simhost_engine::{Simulation, TimedCommand};
use simhost_record::{CommandFile, CommandFileError, CommandedVehicle, read_commands};
use simhost_streams::Input;

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

impl From<Vec<TimedCommand>> for CommandSchedule {
    /// Returns commands without values of parameters.
    fn from(commands: Vec<TimedCommand>) -> Self {
        Self { commands, parameters: Vec::new() }
    }
}
