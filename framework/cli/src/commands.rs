//! Command files of a run.

use std::path::Path;

use simhost::{Input, Session, TimedCommand};
use simhost_record::{CommandFile, CommandedVehicle, ParameterRow, read_commands};

use crate::exit::{Code, Failure};
use crate::{diagnostics, terminal};

/// Reads a file of commands and sets them.
///
/// # Errors
/// [`Failure`] if the file cannot be read or a command does not fit its vehicle.
pub fn load(path: &Path, session: &mut Session) -> Result<(), Failure> {
    let simulation = session.simulation();
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
    let CommandFile { commands, parameters } = read_commands(path, &vehicles, nearest)
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    let dt = simulation.clock().dt;
    let commands = commands.into_iter().map(|row| TimedCommand {
        time: row.time,
        vehicle: row.vehicle,
        kind: row.kind,
        values: row.values,
    });
    session.set_commands(commands.collect()).map_err(diagnostics::session_failure)?;
    for ParameterRow { time, name, value } in parameters {
        // from the first step that begins then
        let step = ((time - 1e-9) / dt).ceil().max(0.0) as u64;
        session
            .plan(step, Input::Parameter { name, value })
            .map_err(diagnostics::session_failure)?;
    }
    for (vehicle, fleet) in session.simulation().overridden_commands() {
        terminal::warning(&format!(
            "{}: commands for `{vehicle}` have no effect: fleet `{fleet}` sets the same inputs in each step",
            path.display()
        ));
    }
    Ok(())
}
