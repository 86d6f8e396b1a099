//! `simhost print`: prints a world as one flat file.

use crate::arguments::Print;
use crate::diagnostics;
use crate::exit::{Code, Failure};
use crate::terminal;

/// Prints a world.
pub fn print(arguments: &Print) -> Result<Code, Failure> {
    let options = arguments.loading.load_options();
    let text = simhost_world::flatten(&arguments.world, &options)
        .map_err(|error| diagnostics::load_failure(&error))?;
    terminal::document(&text)?;
    Ok(Code::Done)
}
