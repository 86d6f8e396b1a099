//! An FMU from which models come.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_model::{CodePlace, FileClassError};

use crate::description::{FmuDescription, Start};
use crate::instance::{FmuInstance, LoadedFmu};
use crate::lane::FmuLane;
use crate::loading;
use crate::process::FmuProcess;

/// An FMU with the process in which its code runs.
pub(crate) struct Fmu {
    /// Path in messages.
    pub file: PathBuf,
    pub description: Arc<FmuDescription>,
    /// The reason why its state cannot be saved, if it cannot.
    pub states: Result<(), String>,
    runner: Runner,
}

/// Where the code of an FMU runs.
enum Runner {
    Here(Arc<LoadedFmu>),
    Separate(FmuProcess),
}

impl Fmu {
    /// Opens an FMU, and tests whether its state can be restored.
    ///
    /// # Errors
    /// A file that is not an FMU for this platform, and an FMU that cannot be loaded or started.
    pub fn open(file: &Path, place: CodePlace) -> Result<Self, FileClassError> {
        if place == CodePlace::Here {
            let loaded = loading::load(file)?;
            return Ok(Self {
                file: file.to_owned(),
                description: Arc::clone(&loaded.description),
                states: loaded.restorable(),
                runner: Runner::Here(loaded),
            });
        }
        let description = Arc::new(loading::read(file)?.1);
        let (process, states) = FmuProcess::start(file, &description)?;
        let file = file.to_owned();
        Ok(Self { file, description, states, runner: Runner::Separate(process) })
    }

    /// Creates an instance with values of its variables, and initialises it.
    ///
    /// # Errors
    /// The function that failed, with the message of the FMU.
    pub fn lane(&self, values: &[(usize, Start)]) -> Result<Box<dyn FmuLane>, String> {
        match &self.runner {
            Runner::Here(loaded) => Ok(Box::new(FmuInstance::new(loaded, values)?)),
            Runner::Separate(process) => Ok(Box::new(process.lane(values)?)),
        }
    }
}
