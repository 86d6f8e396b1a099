//! `simhost report` and `simhost plot` of a study.

use std::path::{Path, PathBuf};

use simhost_pictures::{CurveTable, PlotOptions, SobolTable, StudyRow, StudyTable};
use simhost_sweep::{Hands, RunRow, RunStatus, StudyFolder, StudyPlan, sobol_indices};
use tempfile::TempDir;

use super::show;
use super::verify::{failure, open_opening};
use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{interrupt, terminal};

/// Largest number of runs that are repeated for a plot.
const MAX_CURVES: usize = 200;
/// Number of samples of a curve, about.
const SAMPLES: f64 = 500.0;
/// Number of samples of a curve on a page, about.
const CURVE_SAMPLES: u64 = 200;
/// Largest number of quantities whose curves are on a page without a request.
const USUAL_CURVES: usize = 4;
/// Largest number of rows on a page.
const MAX_ROWS: u64 = 20_000;

/// Returns whether a folder has a study.
pub fn is_study(folder: &Path) -> bool {
    folder.join("study.json").is_file()
}

/// Returns the page about a study, with a title, if one is given, and curves of the quantities `of` its runs.
pub fn page(
    folder: &Path,
    models: &Models,
    title: Option<&str>,
    of: &[String],
) -> Result<String, Failure> {
    let plan = open_opening(folder, models)?;
    let rows = StudyFolder::at(folder).map_err(failure)?;
    let ended = rows.ended();
    let every = (ended.len() as u64).div_ceil(MAX_ROWS).max(1);
    let mut table = StudyTable {
        title: title.map_or_else(|| folder.display().to_string(), str::to_owned),
        facts: facts(&plan, ended.len(), every),
        varied: plan.varied().map(str::to_owned).collect(),
        metrics: metrics(&plan),
        rows: Vec::new(),
        curves: curves(folder, &plan, of)?,
        sobol: Vec::new(),
    };
    let mut number = 0;
    let each = &mut |row: RunRow| {
        let is_failure = !matches!(row.status, RunStatus::Ok | RunStatus::Failed);
        if number % every == 0 || is_failure {
            let RunRow { run, id, values, metrics, status, reason, .. } = row;
            let status = status.name().to_owned();
            table.rows.push(StudyRow { run, id, values, metrics, status, reason });
        }
        number += 1;
    };
    rows.for_each_row(each).map_err(failure)?;
    if plan.blocks() > 1 {
        table.sobol = sobol(&plan, &rows)?;
    }
    Ok(simhost_pictures::study_report(&table))
}

/// Returns quantities of runs over time, which are simulated again: those that are given, or the first ones of metrics.
fn curves(folder: &Path, plan: &StudyPlan, of: &[String]) -> Result<CurveTable, Failure> {
    let mut of = of.to_vec();
    if of.is_empty() {
        of = plan.measured();
        of.truncate(USUAL_CURVES);
    }
    if of.is_empty() {
        return Ok(CurveTable::default());
    }
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let hands = Hands { threads, is_stopped: &interrupt::is_requested, ..Hands::default() };
    let runs = runs_of_curves(folder)?;
    let found = simhost_sweep::curves(plan, &runs, &of, CURVE_SAMPLES, &hands).map_err(failure)?;
    let names =
        found.names.iter().zip(&found.units).map(|(name, unit)| with_unit(name, unit)).collect();
    Ok(CurveTable { names, period: found.period, runs: found.runs })
}

/// Returns the Sobol indices of all metrics.
fn sobol(plan: &StudyPlan, rows: &StudyFolder) -> Result<Vec<SobolTable>, Failure> {
    let of_metric = |(number, metric): (usize, String)| {
        let found = sobol_indices(plan, rows, number).map_err(failure)?;
        let indices = plan.drawn().zip(found.first.into_iter().zip(found.total));
        let indices = indices.map(|(name, (first, total))| (name.to_owned(), first, total));
        Ok(SobolTable { metric, indices: indices.collect() })
    };
    metrics(plan).into_iter().enumerate().map(of_metric).collect()
}

