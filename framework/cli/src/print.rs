//! `simhost print`: prints a world as one flat file.

use crate::arguments::Print;
use crate::exit::{Code, Failure};
use crate::{terminal, world_file};

/// Prints a world.
pub fn print(arguments: &Print) -> Result<Code, Failure> {
    let options = arguments.loading.load_options();
    terminal::document(&world_file::flatten(&arguments.world, &options)?)?;
    Ok(Code::Done)
}
