//! Command files of a run.

use std::path::Path;

use simhost_engine::{Command, Simulation};
use simhost_record::{CommandedVehicle, read_commands};

use crate::exit::{Code, Failure};
use crate::terminal;

/// Reads a file of commands and sets them.
///
/// # Errors
/// [`Failure`] if the file cannot be read or a command does not fit its vehicle.
pub fn load(path: &Path, simulation: &mut Simulation) -> Result<(), Failure> {
    let names = simulation.vehicle_names();
    let kinds = |vehicle: usize| {
        let kinds = simulation.command_kinds(vehicle).into_iter();
        kinds.map(|kind| (kind.name, kind.values)).collect()
    };
    let vehicles: Vec<CommandedVehicle> = names
        .iter()
        .enumerate()
        .map(|(number, name)| CommandedVehicle { name: name.clone(), kinds: kinds(number) })
        .collect();
    let nearest = |name: &str| {
        simhost_model::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    };
    let rows = read_commands(path, &vehicles, nearest)
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    let commands = rows.into_iter().map(|row| Command {
        time: row.time,
        vehicle: row.vehicle,
        values: row.values,
    });
    simulation.set_commands(commands).map_err(|error| Failure::new(Code::BadInput, error))?;
    for (vehicle, fleet) in simulation.overridden_commands() {
        terminal::warning(&format!(
            "{}: commands for `{vehicle}` have no effect: fleet `{fleet}` sets the same inputs in each step",
            path.display()
        ));
    }
    Ok(())
}
