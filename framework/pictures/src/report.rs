//! Reports: one HTML file per run, which needs nothing else.

mod data;
mod entries;
mod events;
mod json;
mod numbers;
mod sensors;
mod sheet;

use std::path::Path;

use quick_xml::escape::partial_escape;
use simhost_runs::{Manifest, Run, RunFiles};

use crate::error::PictureError;
use crate::signals::NamedRun;

/// Charts of the pages of runs and of studies.
pub(crate) const CHART_SCRIPT: &str = include_str!("chart.js");

/// Vehicles whose series are shown; of further ones, the paths alone.
pub const VEHICLES: usize = 24;

/// Selects the series of a run that a report needs: series of the first vehicles, and the poses of
/// all.
pub fn keeps(path: &Path) -> impl Fn(&str) -> bool {
    let manifest = RunFiles::at(path).manifest().ok().flatten();
    let others = manifest.map(|manifest| manifest.vehicles()).unwrap_or_default();
    let others: Vec<String> = others.into_iter().skip(VEHICLES).collect();
    move |name| {
        let entity = name.split('/').next().unwrap_or_default();
        name.ends_with("/pose") || !others.iter().any(|other| other == entity)
    }
}

/// Contents of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// Title; otherwise the names of the runs.
    pub title: Option<String>,
    /// Paragraphs below the title.
    pub notes: Vec<String>,
    /// Presets and patterns of quantities that are shown at first, a chart each; otherwise the usual ones.
    pub of: Vec<String>,
}

/// Returns the report of one or several runs as an HTML document. Several runs are aligned by time
/// and have one colour each; surroundings, images and clouds come from the first run.
///
/// # Errors
/// [`PictureError`] if a run has no samples, none has a quantity that is asked for, or a file cannot be read.
pub fn report(runs: &[NamedRun], options: &ReportOptions) -> Result<String, PictureError> {
    for NamedRun { run, .. } in runs {
        if run.is_empty() {
            return Err(PictureError::Empty { run: run.path.display().to_string(), what: None });
        }
    }
    let names = || runs.iter().map(|named| named.name.as_str()).collect::<Vec<_>>().join(", ");
    let title = options.title.clone().unwrap_or_else(names);
    let notes = options.notes.iter().map(|note| format!("<p>{}</p>", partial_escape(note)));
    let entries = entries::entries(runs);
    let sheet = match sheet::vehicles(&entries) {
        (_, rows) if rows.is_empty() => "<p>The run has no manifest.</p>".to_owned(),
        sheet => owned_table(&sheet),
    };
    let data = data::as_json(runs, &entries, options)?.replace('<', "\\u003c");
    let parts = [
        ("title", partial_escape(&title).into_owned()),
        ("notes", notes.collect()),
        ("style", include_str!("report/style.css").to_owned()),
        ("facts", of_each(runs, |named| Ok(facts(&named.run)))?),
        ("sheet", sheet),
        ("metrics", owned_table(&sheet::metrics(runs, &entries))),
        ("events", of_each(runs, |named| Ok(events(&events::read(&named.run)?)))?),
        ("manifest", of_each(runs, |named| Ok(manifest(&named.run)))?),
        ("data", data),
        ("script", [CHART_SCRIPT, include_str!("report/script.js")].concat()),
    ];
    let mut page = String::new();
    let mut rest = include_str!("report/page.html");
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let part = parts.iter().find(|(known, _)| *known == name);
        page += before;
        page += part.map_or("", |(_, text)| text.as_str());
        rest = after;
    }
    page += rest;
    Ok(page)
}

/// Returns a part of each run, below its name if there are several.
fn of_each(
    runs: &[NamedRun],
    part: impl Fn(&NamedRun) -> Result<String, PictureError>,
) -> Result<String, PictureError> {
    let part = |named: &NamedRun| {
        let name = match runs.len() {
            1 => String::new(),
            _ => format!("<h3>{}</h3>", partial_escape(&named.name)),
        };
        Ok(name + &part(named)?)
    };
    runs.iter().map(part).collect()
}

/// Returns the events of a run, and its fault memory.
fn events(events: &events::Events) -> String {
    table(&["time (s)", "event"], &events.rows) + &faults(&events.faults)
}

fn manifest(run: &Run) -> String {
    let text = run.manifest.as_ref().map_or(String::new(), |Manifest(value)| format!("{value:#}"));
    let text = partial_escape(&text);
    format!("<details><summary>manifest.json</summary><pre>{text}</pre></details>")
}

fn owned_table((header, rows): &sheet::Table) -> String {
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    format!("<div class=\"scroll\">{}</div>", table(&header, rows))
}

/// Returns the facts at the head of a report.
fn facts(run: &Run) -> String {
    let manifest = run.manifest.as_ref().map(|Manifest(value)| value);
    let text = |pointer: &str| -> Option<String> {
        let value = manifest?.pointer(pointer)?;
        match value {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Null => None,
            other => Some(other.to_string()),
        }
    };
    let end = run.end().unwrap_or(0.0);
    let has_ended = run.manifest.as_ref().is_some_and(Manifest::has_ended);
    let ending = match (text("/end/stopped_by"), has_ended) {
        (Some(observer), _) => format!("ended by {observer}"),
        (None, true) => "complete".to_owned(),
        // a recording by itself
        (None, false) if run.manifest.is_none() => "recording without an output folder".to_owned(),
        (None, false) => "not complete: the run was killed, or is still running".to_owned(),
    };
    let facts = [
        ("World", text("/world")),
        ("Simulated", Some(format!("{} s", crate::text::short(end)))),
        ("Step", text("/timestep_s").map(|step| format!("{step} s"))),
        ("Seed", text("/seed")),
        ("Profile", text("/profile")),
        ("Vehicles", Some(run.vehicles.len().to_string())),
        ("Run", Some(ending)),
        ("Result hash", text("/end/result_hash")),
        ("simhost", text("/simhost")),
    ];
    let mut html = "<dl class=\"facts\">".to_owned();
    for (name, value) in facts {
        if let Some(value) = value {
            html += &format!("<div><dt>{name}</dt><dd>{}</dd></div>", partial_escape(&value));
        }
    }
    html += "</dl>";
    for note in &run.notes {
        html += &format!("<p>{}</p>", partial_escape(note));
    }
    html
}

fn faults(rows: &[Vec<String>]) -> String {
    let Some((header, rows)) = rows.split_first() else { return String::new() };
    let header: Vec<&str> = header
        .iter()
        .map(|name| if name == "time_s" { "time (s)" } else { name.as_str() })
        .collect();
    format!(
        "<h3>Fault memory</h3>{}",
        match rows.is_empty() {
            true => "<p>No faults.</p>".to_owned(),
            false => table(&header, rows),
        }
    )
}

fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return "<p>None.</p>".to_owned();
    }
    let cells = |tag: &str, row: &mut dyn Iterator<Item = &str>| -> String {
        let cells: String =
            row.map(|cell| format!("<{tag}>{}</{tag}>", partial_escape(cell))).collect();
        format!("<tr>{cells}</tr>")
    };
    let mut html = format!("<table>{}", cells("th", &mut header.iter().copied()));
    for row in rows {
        html += &cells("td", &mut row.iter().map(String::as_str));
    }
    html + "</table>"
}

#[cfg(test)]
mod tests;
