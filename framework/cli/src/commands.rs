//! Command files of a run.

use std::path::Path;

use simhost::{CommandSchedule, Error, Session};

use crate::exit::Failure;
use crate::{diagnostics, terminal};

/// Reads a file of commands and sets them.
///
/// # Errors
/// [`Failure`] if the file cannot be read or a command does not fit its vehicle.
pub fn load(path: &Path, session: &mut Session) -> Result<(), Failure> {
    let schedule = CommandSchedule::read(path, session.simulation()).map_err(Error::from);
    let set = schedule.and_then(|schedule| session.edit().set_commands(schedule));
    set.map_err(diagnostics::session_failure)?;
    for (vehicle, fleet) in session.simulation().overridden_commands() {
        terminal::warning(&format!(
            "{}: commands for `{vehicle}` have no effect: fleet `{fleet}` sets the same inputs in each step",
            path.display()
        ));
    }
    Ok(())
}
