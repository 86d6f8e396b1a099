//! `study.json`: the plan of a study, with everything that affects results.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use simhost::{Variation, VariationError};

use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::study::{Kept, Objective, Study, StudyGoal};

/// Content of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of simhost.
    simhost: String,
    /// Epoch of the plugin ABI.
    abi_epoch: u32,
    /// Fingerprint of the world of the first run.
    world: String,
    commands_sha256: Option<String>,
    /// Plugin files that the world uses, with their SHA-256.
    plugins: Vec<String>,
    last_step: u64,
    timestep_s: f64,
    seed: u64,
    common_seeds: bool,
    repeat: u64,
    samples: Option<u64>,
    saltelli: bool,
    vary: Vec<(String, String)>,
    set: Vec<(String, String)>,
    metrics: Vec<(String, String)>,
    period_s: f64,
    failed: Option<String>,
    objective: Option<ObjectiveRecord>,
    /// Number of runs.
    pub runs: u64,
    /// Places of the files, and what affects no results.
    files: Files,
}

/// What simulates the runs of a study, which can be read of the records of all versions.
#[derive(Deserialize)]
struct Versions {
    simhost: String,
    #[serde(default)]
    abi_epoch: u32,
}

/// Checks that this program has the versions of a record.
pub fn check_version(path: &Path) -> Result<(), StudyError> {
    let Versions { simhost, abi_epoch } = read(path)?;
    let own = (env!("CARGO_PKG_VERSION"), simhost_abi::EPOCH);
    match (&*simhost, abi_epoch) == own {
        true => Ok(()),
        false => Err(StudyError::Version {
            path: path.to_owned(),
            found: format!("{simhost} with plugins of epoch {abi_epoch}"),
            own: format!("{} with plugins of epoch {}", own.0, own.1),
        }),
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, StudyError> {
    let text =
        simhost_files::read(path, simhost_files::MAX_DATA_BYTES).map_err(StudyError::read(path))?;
    serde_json::from_slice(&text).map_err(|error| StudyError::Content {
        path: path.to_owned(),
        problem: format!("not the record of a study: {error}"),
    })
}

/// An objective.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ObjectiveRecord {
    minimise: Vec<String>,
    maximise: Vec<String>,
    subject_to: Vec<String>,
    generations: u64,
    population: Option<usize>,
}

/// Places of the files of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Files {
    world: PathBuf,
    commands: Option<PathBuf>,
    plugin_dirs: Vec<PathBuf>,
    duration_s: Option<f64>,
    seed: Option<u64>,
    /// Patterns of the quantities that are kept; `*` alone for all files of runs.
    keep: Vec<String>,
}

/// Pattern in [`Files::keep`] for all files of runs.
const ALL: &str = "*";

impl Record {
    /// Returns the record of a plan.
    pub fn of(plan: &StudyPlan) -> Self {
        let (study, world) = (plan.study(), plan.first_world());
        let texts = |list: &[crate::study::PlanValue<Variation>]| {
            let text = |one: &crate::study::PlanValue<Variation>| {
                (one.value.name.clone(), one.value.values.to_string())
            };
            list.iter().map(text).collect()
        };
        let metrics = study.metrics.iter().map(|(name, text)| (name.clone(), text.value.clone()));
        let goals = |one: &Objective, is_maximised| {
            let own = one.goals.iter().filter(|goal| goal.is_maximised == is_maximised);
            own.map(|goal| goal.expression.value.clone()).collect()
        };
        let goal = |one: &Objective| ObjectiveRecord {
            minimise: goals(one, false),
            maximise: goals(one, true),
            subject_to: one.subject_to.iter().map(|one| one.value.clone()).collect(),
            generations: one.generations,
            population: one.population,
        };
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Self {
            simhost: env!("CARGO_PKG_VERSION").to_owned(),
            abi_epoch: simhost_abi::EPOCH,
            world: format!("{:032x}", world.fingerprint()),
            commands_sha256: world.commands_sha256.clone(),
            plugins: world.plugins.clone(),
            last_step: world.last_step,
            timestep_s: world.dt,
            seed: plan.seed(),
            common_seeds: study.common_seeds,
            repeat: study.repeat.value,
            samples: study.samples.as_ref().map(|samples| samples.value),
            saltelli: study.saltelli,
            vary: texts(&study.vary),
            set: texts(&study.set),
            metrics: metrics.collect(),
            period_s: study.period,
            failed: study.failed.as_ref().map(|failed| failed.value.clone()),
            objective: study.objective.as_ref().map(goal),
            runs: plan.runs(),
            files: Files {
                world: absolute(&study.world),
                commands: study.commands.as_ref().map(absolute),
                plugin_dirs: study.plugin_dirs.iter().map(absolute).collect(),
                duration_s: study.duration.as_ref().map(|duration| duration.value),
                seed: study.seed,
                keep: match &study.keep {
                    Kept::Nothing => Vec::new(),
                    Kept::Quantities(patterns) => patterns.clone(),
                    Kept::All => vec![ALL.to_owned()],
                },
            },
        }
    }

