//! The study of a command line: a plan, or a world with options.

use std::path::{Path, PathBuf};

use simhost_sweep::Study;

use super::opening::failure;
use crate::exit::Failure;
use crate::sweep::PlannedSweep;

/// Returns the study. Options of the command line replace options of the plan or add to them.
pub fn planned(arguments: &PlannedSweep) -> Result<Study, Failure> {
    let path = path(arguments);
    let is_plan = path.extension().is_some_and(|extension| extension == "toml");
    let mut study = match is_plan {
        true => Study::read(path).map_err(failure)?,
        false => Study::new(path),
    };
    study.vary.extend(arguments.vary.iter().cloned().map(Into::into));
    study.set.extend(arguments.set.iter().cloned().map(Into::into));
    let metrics = arguments.metric.iter().map(|metric| {
        let text = metric.text();
        (metric.name.clone().unwrap_or_else(|| text.clone()), text.into())
    });
    study.metrics.extend(metrics);
    if let Some(failed) = &arguments.failed {
        study.failed = Some(failed.clone().into());
    }
    study.samples = arguments.samples.map(Into::into).or(study.samples);
    study.repeat = arguments.repeat.map_or(study.repeat, Into::into);
    study.duration = arguments.duration.map(Into::into).or(study.duration);
    study.commands = arguments.commands.clone().or(study.commands);
    study.seed = arguments.seed.or(study.seed);
    study.plugin_dirs.extend(arguments.models.plugin_dir.iter().cloned());
    Ok(study)
}

/// Returns the folder of the study: the folder of `--out`, or a folder with the name of the plan.
pub fn folder(arguments: &PlannedSweep) -> PathBuf {
    let default = || {
        let name = path(arguments).file_name().unwrap_or_default().to_string_lossy().into_owned();
        Path::new("out").join(name.split('.').next().unwrap_or("study"))
    };
    arguments.out.clone().unwrap_or_else(default)
}

fn path(arguments: &PlannedSweep) -> &Path {
    // the command line requires it
    arguments.plan.as_deref().unwrap_or(Path::new(""))
}
