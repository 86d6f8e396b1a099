//! Opening runs of any form.

use std::path::Path;

use crate::error::RunError;
use crate::run::Run;
use crate::{folder, recording};

impl Run {
    /// Reads a run: an output folder or an MCAP file. Values are read of the series whose name
    /// `keep` accepts. Whole rows and chunks of a run that was killed are kept, and
    /// [`Run::notes`] mentions what is not whole.
    ///
    /// # Errors
    /// [`RunError`] if the path is not a run, or a line of a file is invalid.
    pub fn open(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Self, RunError> {
        if !path.exists() {
            return Err(RunError::Missing { path: path.to_owned() });
        }
        let mut run = match path.is_dir() {
            true => folder::read(path, keep)?,
            false => recording::read(path, keep)?,
        };
        run.remove_absent();
        Ok(run)
    }
}
