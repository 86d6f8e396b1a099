//! Events of a run.

use std::path::Path;

use serde_json::Value;
use simhost_runs::{Manifest, Run, RunError, rows};

/// Inputs that are listed.
const INPUTS: usize = 200;
/// Characters of an event.
const LONGEST: usize = 200;

/// Events of a run.
#[derive(Debug, Default)]
pub struct Events {
    /// Time and text of each event.
    pub rows: Vec<Vec<String>>,
    /// Rows of `robot_faults.csv`, with the header first.
    pub faults: Vec<Vec<String>>,
}

/// Returns the events of a run: its start, inputs, faults of models, and its end.
pub fn read(run: &Run) -> Result<Events, RunError> {
    let folder = run.files().folder();
    let manifest = run.manifest.as_ref().map(|Manifest(value)| value);
    let number = |pointer: &str| manifest?.pointer(pointer)?.as_f64();
    let mut list: Vec<(f64, String)> = Vec::new();
    let start = number("/resumed/time_s").unwrap_or(0.0);
    let resumed = manifest.is_some_and(|manifest| manifest.get("resumed").is_some());
    let text = if resumed { "start, resumed from a snapshot" } else { "start" };
    list.push((start, text.to_owned()));
    inputs(run, number("/timestep_s").unwrap_or(f64::NAN), &mut list);
    faults(folder, &mut list)?;
    list.extend(manifest.into_iter().flat_map(collisions));
    if let Some(manifest) = manifest {
        let end = number("/end/time_s").or_else(|| run.end()).unwrap_or(f64::NAN);
        let of = |key: &str| manifest.pointer(key).and_then(Value::as_str);
        let text = match (of("/end/stopped_by"), manifest.get("end")) {
            (Some(observer), _) => {
                format!("end, by {observer}: {}", of("/end/reason").unwrap_or_default())
            }
            (None, Some(_)) => "end".to_owned(),
            (None, None) => "last row; the run has no end".to_owned(),
        };
        list.push((end, text));
    }
    list.sort_by(|one, other| one.0.total_cmp(&other.0));
    let row = |(time, text): (f64, String)| {
        vec![crate::text::short(time), crate::picture::draw::shortened(&text, LONGEST)]
    };
    let rows_of_faults = rows(&folder.join("robot_faults.csv"))?;
    Ok(Events { rows: list.into_iter().map(row).collect(), faults: rows_of_faults })
}

/// Returns the collisions of vehicles. Two vehicles that touch each other have one event.
fn collisions(manifest: &Value) -> Vec<(f64, String)> {
    let all = manifest.pointer("/end/collisions").and_then(Value::as_array);
    let text = |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut found: Vec<(f64, String, Option<String>)> = Vec::new();
    for entry in all.into_iter().flatten() {
        let (Some(time), Some(vehicle)) =
            (entry.get("time_s").and_then(Value::as_f64), text(entry, "vehicle"))
        else {
            continue;
        };
        let with = text(entry, "with");
        let is_same = |(at, one, other): &(f64, String, Option<String>)| {
            *at == time && with.as_ref() == Some(one) && other.as_ref() == Some(&vehicle)
        };
        if !found.iter().any(is_same) {
            found.push((time, vehicle, with));
        }
    }
    let event = |(time, vehicle, with): (f64, String, Option<String>)| {
        let with = with.as_deref().unwrap_or("an obstacle");
        (time, format!("collision: {vehicle} touches {with}"))
    };
    found.into_iter().map(event).collect()
}

/// Adds the first inputs of `inputs.jsonl`.
fn inputs(run: &Run, step: f64, list: &mut Vec<(f64, String)>) {
    let all = run.inputs();
    for record in all.iter().take(INPUTS) {
        let input = serde_json::to_value(&record.input).unwrap_or_default();
        list.push((record.step as f64 * step, described(&input)));
    }
    if let Some(last) = all.get(INPUTS) {
        list.push((
            last.step as f64 * step,
            format!("{} more inputs in inputs.jsonl", all.len() - INPUTS),
        ));
    }
}

/// Returns an input as text: its kind, and its fields.
fn described(input: &Value) -> String {
    let kind = input.get("input").and_then(Value::as_str).unwrap_or_default().replace('_', " ");
    let fields = input.as_object().into_iter().flatten();
    let fields = fields.filter(|(key, _)| *key != "input");
    let fields: Vec<String> = fields
        .map(|(key, value)| match value {
            Value::String(text) => format!("{key} {text}"),
            other => format!("{key} {other}"),
        })
        .collect();
    format!("{kind}: {}", fields.join(", "))
}

/// Adds the faults of models, from the evidence files.
fn faults(folder: &Path, list: &mut Vec<(f64, String)>) -> Result<(), RunError> {
    let entries = std::fs::read_dir(folder)
        .map_err(|source| RunError::Read { path: folder.to_owned(), source })?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !(name.starts_with("fault-") && name.ends_with(".json")) {
            continue;
        }
        let value = simhost_files::read(&entry.path(), simhost_files::MAX_BYTES).ok();
        let value = value.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        // one that was cut is not JSON
        let Some(value) = value else { continue };
        let field = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let time = value.get("time").and_then(Value::as_f64).unwrap_or(f64::NAN);
        let [class, entity, phase, text] = ["class", "entity", "phase", "text"].map(field);
        let text = format!("fault of {class} in {entity}, {phase}: {text} ({name})");
        list.push((time, text));
    }
    Ok(())
}
