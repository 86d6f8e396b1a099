//! A study that has been checked against its world, with numbered runs.

mod arguments;
mod checks;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use simhost::{
    Catalogue, Distribution, Ensemble, EnsembleOptions, Options, Session, Variation, VariedValue,
};
use simhost_registry::page::sha256;

use crate::design::{Design, count_of};
use crate::error::StudyError;
use crate::expression::Expression;
use crate::measure::{Metrics, usual_metrics};
use crate::open_world::{OpenWorld, Variables, Worlds};
use crate::study::{PlanValue, Study, VARIABLE};

/// A study that has been checked against its world. Its runs are numbered from 0.
pub struct StudyPlan {
    study: Study,
    design: Design,
    worlds: Worlds,
    metrics: Metrics,
    /// World of the first run.
    first: Arc<OpenWorld>,
    catalogue: Catalogue,
    /// Key of all draws, and seed of the first run.
    seed: u64,
}

/// Differences of a run from the world, except its seed and variables.
pub type RunVariations = Vec<(String, VariedValue)>;

impl StudyPlan {
    /// Checks all names, values and metrics of a study. Models are those of `catalogue`; without one, the plugin folders
    /// of the study are searched.
    ///
    /// # Errors
    /// [`StudyError::Plan`] with its place for what is wrong with the plan, and [`StudyError::World`] if the world cannot
    /// be opened.
    pub fn new(study: Study, catalogue: Option<Catalogue>) -> Result<Self, StudyError> {
        let catalogue = match catalogue {
            Some(catalogue) => catalogue,
            None => {
                let options =
                    Options { plugin_folders: study.plugin_dirs.clone(), ..Options::default() };
                let empty = Session::from_text("<mvsim_world/>", "empty.xml", options)?;
                empty.world().catalogue().clone()
            }
        };
        checks::names(&study)?;
        checks::variables(&study, &catalogue)?;
        let worlds = Worlds::new(study.clone(), catalogue.clone());
        let first_variables = checks::first_variables(&study);
        let first = worlds.with(&first_variables)?;
        let seed = study.seed.unwrap_or_else(|| first.seed());
        let design = Design::new(&study, seed)?;
        let session = first.session(seed, None)?;
        checks::values(&study, &session, seed)?;
        let mut study = study;
        if study.metrics.is_empty() {
            study.metrics = usual_metrics(&session);
        }
        let ensemble = Ensemble::from_session(session, EnsembleOptions::members(1))?;
        let metrics = Metrics::new(&study.metrics, study.failed.as_ref(), study.period, &ensemble)?;
        if let Some(objective) = &study.objective {
            let goals = objective.goals.iter().map(|one| ("objective", &one.expression));
            let conditions = objective.subject_to.iter().map(|one| ("subject_to", one));
            for (name, text) in goals.chain(conditions) {
                let (expression, _) = metrics.read(name, text, &ensemble)?;
                if !expression.quantities().is_empty() {
                    let problem =
                        format!("'{name}' = {} has quantities; expected metrics", text.value);
                    return Err(text.wrong(problem));
                }
            }
        }
        Ok(Self { study, design, worlds, metrics, first, catalogue, seed })
    }

    /// Returns the study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// Returns the models that the world can use.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns whether the world uses plugins from files, which can crash a process, or can use them for other values of
    /// its variables.
    pub fn uses_plugin_files(&self) -> bool {
        let usable = |library: &simhost_registry::Library| {
            library.file.is_some() && library.refusal.is_none()
        };
        let others = self.has_variables() && self.catalogue.libraries().iter().any(usable);
        others || !self.first.plugins.is_empty()
    }

    /// Returns the files that the world refers to, with all values of its variables and of what varies that are files.
    /// Some can occur several times.
    pub(crate) fn world_files(&self) -> Vec<PathBuf> {
        let mut files = self.first.files.clone();
        let folder = self.study.world.parent().unwrap_or(Path::new(""));
        for one in self.study.set.iter().chain(&self.study.vary) {
            for value in one.value.values.items() {
                let path = folder.join(value.to_string());
                files.extend(path.is_file().then_some(path));
                if one.value.name.starts_with(VARIABLE) {
                    let mut variables = checks::first_variables(&self.study);
                    variables.retain(|(name, _)| *name != one.value.name);
                    variables.push((one.value.name.clone(), value.to_string()));
                    // runs whose world cannot be read say why
                    files.extend(
                        self.worlds.with(&variables).iter().flat_map(|read| read.files.clone()),
                    );
                }
            }
        }
        files
    }

