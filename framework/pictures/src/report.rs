//! Reports: one HTML file per run, which needs nothing else.

mod data;
mod events;
mod numbers;

use std::path::Path;

use quick_xml::escape::partial_escape;
use simhost_runs::{Manifest, Run};

use crate::error::PictureError;
use crate::signals::NamedRun;

/// Vehicles whose series are shown; of further ones, the paths alone.
pub const VEHICLES: usize = 24;

/// Decides which series of a run a report needs: those of the first vehicles, and the poses of all.
pub fn keeps(path: &Path) -> impl Fn(&str) -> bool {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let manifest = folder.and_then(|folder| Manifest::read(folder).ok().flatten());
    let others = manifest.map(|manifest| manifest.vehicles()).unwrap_or_default();
    let others: Vec<String> = others.into_iter().skip(VEHICLES).collect();
    move |name| {
        let entity = name.split('/').next().unwrap_or_default();
        name.ends_with("/pose") || !others.iter().any(|other| other == entity)
    }
}

/// Returns the report of a run as an HTML document.
///
/// # Errors
/// [`PictureError`] if the run has no samples, or a file of it cannot be read.
pub fn report(named: &NamedRun) -> Result<String, PictureError> {
    let run = &named.run;
    if run.is_empty() {
        return Err(PictureError::Empty { run: run.path.display().to_string(), what: None });
    }
    let events = events::read(run)?;
    let data = data::as_json(named).replace('<', "\\u003c");
    let manifest =
        run.manifest.as_ref().map_or(String::new(), |Manifest(value)| format!("{value:#}"));
    let parts = [
        ("title", partial_escape(&named.name).into_owned()),
        ("style", include_str!("report/style.css").to_owned()),
        ("facts", facts(run)),
        ("events", table(&["time (s)", "event"], &events.rows)),
        ("faults", faults(&events.faults)),
        ("manifest", partial_escape(&manifest).into_owned()),
        ("data", data),
        ("script", include_str!("report/script.js").to_owned()),
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
        "<section class=\"wide\"><h2>Fault memory</h2>{}</section>",
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
