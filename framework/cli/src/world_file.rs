//! The world of a command line: a file, or standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use simhost_registry::Catalogue;
use simhost_world::{LoadError, LoadOptions, Loaded};

use crate::arguments::Loading;
use crate::process::{Code, Failure};
use crate::{diagnostics, terminal};

/// Name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Name of a world from standard input in messages. Paths in it are relative to the working directory.
const NAME: &str = "<stdin>";

/// Returns the text of the world if it is to come from standard input.
///
/// # Errors
/// Fails if standard input cannot be read, or is longer than a world may be.
pub fn text(world: &Path, options: &LoadOptions) -> Result<Option<Vec<u8>>, Failure> {
    if world != Path::new(STANDARD_INPUT) {
        return Ok(None);
    }
    let most = options.asset_limits.max_file_bytes;
    let mut text = Vec::new();
    std::io::stdin().lock().take(most + 1).read_to_end(&mut text).map_err(|error| {
        Failure::new(Code::BadInput, format!("cannot read standard input: {error}"))
    })?;
    if text.len() as u64 > most {
        let text = format!("the world on standard input has more than {most} bytes");
        return Err(Failure::new(Code::BadInput, text));
    }
    Ok(Some(text))
}

/// Loads the world of a command line.
///
/// # Errors
/// Fails as [`text`], or returns the errors of the world.
pub fn load(
    world: &Path,
    options: &LoadOptions,
    catalogue: &Catalogue,
) -> Result<Result<Loaded, LoadError>, Failure> {
    Ok(match text(world, options)? {
        Some(text) => simhost_world::load_text(Path::new(NAME), &text, options, catalogue),
        None => simhost_world::load(world, options, catalogue),
    })
}

/// Returns the world as one flat file.
///
/// # Errors
/// Fails as [`text`], or if the world cannot be expanded.
pub fn flatten(world: &Path, options: &LoadOptions) -> Result<String, Failure> {
    let flat = match text(world, options)? {
        Some(text) => simhost_world::flatten_text(Path::new(NAME), &text, options),
        None => simhost_world::flatten(world, options),
    };
    flat.map_err(|error| diagnostics::load_failure(&error))
}

/// Arguments of `simhost print`.
#[derive(Args, Clone, Debug)]
pub(super) struct Print {
    /// World file.
    pub world: PathBuf,

    #[command(flatten)]
    pub loading: Loading,
}

/// Prints a world.
pub(super) fn print(arguments: &Print) -> Result<Code, Failure> {
    let options = arguments.loading.load_options();
    terminal::document(&flatten(&arguments.world, &options)?)?;
    Ok(Code::Done)
}