    /// Returns the libraries of the plugins that the world uses, or can use with other values of its variables.
    pub(crate) fn plugin_paths(&self) -> Vec<PathBuf> {
        let libraries = self.catalogue.libraries().iter().filter(|one| one.refusal.is_none());
        let files = libraries.filter_map(|library| library.file.clone());
        let is_used = |file: &PathBuf| {
            let sum = sha256(file).unwrap_or_default();
            self.first.plugins.iter().any(|plugin| plugin.ends_with(&*sum))
        };
        files.filter(|file| self.has_variables() || is_used(file)).collect()
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> u64 {
        self.design.runs()
    }

    /// Returns the number of runs per sample of Saltelli's design; 1 in others.
    pub fn blocks(&self) -> u64 {
        self.design.blocks()
    }

    /// Returns the number of runs of one point of Saltelli's design: those of the grid, with their repetitions.
    pub fn runs_per_block(&self) -> u64 {
        self.design.runs_per_block()
    }

    /// Returns the names of what varies.
    pub fn varied(&self) -> impl ExactSizeIterator<Item = &str> {
        self.study.vary.iter().map(|one| &*one.value.name)
    }

    /// Returns the names of what is drawn.
    pub fn drawn(&self) -> impl Iterator<Item = &str> {
        let drawn = self.study.vary.iter().filter(|one| count_of(&one.value.values).is_none());
        drawn.map(|one| &*one.value.name)
    }

    /// Returns for each that varies whether all its values are numbers.
    #[cfg(feature = "parquet")]
    pub(crate) fn has_numbers(&self) -> impl Iterator<Item = bool> {
        let is_number = |value: &VariedValue| value.to_string().parse::<f64>().is_ok();
        self.study.vary.iter().map(move |one| one.value.values.items().iter().all(is_number))
    }

    /// Returns the simulated time of the first run, s.
    pub fn duration(&self) -> f64 {
        self.first.last_step as f64 * self.first.dt
    }

    /// Returns the metrics, checked.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Sets the points of an optimisation, from the first one on.
    pub(crate) fn set_points(&self, points: Vec<Vec<f64>>) {
        self.design.set_points(points);
    }

    /// Returns the names of the metrics.
    pub fn metric_names(&self) -> &[String] {
        &self.metrics.names
    }

    /// Returns the units of the metrics; empty for one that is not known.
    pub fn metric_units(&self) -> &[String] {
        &self.metrics.units
    }

    /// Returns the values of quantities that the metrics use, such as `car/twist[0]`.
    pub fn measured(&self) -> Vec<String> {
        self.metrics.values()
    }

    /// Returns the key of all draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the world of the first run.
    pub(crate) fn first_world(&self) -> &OpenWorld {
        &self.first
    }

    /// Returns the values of what varies in a run, as texts of rows.
    pub fn values(&self, run: u64) -> Vec<String> {
        self.design.values(run).iter().map(ToString::to_string).collect()
    }

    /// Returns the seed of a run.
    pub fn seed_of(&self, run: u64) -> u64 {
        let varied = self.study.vary.iter().position(|one| one.value.name == "seed");
        let varied = varied.map(|axis| self.design.value(run, axis).to_string());
        let fixed = self.study.set.iter().find(|one| one.value.name == "seed");
        let fixed = fixed.and_then(|one| one.value.values.items().first());
        // both have been checked
        let given = varied.or(fixed.map(ToString::to_string));
        let own = if self.study.common_seeds { self.design.repetition(run) } else { run };
        let given = given.and_then(|text| match text.parse::<u64>() {
            Ok(seed) => Some(seed),
            Err(_) => text.parse::<f64>().ok().map(|seed| seed as u64),
        });
        given.unwrap_or_else(|| self.seed.wrapping_add(own))
    }

    /// Returns the values of variables of the world in a run.
    pub(crate) fn variables(&self, run: u64) -> Variables {
        let fixed = self.study.set.iter().filter_map(|one| {
            let value = one.value.values.items().first()?;
            Some((one.value.name.clone(), value.to_string()))
        });
        let varied = self.study.vary.iter().enumerate();
        let varied = varied.filter(|(_, one)| one.value.name.starts_with(VARIABLE));
        let varied = varied
            .map(|(axis, one)| (one.value.name.clone(), self.design.value(run, axis).to_string()));
        fixed.filter(|(name, _)| name.starts_with(VARIABLE)).chain(varied).collect()
    }

    /// Returns whether runs differ in variables of the world.
    pub(crate) fn has_variables(&self) -> bool {
        self.study.vary.iter().any(|one| one.value.name.starts_with(VARIABLE))
    }

    /// Returns the world of a run.
    pub(crate) fn world_of(&self, run: u64) -> Result<Arc<OpenWorld>, StudyError> {
        self.worlds.with(&self.variables(run))
    }

    /// Returns the differences of a run, fixed ones first.
    pub(crate) fn differences(&self, run: u64) -> RunVariations {
        let is_own = |one: &&PlanValue<Variation>| is_difference(&one.value.name);
        let fixed = self.study.set.iter().filter(is_own).filter_map(|one| {
            let value = one.value.values.items().first()?;
            Some((one.value.name.clone(), value.clone()))
        });
        let varied = self.study.vary.iter().enumerate().filter(|(_, one)| is_own(one));
        let varied =
            varied.map(|(axis, one)| (one.value.name.clone(), self.design.value(run, axis)));
        fixed.chain(varied).collect()
    }

    /// Returns the variations of an ensemble whose members are runs.
    pub(crate) fn variations(&self, runs: &[u64]) -> Vec<Variation> {
        let fixed = self.study.set.iter().map(|one| one.value.clone());
        let mut all: Vec<Variation> = fixed.filter(|one| is_difference(&one.name)).collect();
        for (axis, one) in self.study.vary.iter().enumerate() {
            if is_difference(&one.value.name) {
                let values = runs.iter().map(|run| self.design.value(*run, axis)).collect();
                let values = Distribution::Column(values);
                all.push(Variation { name: one.value.name.clone(), values });
            }
        }
        let seeds = runs.iter().map(|run| self.seed_of(*run).to_string()).collect();
        all.push(Variation::texts("seed", seeds));
        all
    }

    /// Returns the identifier of a run of `world`: the first 64 bits of SHA-256 over everything that affects its results,
    /// in hexadecimal digits.
    pub(crate) fn id_in(&self, world: &OpenWorld, run: u64) -> String {
        let mut hash = world.identity.clone();
        let mut differences = self.differences(run);
        differences.sort_by(|one, other| one.0.cmp(&other.0));
        for (name, value) in differences {
            hash.update(format!("{name}={value}\n"));
        }
        hash.update(format!("seed {}\n", self.seed_of(run)));
        hex(&hash.finalize()[..8])
    }

    /// Returns the identifier of a run: 16 hexadecimal digits over everything that affects its results. A run whose world
    /// cannot be read has that of its values alone.
    pub fn id(&self, run: u64) -> String {
        match self.world_of(run) {
            Ok(world) => self.id_in(&world, run),
            Err(_) => {
                let mut hash = Sha256::new();
                hash.update(format!("{:?} {:?}", self.variables(run), self.values(run)));
                hex(&hash.finalize()[..8])
            }
        }
    }

    /// Returns an expression over the metrics, which the plan has checked.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if it is not one.
    pub(crate) fn over_metrics(&self, text: &PlanValue<String>) -> Result<Expression, StudyError> {
        let names: Vec<&str> = self.metrics.names.iter().map(String::as_str).collect();
        Expression::parse(&text.value, &names)
            .map_err(|(column, problem)| text.wrong(format!("column {column}: {problem}")))
    }
}

fn is_difference(name: &str) -> bool {
    name != "seed" && !name.starts_with(VARIABLE)
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
