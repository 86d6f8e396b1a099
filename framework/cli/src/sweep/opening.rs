//! Opening the study of a folder, and failures of studies.

use std::path::Path;

use simhost_sweep::{StudyError, StudyFolder, StudyPlan};

use crate::arguments::Models;
use crate::exit::{Code, Failure};
use crate::{catalogue, diagnostics, working_folder};

/// Returns the failure of a study.
pub fn failure(error: StudyError) -> Failure {
    let code = match error {
        StudyError::World(error) => return diagnostics::session_failure(error),
        StudyError::Plan { .. } | StudyError::Read { .. } | StudyError::Content { .. } => {
            Code::BadInput
        }
        StudyError::Exists { .. }
        | StudyError::Changed { .. }
        | StudyError::Version { .. }
        | StudyError::Run { .. } => Code::Usage,
        StudyError::Child(_) => Code::PluginFault,
        _ => Code::Output,
    };
    // advice is on a line of its own, as of all errors
    Failure::new(code, error.to_string().replace("; help: ", "\nhelp: "))
}

/// Opens the study of a folder with the models of the command line.
pub fn open(folder: &Path, models: &Models) -> Result<StudyPlan, Failure> {
    let mut study = StudyFolder::study(folder).map_err(failure)?;
    study.plugin_dirs.extend(models.plugin_dir.iter().cloned());
    let mut models = models.clone();
    models.plugin_dir.clone_from(&study.plugin_dirs);
    let catalogue = catalogue::collect(&models)?;
    let plan = StudyPlan::new(study, Some(catalogue)).map_err(failure)?;
    working_folder::restore();
    if plan.study().objective.is_some() {
        let mut rows = StudyFolder::at(folder).map_err(failure)?;
        simhost_sweep::optimised(&plan, &mut rows).map_err(failure)?;
    }
    Ok(plan)
}
