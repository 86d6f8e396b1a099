//! `simhost print`: prints a world as one flat file.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::Loading;
use crate::exit::{Code, Failure};
use crate::{terminal, world_file};

/// Arguments of `simhost print`.
#[derive(Args, Clone, Debug)]
pub struct Print {
    /// World file.
    pub world: PathBuf,

    #[command(flatten)]
    pub loading: Loading,
}

/// Prints a world.
pub fn print(arguments: &Print) -> Result<Code, Failure> {
    let options = arguments.loading.load_options();
    terminal::document(&world_file::flatten(&arguments.world, &options)?)?;
    Ok(Code::Done)
}
