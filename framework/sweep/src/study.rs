//! Studies: their variations, fixed values and metrics.

mod reader;

use std::path::{Path, PathBuf};

use simhost::Variation;
use toml_edit::{Document, Item, Table, Value};

use crate::error::StudyError;
use reader::{Reader, TableEntry};

pub use reader::PlanValue;

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
        read_toml(text, path)
    }
}

/// Keys of a plan.
const KEYS: [&str; 16] = [
    "world",
    "commands",
    "plugin_dir",
    "duration",
    "seed",
    "seeds",
    "repeat",
    "samples",
    "design",
    "vary",
    "set",
    "metrics",
    "period",
    "failed",
    "keep",
    "objective",
];
/// Keys of `[objective]`.
const OBJECTIVE: [&str; 5] = ["minimise", "maximise", "subject_to", "generations", "population"];
/// Number of generations of an optimisation, unless the plan gives one.
const GENERATIONS: u64 = 50;

/// Reads a plan.
fn read_toml(text: &str, path: &Path) -> Result<Study, StudyError> {
    let reader = Reader { text, path };
    let document = Document::parse(text).map_err(|error| {
        let problem = error.message().to_owned();
        reader.wrong(error.span(), problem)
    })?;
    let table = document.as_table();
    reader.check_keys(table, &KEYS)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = |key: &str| -> Result<Option<PathBuf>, StudyError> {
        Ok(reader.text(table, key)?.map(|text| folder.join(text.value)))
    };
    let world = file("world")?;
    let world =
        world.ok_or_else(|| reader.wrong(None, "found no `world`; expected a world file"))?;
    let mut study = Study::new(world);
    study.commands = file("commands")?;
    let dirs = reader.texts(table, "plugin_dir")?;
    study.plugin_dirs = dirs.into_iter().map(|dir| folder.join(dir.value)).collect();
    numbers(&reader, table, &mut study)?;
    study.vary = reader.variations(table, "vary")?;
    study.set = reader.variations(table, "set")?;
    study.metrics = reader.metrics(table)?;
    study.failed = reader.text(table, "failed")?;
    study.keep = reader.keep(table)?;
    study.objective = reader.objective(table)?;
    Ok(study)
}

/// Reads times, numbers of runs, and how they are arranged.
fn numbers(reader: &Reader<'_>, table: &Table, study: &mut Study) -> Result<(), StudyError> {
    study.duration = reader.positive(table, "duration")?;
    study.period = reader.positive(table, "period")?.map_or(study.period, |period| period.value);
    study.seed = reader.whole(table, "seed", 0)?.map(|seed| seed.value);
    study.repeat = reader.whole(table, "repeat", 1)?.unwrap_or_else(|| study.repeat.clone());
    study.samples = reader.whole(table, "samples", 1)?;
    study.common_seeds = reader.choice(table, "seeds", &["own", "common"])? == Some(1);
    study.saltelli = reader.choice(table, "design", &["points", "saltelli"])? == Some(1);
    Ok(())
}

impl Reader<'_> {
    /// Reads `"NAME" = "KIND:ARGUMENTS"`, `"NAME" = NUMBER` or `"NAME" = [VALUE, …]`.
    fn variations(
        &self,
        table: &Table,
        key: &str,
    ) -> Result<Vec<PlanValue<Variation>>, StudyError> {
        let read = |(name, span, item): TableEntry<'_>| {
            let text = match item {
                Item::Value(Value::Array(items)) => {
                    let texts = items.iter().map(|value| self.value_text(name, value));
                    format!("list:{}", texts.collect::<Result<Vec<_>, _>>()?.join(","))
                }
                Item::Value(value) => self.value_text(name, value)?,
                _ => return Err(self.mistyped(name, item, "a value such as \"uniform:0:1\"")),
            };
            let values = text.parse().map_err(|error: simhost::VariationError| {
                self.wrong(item.span(), error.to_string())
            })?;
            let value = Variation { name: name.to_owned(), values };
            Ok(PlanValue { value, place: self.place(span) })
        };
        self.entries(table, key)?.into_iter().map(read).collect()
    }

    fn value_text(&self, name: &str, value: &Value) -> Result<String, StudyError> {
        match value {
            Value::String(text) => Ok(text.value().clone()),
            Value::Integer(number) => Ok(number.value().to_string()),
            Value::Float(number) => Ok(number.value().to_string()),
            Value::Boolean(truth) => Ok(truth.value().to_string()),
            _ => {
                let found = value.type_name();
                Err(self.wrong(
                    value.span(),
                    format!("`{name}` is {found}; expected a value or a text in quotes"),
                ))
            }
        }
    }

    fn metrics(&self, table: &Table) -> Result<Vec<(String, PlanValue<String>)>, StudyError> {
        let read = |(name, span, item): TableEntry<'_>| {
            let is_word = name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
            if !is_word || !name.starts_with(|one: char| one.is_ascii_alphabetic()) {
                let problem =
                    format!("the metric '{name}'; expected a name of letters, digits and _");
                return Err(self.wrong(span, problem));
            }
            let text = item.as_str().ok_or_else(|| {
                self.mistyped(name, item, "an expression in quotes, such as \"max(car/twist[0])\"")
            })?;
            let place = self.place(item.span());
            Ok((name.to_owned(), PlanValue { value: text.to_owned(), place }))
        };
        self.entries(table, "metrics")?.into_iter().map(read).collect()
    }

    fn keep(&self, table: &Table) -> Result<Kept, StudyError> {
        match table.get("keep") {
            Some(item) if item.is_array() => {
                let patterns = self.texts(table, "keep")?;
                Ok(Kept::Quantities(patterns.into_iter().map(|one| one.value).collect()))
            }
            _ => Ok(match self.choice(table, "keep", &["nothing", "all"])? {
                Some(1) => Kept::All,
                _ => Kept::Nothing,
            }),
        }
    }

    fn objective(&self, table: &Table) -> Result<Option<Objective>, StudyError> {
        let Some(item) = table.get("objective") else { return Ok(None) };
        let own = item
            .as_table()
            .ok_or_else(|| self.mistyped("objective", item, "a table [objective]"))?;
        self.check_keys(own, &OBJECTIVE)?;
        let mut goals = Vec::new();
        for (key, is_maximised) in [("minimise", false), ("maximise", true)] {
            let texts = self.texts(own, key)?.into_iter();
            goals.extend(texts.map(|expression| StudyGoal { expression, is_maximised }));
        }
        if goals.is_empty() {
            let problem = "[objective] has no goal; expected `minimise`, `maximise` or both";
            return Err(self.wrong(item.span(), problem));
        }
        let population = self.whole(own, "population", 4)?;
        Ok(Some(Objective {
            goals,
            subject_to: self.texts(own, "subject_to")?,
            generations: self.whole(own, "generations", 1)?.map_or(GENERATIONS, |one| one.value),
            population: population.map(|one| one.value as usize),
        }))
    }
}
