//! Studies: their variations, fixed values and metrics.

mod plan_value;
mod reader;
mod toml;

use std::path::{Path, PathBuf};

use simhost::Variation;

use crate::error::StudyError;

pub use plan_value::PlanValue;

/// First part of the names of variables of the world file, as in `variable/speed`.
pub const VARIABLE: &str = "variable/";

/// Simulated time between the samples of metrics, unless the plan gives one, s.
const PERIOD: f64 = 0.1;

/// What a study keeps of each run in addition to its row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kept {
    /// Nothing.
    #[default]
    Nothing,
    /// Quantities that match patterns, over time.
    Quantities(Vec<String>),
    /// All files of a run.
    All,
}

/// What an optimisation makes as small or as large as possible.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyGoal {
    /// Expression over metrics.
    pub expression: PlanValue<String>,
    /// Whether it is to be large.
    pub is_maximised: bool,
}

/// Goals of an optimisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Goals; the points that are best for several ones are a front.
    pub goals: Vec<StudyGoal>,
    /// Conditions that a result must meet, such as `peak < 9`.
    pub subject_to: Vec<PlanValue<String>>,
    /// Number of generations.
    pub generations: u64,
    /// Number of points per generation; by default 4 + 3 ln n for n variables, and 40 for several goals.
    pub population: Option<usize>,
}

impl Objective {
    /// Returns the number of points per generation for a number of variables.
    pub fn population_for(&self, variables: usize) -> usize {
        let usual = match self.goals.len() {
            1 => 4 + (3.0 * simhost_sdk::math::ln(variables as f64)) as usize,
            _ => 40,
        };
        self.population.unwrap_or(usual)
    }
}

/// A study: its variations, fixed values and metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// World file.
    pub world: PathBuf,
    /// Command file of all runs.
    pub commands: Option<PathBuf>,
    /// Folders with plugins.
    pub plugin_dirs: Vec<PathBuf>,
    /// Simulated time, s; by default the duration of the world.
    pub duration: Option<PlanValue<f64>>,
    /// Seed of the first run and key of all draws; by default the seed of the world, or 0.
    pub seed: Option<u64>,
    /// Whether all points have the same seeds, instead of a separate seed per run.
    pub common_seeds: bool,
    /// Number of runs per point, with different seeds.
    pub repeat: PlanValue<u64>,
    /// Number of points that are drawn per point of the grid.
    pub samples: Option<PlanValue<u64>>,
    /// Whether points form the matrices A, B and AB of Saltelli, from which Sobol indices follow.
    pub saltelli: bool,
    /// Variations. Lists and ranges form a grid; the first variation changes slowest.
    pub vary: Vec<PlanValue<Variation>>,
    /// Values that are the same in all runs.
    pub set: Vec<PlanValue<Variation>>,
    /// Metrics: names with expressions.
    pub metrics: Vec<(String, PlanValue<String>)>,
    /// Simulated time between the samples of metrics, s.
    pub period: f64,
    /// Condition over metrics under which a run counts as failed.
    pub failed: Option<PlanValue<String>>,
    /// Outputs that are kept of each run.
    pub keep: Kept,
    /// Goals of an optimisation.
    pub objective: Option<Objective>,
}

impl Study {
    /// Returns the study of one run of a world, to which values and metrics can be added.
    pub fn new(world: impl Into<PathBuf>) -> Self {
        Self {
            world: world.into(),
            commands: None,
            plugin_dirs: Vec::new(),
            duration: None,
            seed: None,
            common_seeds: false,
            repeat: 1.into(),
            samples: None,
            saltelli: false,
            vary: Vec::new(),
            set: Vec::new(),
            metrics: Vec::new(),
            period: PERIOD,
            failed: None,
            keep: Kept::Nothing,
            objective: None,
        }
    }

    /// Adds something that varies.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if the text is not `NAME=KIND:ARGUMENTS`.
    pub fn vary(mut self, text: &str) -> Result<Self, StudyError> {
        let variation: Variation = text.parse().map_err(simhost::Error::from)?;
        self.vary.push(variation.into());
        Ok(self)
    }

    /// Adds a metric.
    #[must_use]
    pub fn metric(mut self, name: &str, expression: &str) -> Self {
        self.metrics.push((name.to_owned(), expression.to_owned().into()));
        self
    }

    /// Reads a plan. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// [`StudyError::Read`] if the file cannot be read, and [`StudyError::Plan`] with line and column for what it does
    /// not accept.
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        let text = simhost_files::read_text(path, simhost_files::MAX_BYTES)
            .map_err(StudyError::read(path))?;
        Self::from_text(&text, path)
    }

    /// Reads the text of a plan as if it were the content of `path`.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn from_text(text: &str, path: &Path) -> Result<Self, StudyError> {
        toml::read(text, path)
    }
}