/// Returns the names of the metrics with their units.
fn metrics(plan: &StudyPlan) -> Vec<String> {
    let named = plan.metric_names().iter().zip(plan.metric_units());
    named.map(|(name, unit)| with_unit(name, unit)).collect()
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

fn facts(plan: &StudyPlan, finished: usize, every: u64) -> Vec<(String, String)> {
    let study = plan.study();
    let world = study.world.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shown = if every > 1 { format!(", 1 of {every} shown") } else { String::new() };
    let mut all = vec![
        ("World", world),
        ("Runs", format!("{finished} of {}{shown}", plan.runs())),
        ("Seed", plan.seed().to_string()),
        ("simhost", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    for one in &study.vary {
        all.push(("Varied", format!("{}={}", one.value.name, one.value.values)));
    }
    for one in &study.set {
        all.push(("Fixed", format!("{}={}", one.value.name, one.value.values)));
    }
    for (name, text) in &study.metrics {
        all.push(("Metric", format!("{name} = {}", text.value)));
    }
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the runs whose curves are shown: all that have results, or every n-th one.
fn runs_of_curves(folder: &Path) -> Result<Vec<u64>, Failure> {
    let ended = StudyFolder::at(folder).map_err(failure)?.ended();
    let with_results = ended.iter().filter(|one| one.status.has_results());
    let runs: Vec<u64> = with_results.map(|one| one.run).collect();
    let every = runs.len().div_ceil(MAX_CURVES).max(1);
    if every > 1 {
        terminal::remark(&format!("the plot has 1 of {every} runs"));
    }
    Ok(runs.into_iter().step_by(every).collect())
}

/// What a plot shows, of runs or of a study.
pub struct PlottedStudy<'p> {
    /// Folders of runs, or the folder of a study.
    pub runs: &'p mut Vec<PathBuf>,
    /// Name of what colours lines, or its last part.
    pub colour: &'p mut Option<String>,
    /// Quantities that are plotted.
    pub of: &'p [String],
    /// Quantities against which they are plotted.
    pub against: Option<&'p String>,
    /// Models of the study.
    pub models: &'p Models,
}

/// Repeats runs of a study, if the plot is about one, and lets the plot name their folders. These are removed with what is
/// returned.
///
/// # Errors
/// Fails if the folders of runs and of a study are mixed, or a run cannot be repeated.
pub fn repeat_for_plot(plot: PlottedStudy<'_>) -> Result<Option<TempDir>, Failure> {
    let PlottedStudy { runs, colour, of, against, models } = plot;
    if !runs.iter().any(|folder| is_study(folder)) {
        return Ok(None);
    }
    let [folder] = &runs[..] else {
        let text = "a study is plotted together with other folders; expected one study or runs";
        return Err(Failure::new(Code::Usage, text));
    };
    let folder = folder.clone();
    let plan = open_opening(&folder, models)?;
    if let Some(colour) = colour {
        let last = |name: &&str| name.rsplit('/').next() == Some(&**colour);
        if let Some(name) = plan.varied().find(last) {
            *colour = name.to_owned();
        }
    }
    let failed = |error: std::io::Error| Failure::new(Code::Output, error);
    let place = tempfile::tempdir().map_err(failed)?;
    let options =
        PlotOptions { of: of.to_vec(), against: against.cloned(), ..PlotOptions::default() };
    let mut record = vec!["--log-period".to_owned(), (plan.duration() / SAMPLES).to_string()];
    for pattern in options.patterns() {
        record.extend(["--record".to_owned(), pattern]);
    }
    runs.clear();
    for run in runs_of_curves(&folder)? {
        let out = place.path().join(format!("run-{run}"));
        let out_option = ["--out".to_owned(), out.display().to_string()];
        show::repeat(&plan, run, &[&record[..], &out_option].concat(), true)?;
        runs.push(out);
    }
    Ok(Some(place))
}