    /// Reads a record.
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        read(path)
    }

    /// Writes the record. Whoever reads the file finds this record or the one before.
    pub fn write(&self, path: &Path) -> Result<(), StudyError> {
        let text = serde_json::to_string_pretty(self).expect("records are texts and numbers");
        let new = path.with_extension("json.new");
        simhost_files::write(&new, text + "\n").map_err(StudyError::write(&new))?;
        std::fs::rename(&new, path).map_err(StudyError::write(path))
    }

    /// Returns the study.
    pub fn study(&self) -> Result<Study, StudyError> {
        let variations = |list: &[(String, String)]| {
            let read = |(name, values): &(String, String)| {
                Ok(Variation { name: name.clone(), values: values.parse()? }.into())
            };
            list.iter().map(read).collect::<Result<Vec<_>, VariationError>>()
        };
        let wrong = |error: VariationError| StudyError::World(error.into());
        let Files { world, commands, plugin_dirs, duration_s, seed, keep } = self.files.clone();
        let metrics = self.metrics.iter();
        let goal = |one: &ObjectiveRecord| Objective {
            goals: [(&one.minimise, false), (&one.maximise, true)]
                .into_iter()
                .flat_map(|(texts, is_maximised)| {
                    let goal = move |text: &String| StudyGoal {
                        expression: text.clone().into(),
                        is_maximised,
                    };
                    texts.iter().map(goal)
                })
                .collect(),
            subject_to: one.subject_to.iter().map(|one| one.clone().into()).collect(),
            generations: one.generations,
            population: one.population,
        };
        Ok(Study {
            commands,
            plugin_dirs,
            duration: duration_s.map(Into::into),
            seed,
            common_seeds: self.common_seeds,
            repeat: self.repeat.into(),
            samples: self.samples.map(Into::into),
            saltelli: self.saltelli,
            vary: variations(&self.vary).map_err(wrong)?,
            set: variations(&self.set).map_err(wrong)?,
            metrics: metrics.map(|(name, text)| (name.clone(), text.clone().into())).collect(),
            period: self.period_s,
            failed: self.failed.clone().map(Into::into),
            keep: match &keep[..] {
                [] => Kept::Nothing,
                [all] if all == ALL => Kept::All,
                _ => Kept::Quantities(keep),
            },
            objective: self.objective.as_ref().map(goal),
            ..Study::new(world)
        })
    }

    /// Checks that a study is this one, or has more runs if it is to be extended.
    pub fn check(&self, now: &Self, folder: &Path, is_extended: bool) -> Result<(), StudyError> {
        let [mut before, after] = [self, now].map(|record| {
            let value = serde_json::to_value(record).unwrap_or_default();
            value.as_object().cloned().unwrap_or_default()
        });
        // where the files are affects no results
        before.remove("files");
        let is_longer =
            |name: &str| is_extended && matches!(name, "runs" | "samples" | "vary" | "objective");
        let changes: Vec<String> = before
            .iter()
            .filter(|(name, value)| after.get(*name) != Some(value) && !is_longer(name))
            .map(|(name, value)| {
                let now = after.get(name).cloned().unwrap_or_default();
                format!("`{name}` was {value} and is {now}")
            })
            .collect();
        match changes.is_empty() {
            true => Ok(()),
            false => Err(StudyError::Changed {
                folder: folder.to_owned(),
                changes,
                help: "help: restore it, add runs of a longer plan with --extend, or replace the study with --new",
            }),
        }
    }
}
