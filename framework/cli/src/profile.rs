//! `simhost run --profile`: wall time per model, phase and vehicle, as tables and as a trace for Perfetto.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use simhost_model::profile::{CallProfile, ProfileRow};

use crate::plugin::document::{self, Block, table};
use crate::process::{Code, Failure};
use crate::terminal;

/// Largest number of rows of a table.
const MOST_ROWS: usize = 20;
/// Names that a row lists.
const MOST_NAMES: usize = 2;

/// Prints what a run has measured over some steps and a wall time.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn print(profile: &CallProfile, steps: u64, wall: Duration) -> Result<(), Failure> {
    if terminal::is_quiet() {
        return Ok(());
    }
    let all: f64 = profile.rows.iter().map(|row| row.seconds).sum();
    let wall = wall.as_secs_f64();
    let mut blocks = vec![
        Block::Heading(
            1,
            format!("profile of {steps} steps: {all:.3} s of {wall:.3} s in models and phases"),
        ),
        Block::Table(table(
            ["MODEL OR PHASE", "OF", "CALLS", "TIME", "SHARE", "PER CALL", "PER LANE"],
            profile.rows.iter().take(MOST_ROWS).map(|row| line(row, all)),
        )),
    ];
    let vehicles = of_vehicles(&profile.rows);
    if vehicles.len() > 1 {
        let rows = vehicles.into_iter().take(MOST_ROWS);
        let rows = rows.map(|(seconds, name)| [name, time(seconds), share(seconds, all)]);
        blocks.push(Block::Table(table(["MODELS OF", "TIME", "SHARE"], rows)));
    }
    if profile.rows.len() > MOST_ROWS {
        let more = profile.rows.len() - MOST_ROWS;
        blocks.push(Block::Paragraph(format!("and {more} more rows of less time")));
    }
    terminal::document(&document::text(&blocks, terminal::width()))
}

fn line(row: &ProfileRow, all: f64) -> [String; 7] {
    let name = match &row.class {
        Some(class) => format!("{class} {}", row.phase),
        None => format!("phase {}", row.phase),
    };
    let per =
        |count: u64| if count == 0 { "-".to_owned() } else { time(row.seconds / count as f64) };
    [
        name,
        owners(&row.owners),
        row.calls.to_string(),
        time(row.seconds),
        share(row.seconds, all),
        per(row.calls),
        per(row.lanes),
    ]
}

/// Returns the owners of the lanes of a model in a few words.
fn owners(names: &[String]) -> String {
    match names.len() {
        0 => "the host".to_owned(),
        count if count <= MOST_NAMES => names.join(", "),
        count => format!("{} and {} more", names[0], count - 1),
    }
}

/// Returns the time of the models of each vehicle or sensor, the longest first. The lanes of a call share its time equally.
fn of_vehicles(rows: &[ProfileRow]) -> Vec<(f64, String)> {
    let mut times: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows {
        for owner in &row.owners {
            *times.entry(owner).or_default() += row.seconds / row.owners.len() as f64;
        }
    }
    let mut times: Vec<(f64, String)> =
        times.into_iter().map(|(name, seconds)| (seconds, name.to_owned())).collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    times
}

fn share(seconds: f64, all: f64) -> String {
    format!("{:.1} %", 100.0 * seconds / all.max(f64::MIN_POSITIVE))
}

/// Returns a time with three digits and a unit.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

/// Writes a trace in the format of Chrome, which Perfetto opens.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_trace(to: &Path, profile: &CallProfile) -> Result<(), Failure> {
    if profile.dropped > 0 {
        let kept = profile.events.len();
        terminal::warning(&format!(
            "the trace has the first {kept} events, and leaves out {}; run fewer steps for all",
            profile.dropped
        ));
    }
    let events: Vec<_> = profile
        .events
        .iter()
        .map(|event| {
            let category = if event.lanes > 0 { "model" } else { "phase" };
            json!({
                "name": event.name,
                "cat": category,
                "ph": "X",
                "ts": event.start,
                "dur": event.duration,
                "pid": 1,
                "tid": event.thread,
                "args": { "lanes": event.lanes, "simulated_s": event.time },
            })
        })
        .collect();
    let text = json!({ "traceEvents": events, "displayTimeUnit": "ns" }).to_string();
    simhost_files::write(to, text).map_err(|error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", to.display()))
    })?;
    if terminal::is_quiet() {
        return Ok(());
    }
    terminal::result(&format!("the trace is {}; open it at https://ui.perfetto.dev", to.display()))
}
