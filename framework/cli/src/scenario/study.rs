//! All runs of a distribution of parameters.

use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use simhost_openscenario::ScenarioRuns;

use super::RunScenario;
use super::play::{Played, simulate};
use crate::process::{Code, Failure};
use crate::{run_reader, terminal};

/// Makes all runs, on all processors, and prints a table with one row per run.
///
/// # Errors
/// A parameter that `--param` and the distribution set, a run that cannot be made, with its number, and a folder that cannot be
/// written.
pub(super) fn run(arguments: &RunScenario, study: &ScenarioRuns) -> Result<Code, Failure> {
    let ScenarioRuns { scenario, names, runs } = study;
    if let Some((name, _)) = arguments.parameters.iter().find(|(name, _)| names.contains(name)) {
        let text = format!("--param: the distribution sets `{name}`; expected another parameter");
        return Err(Failure::new(Code::Usage, text));
    }
    let folder = arguments.file.parent().unwrap_or(Path::new(""));
    let single = |number: usize| {
        let values = names.iter().cloned().zip(runs[number].iter().cloned());
        let out = arguments.out.as_ref().map(|out| out.join(format!("run-{number:06}")));
        let parameters = arguments.parameters.iter().cloned().chain(values).collect();
        let file = folder.join(scenario);
        simulate(&RunScenario { file, parameters, out, ..arguments.clone() })
    };
    let found = Mutex::new((0..runs.len()).map(|_| None).collect::<Vec<_>>());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs.len() {
                return;
            }
            let played = single(number);
            let has_failed = played.is_err();
            if let Ok(mut found) = found.lock() {
                found[number] = Some(played);
            }
            if has_failed {
                // the runs that have begun are completed
                next.store(runs.len(), Ordering::Relaxed);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(runs.len());
    thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let found = found.into_inner().unwrap_or_default();
    let mut table = String::new();
    for (number, played) in found.into_iter().enumerate() {
        let Some(played) = played else { continue };
        let played = played.map_err(|failure| of_run(failure, number, names, &runs[number]))?;
        if table.is_empty() {
            table = heading(names, &played);
        }
        add_row(&mut table, number, &runs[number], &played);
    }
    terminal::result(table.trim_end())?;
    if let Some(out) = &arguments.out {
        run_reader::write(&out.join("runs.csv"), table.as_bytes())?;
        terminal::result(&format!("{} runs in {}", runs.len(), out.display()))?;
    }
    Ok(Code::Done)
}

/// Returns a failure with the number and the parameters of its run.
fn of_run(failure: Failure, number: usize, names: &[String], values: &[String]) -> Failure {
    let pairs = names.iter().zip(values).map(|(name, value)| format!("{name}={value}"));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    Failure { text: format!("run {number} ({pairs}): {}", failure.text), ..failure }
}

fn heading(names: &[String], played: &Played) -> String {
    let mut text =
        format!("run,{}{}time_s,end", names.join(","), if names.is_empty() { "" } else { "," });
    for (entity, _) in &played.entities {
        let _ = write!(text, ",{entity}_x_m,{entity}_y_m,{entity}_yaw_rad,{entity}_vx_mps");
    }
    text + "\n"
}

/// Adds a row; texts with a comma or quotation marks are quoted.
fn add_row(table: &mut String, number: usize, values: &[String], played: &Played) {
    let _ = write!(table, "{number}");
    for value in values {
        match value.contains([',', '"', '\n']) {
            true => _ = write!(table, ",\"{}\"", value.replace('"', "\"\"")),
            false => _ = write!(table, ",{value}"),
        }
    }
    let end = if played.has_ended { "storyboard" } else { "duration" };
    let _ = write!(table, ",{},{end}", played.time);
    for (_, numbers) in &played.entities {
        numbers.iter().for_each(|number| _ = write!(table, ",{number}"));
    }
    table.push('\n');
}
