//! A study that has been checked against its world, with numbered runs.

mod arguments;
mod checks;
mod files;
mod runs;

use std::sync::Arc;

use simhost::{
    Catalogue, Ensemble, EnsembleOptions, Expression, Metrics, Options, Session, VariedValue,
};

use crate::design::{Design, count_of};
use crate::error::StudyError;
use crate::measure;
use crate::open_world::{OpenWorld, Worlds};
use crate::study::{PlanValue, Study};

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
    /// Checks all names, values and metrics of a study. Models come from `catalogue`; without a
    /// catalogue, the plugin folders of the study are searched.
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
            study.metrics = measure::usual_metrics(&session);
        }
        let ensemble = Ensemble::from_session(session, EnsembleOptions::members(1))?;
        let metrics = measure::checked(&study.metrics, study.failed.as_ref(), &ensemble)?;
        if let Some(objective) = &study.objective {
            let goals = objective.goals.iter().map(|one| ("objective", &one.expression));
            let conditions = objective.subject_to.iter().map(|one| ("subject_to", one));
            for (name, text) in goals.chain(conditions) {
                let (expression, _) = measure::read(&metrics, name, text, &ensemble)?;
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

    /// Returns the number of runs.
    pub fn runs(&self) -> u64 {
        self.design.runs()
    }

    /// Returns the number of runs per sample of Saltelli's design; 1 in others.
    pub fn blocks(&self) -> u64 {
        self.design.blocks()
    }

    /// Returns the number of runs of one point of Saltelli's design: the runs of the grid, with
    /// their repetitions.
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

    /// Returns which random values of the world file the runs share, see
    /// [`shared_random_values`](simhost::shared_random_values). `None` if there are none, or there is one run.
    pub fn shared_random_values(&self) -> Option<String> {
        (self.runs() > 1).then(|| self.first.shared_random_values())?
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
        self.metrics.names()
    }

    /// Returns the units of the metrics; empty for one that is not known.
    pub fn metric_units(&self) -> &[String] {
        self.metrics.units()
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

    /// Returns an expression over the metrics, which the plan has checked.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if it is not one.
    pub(crate) fn over_metrics(&self, text: &PlanValue<String>) -> Result<Expression, StudyError> {
        self.metrics.over_metrics(&text.value).map_err(|error| text.wrong(error.to_string()))
    }
}
