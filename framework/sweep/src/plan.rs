//! A study that has been checked against its world, with numbered runs.

mod runs;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost::{
    Catalogue, Differences, Distribution, Ensemble, EnsembleOptions, Error, Expression,
    MetricError, MetricRequest, Metrics, Options, Session, Variation, VariationError, VariedValue,
};
use simhost_registry::page::sha256;

use crate::design::{Design, count_of};
use crate::error::StudyError;
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
        check_names(&study)?;
        variables(&study, &catalogue)?;
        let worlds = Worlds::new(study.clone(), catalogue.clone());
        let first_variables = first_variables(&study);
        let first = worlds.with(&first_variables)?;
        let seed = study.seed.unwrap_or_else(|| first.seed());
        let design = Design::new(&study, seed)?;
        let session = first.session(seed, None)?;
        check_values(&study, &session, seed)?;
        let mut study = study;
        if study.metrics.is_empty() {
            study.metrics = usual_metrics(&session);
        }
        let ensemble = Ensemble::from_session(session, EnsembleOptions::members(1))?;
        let metrics = checked(&study.metrics, study.failed.as_ref(), &ensemble)?;
        if let Some(objective) = &study.objective {
            let goals = objective.goals.iter().map(|one| ("objective", &one.expression));
            let conditions = objective.subject_to.iter().map(|one| ("subject_to", one));
            for (name, text) in goals.chain(conditions) {
                let (expression, _) = read_measure(&metrics, name, text, &ensemble)?;
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

impl StudyPlan {
    /// Returns the arguments of `simhost run` that repeat a run with all its files, without the output folder.
    pub fn arguments(&self, run: u64) -> Vec<String> {
        let Study { world, commands, plugin_dirs, duration, seed, .. } = &self.study;
        let shown = |path: &Path| path.display().to_string();
        let mut words = vec![shown(world)];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        commands.iter().for_each(|path| option("--commands", shown(path)));
        plugin_dirs.iter().for_each(|path| option("--plugin-dir", shown(path)));
        duration.iter().for_each(|duration| option("--duration", duration.value.to_string()));
        seed.iter().for_each(|seed| option("--seed", seed.to_string()));
        // the seed of a member does not change draws in the world file
        option("--members", "1".to_owned());
        option("--member", "0".to_owned());
        option("--vary", format!("seed=constant:{}", self.seed_of(run)));
        for (name, value) in self.variables(run) {
            option("--set", format!("{name}=constant:{value}"));
        }
        for (name, value) in self.differences(run) {
            option("--set", format!("{name}=constant:{value}"));
        }
        words
    }
}

impl StudyPlan {
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
                    let mut variables = first_variables(&self.study);
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
}

/// Number of runs; the models must accept at least one of them.
const TRIED: usize = 64;

/// Checks that nothing is given twice.
fn check_names(study: &Study) -> Result<(), StudyError> {
    let all: Vec<&PlanValue<Variation>> = study.set.iter().chain(&study.vary).collect();
    for (number, one) in all.iter().enumerate() {
        let name = &one.value.name;
        if all[..number].iter().any(|earlier| earlier.value.name == *name) {
            return Err(one.wrong(format!(
                "'{name}' is given twice; expected it once, in [vary] or in [set]"
            )));
        }
        if name == "seed" && study.repeat.value > 1 {
            return Err(
                one.wrong("'seed' is given, and `repeat` gives seeds; expected one of them")
            );
        }
    }
    for one in &study.set {
        if !matches!(one.value.values, Distribution::Constant(_)) {
            let (name, kind) = (&one.value.name, one.value.values.kind());
            return Err(one.wrong(format!("'{name}' is fixed to '{kind}'; expected one value")));
        }
    }
    Ok(())
}

/// Returns the value that the first run has of each variable of the world.
fn first_variables(study: &Study) -> Variables {
    let all = study.set.iter().chain(&study.vary);
    let variables = all.filter(|one| one.value.name.starts_with(VARIABLE));
    let first = |one: &PlanValue<Variation>| {
        let draws = simhost::Draws::new(one.value.clone(), 1, study.seed.unwrap_or(0), 0);
        (one.value.name.clone(), draws.value(0).to_string())
    };
    variables.map(first).collect()
}

/// Checks that the world declares the variables that are given.
fn variables(study: &Study, catalogue: &Catalogue) -> Result<(), StudyError> {
    for one in study.set.iter().chain(&study.vary) {
        if !one.value.name.starts_with(VARIABLE) {
            continue;
        }
        let only = Study { set: Vec::new(), vary: vec![one.clone()], ..study.clone() };
        if let Err(StudyError::World(Error::Load(error))) =
            OpenWorld::read(study, catalogue, &first_variables(&only))
            && let Some(unknown) =
                error.diagnostics.iter().find(|one| one.message.contains("has no variable"))
        {
            let notes = unknown.notes.join("; ");
            return Err(one
                .wrong(format!("cannot vary '{}': {}; {notes}", one.value.name, unknown.message)));
        }
    }
    Ok(())
}

/// Checks names and values against the world. Values that a model rejects together are refused if the first runs have
/// nothing else.
fn check_values(study: &Study, session: &Session, seed: u64) -> Result<(), StudyError> {
    let samples = study.samples.as_ref().map_or(1, |samples| samples.value);
    let all = study.set.iter().chain(&study.vary);
    let own: Vec<&PlanValue<Variation>> =
        all.filter(|one| !one.value.name.starts_with(VARIABLE)).collect();
    let wrong = |error: VariationError| {
        let named = |one: &&&PlanValue<Variation>| {
            error.to_string().contains(&format!("'{}'", one.value.name))
        };
        let place = own.iter().rev().find(named);
        place
            .map_or_else(|| StudyError::plan(error.to_string()), |one| one.wrong(error.to_string()))
    };
    let counts = own.iter().map(|one| count_of(&one.value.values).unwrap_or(samples));
    let count = counts.max().unwrap_or(1) as usize;
    let variations = own.iter().map(|one| one.value.clone()).collect();
    let checked = Differences::new(variations, session, count, seed).map_err(wrong)?;
    let mut first = None;
    for member in 0..count.min(TRIED) {
        match checked.check_member(member, session) {
            Ok(()) => return Ok(()),
            Err(error) => _ = first.get_or_insert(error),
        }
    }
    first.map_or(Ok(()), |error| Err(wrong(error)))
}

/// Number of vehicles with metrics if none are requested.
const VEHICLES: usize = 8;

/// Returns the metrics of a study that has none: x, y and yaw of the first vehicles at the end.
fn usual_metrics(session: &Session) -> Vec<(String, PlanValue<String>)> {
    let vehicles = session.simulation().vehicle_names().iter().take(VEHICLES);
    let of = |vehicle: &String| {
        let name = vehicle.replace(|one: char| !one.is_ascii_alphanumeric(), "_");
        [("x", 0), ("y", 1), ("yaw", 3)].map(|(part, index)| {
            (format!("{name}_{part}"), format!("final({vehicle}/pose[{index}])").into())
        })
    };
    vehicles.flat_map(of).collect()
}

/// Checks the metrics of a study against the world of an ensemble. The condition under which a run
/// counts as failed follows [`Metrics::add_condition`].
fn checked(
    wanted: &[(String, PlanValue<String>)],
    failed: Option<&PlanValue<String>>,
    ensemble: &Ensemble,
) -> Result<Metrics, StudyError> {
    let mut metrics = Metrics::default();
    for (name, text) in wanted {
        if metrics.names().contains(name) {
            return Err(text.wrong(format!("the metric '{name}' is given twice")));
        }
        let request = MetricRequest::unnamed(&text.value);
        let mut request = request.map_err(|error| text.wrong(error.to_string()))?;
        // a metric without a name has that of its text, which can stand for several values
        request.name = (*name != text.value).then(|| name.clone());
        metrics.add(&request, ensemble).map_err(|error| refused(name, text, error))?;
    }
    if let Some(text) = failed {
        metrics.add_condition(read_measure(&metrics, "failed", text, ensemble)?.0);
    }
    Ok(metrics)
}

/// Reads an expression over quantities and metrics. Returns it with its unit.
pub(super) fn read_measure(
    metrics: &Metrics,
    name: &str,
    text: &PlanValue<String>,
    ensemble: &Ensemble,
) -> Result<(Expression, String), StudyError> {
    metrics.read(&text.value, ensemble).map_err(|error| refused(name, text, error))
}

fn refused(name: &str, text: &PlanValue<String>, error: MetricError) -> StudyError {
    text.wrong(match error {
        MetricError::Refused(error) => error.to_string(),
        of_text => format!("'{name}' = {}: {of_text}", text.value),
    })
}
