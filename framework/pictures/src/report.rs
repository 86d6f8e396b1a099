//! Reports: one HTML file per run, which needs nothing else.

mod data;
mod sensors;
mod sheet;

use std::path::Path;

use quick_xml::escape::partial_escape;
use serde_json::Value;
use simhost_runs::{Manifest, Run, RunError, RunFiles, rows};

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
    let entries = sensors::entries(runs);
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
        ("events", of_each(runs, |named| Ok(events(&read_events(&named.run)?)))?),
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
fn events(events: &Events) -> String {
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

/// Inputs that are listed.
const INPUTS: usize = 200;
/// Characters of an event.
const LONGEST: usize = 200;

/// Events of a run.
#[derive(Debug, Default)]
struct Events {
    /// Time and text of each event.
    pub rows: Vec<Vec<String>>,
    /// Rows of `robot_faults.csv`, with the header first.
    pub faults: Vec<Vec<String>>,
}

/// Returns the events of a run: its start, inputs, faults of models, and its end.
fn read_events(run: &Run) -> Result<Events, RunError> {
    let folder = run.files().folder();
    let manifest = run.manifest.as_ref().map(|Manifest(value)| value);
    let number = |pointer: &str| manifest?.pointer(pointer)?.as_f64();
    let mut list: Vec<(f64, String)> = Vec::new();
    let start = number("/resumed/time_s").unwrap_or(0.0);
    let resumed = manifest.is_some_and(|manifest| manifest.get("resumed").is_some());
    let text = if resumed { "start, resumed from a snapshot" } else { "start" };
    list.push((start, text.to_owned()));
    inputs(run, number("/timestep_s").unwrap_or(f64::NAN), &mut list);
    fault_events(folder, &mut list)?;
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
        vec![crate::text::short(time), crate::picture::shortened(&text, LONGEST)]
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
fn fault_events(folder: &Path, list: &mut Vec<(f64, String)>) -> Result<(), RunError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const TRAJECTORY: &str = "time_s,vehicle,x_m,y_m,z_m,yaw_rad,pitch_rad,roll_rad,vx_mps,vy_mps,omega_radps\n\
    0,c<!--ar,1,2,0,0.5,0,0,3,0,0\n1,c<!--ar,2,2,0,0.5,0,0,nan,0,0\n";
    const WHEELS: &str = "time_s,vehicle,wheel,spin_radps,angle_rad,steer_rad,torque_nm,normal_n,vx_mps,vy_mps,fx_n,fy_n\n\
    0,c<!--ar,l,1,0,0,0,100,1,0,30,40\n1,c<!--ar,l,1,0,1.5707963267948966,0,100,1,0,30,40\n";

    fn named(files: &[(&str, &str)]) -> (tempfile::TempDir, NamedRun) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let run = Run::open(folder.path(), &keeps(folder.path())).unwrap();
        let named = NamedRun { name: "a<b>".to_owned(), run, world: None, scene: None };
        (folder, named)
    }

    fn data_of(page: &str) -> serde_json::Value {
        let start = "<script id=\"data\" type=\"application/json\">";
        let (_, rest) = page.split_once(start).unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn a_report_holds_everything_it_shows() {
        let manifest =
            "{\"simhost\": \"1\", \"timestep_s\": 0.5, \"vehicles\": [{\"name\": \"c<!--ar\"}]}";
        let inputs =
            "{\"input\":\"clear_faults\",\"step\":1,\"sequence\":1,\"vehicle\":\"car\"}\n{\"inp";
        let faults = "time_s,vehicle,sensor,text\n0.5,car,brake,worn <out>\n";
        let (_folder, named) = named(&[
            ("trajectory.csv", TRAJECTORY),
            ("wheels.csv", WHEELS),
            ("manifest.json", manifest),
            ("inputs.jsonl", inputs),
            ("robot_faults.csv", faults),
        ]);
        let page = report(std::slice::from_ref(&named), &ReportOptions::default()).unwrap();
        assert!(page.contains("<h1>a&lt;b&gt;</h1>") && page.contains("worn &lt;out&gt;"));
        assert!(page.contains("clear faults: vehicle car") && page.contains("<td>0.5</td>"));
        assert!(page.contains("not complete"));
        for loaded in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(loaded), "{loaded}");
        }
        let data = data_of(&page);
        assert_eq!(data["vehicles"][0]["n"], "c<!--ar");
        assert_eq!(data["charts"][0]["q"], "speed (m/s)");
        assert_eq!(data["charts"][0]["lines"][0]["y"], serde_json::json!([3, null]));
        let wheel = &data["wheels"][0];
        assert_eq!(
            wheel["x"],
            serde_json::json!([0.3, 0.4]),
            "a quarter turn swaps the components"
        );
        assert_eq!(wheel["y"], serde_json::json!([0.4, -0.3]));
    }

    #[test]
    fn a_run_without_rows_has_no_report() {
        let header = TRAJECTORY.lines().next().unwrap().to_owned() + "\n";
        let (_folder, named) = named(&[("trajectory.csv", &header)]);
        assert!(matches!(
            report(std::slice::from_ref(&named), &ReportOptions::default()),
            Err(PictureError::Empty { .. })
        ));
    }

    #[test]
    fn several_runs_share_charts_and_have_names_and_notes() {
        let manifest = "{\"simhost\": \"1\", \"timestep_s\": 0.5, \"vehicles\": [{\"name\": \"c<!--ar\", \
        \"mass_kg\": 12.5, \"yaw_inertia_kgm2\": 1, \"centre_of_mass_m\": [0.5, 1e-17], \"wheels\": [ \
        {\"name\": \"l\", \"position_m\": [1.5, 0.4]}, {\"name\": \"r\", \"position_m\": [0, -0.4]}]}], \
        \"models\": [{\"kind\": \"friction\", \"class\": \"simhost/default\", \
        \"parameters\": {\"mu\": 0.75}, \"vehicles\": [\"c<!--ar\"]}]}";
        let files =
            [("trajectory.csv", TRAJECTORY), ("wheels.csv", WHEELS), ("manifest.json", manifest)];
        let (_one, first) = named(&files);
        let (_two, mut second) = named(&files);
        second.name = "b".to_owned();
        let options = ReportOptions {
            title: Some("Two & more".to_owned()),
            notes: vec!["Dry <road>.".to_owned()],
            of: vec!["x+y".to_owned()],
        };
        let page = report(&[first, second], &options).unwrap();
        assert!(
            page.contains("<h1>Two &amp; more</h1>") && page.contains("<p>Dry &lt;road&gt;.</p>")
        );
        // runs with equal vehicles share a column of the data sheet
        assert!(page.contains("<th>a&lt;b&gt;, b</th>"), "{page}");
        for row in ["<td>12.5</td>", "<td>0.5, 0</td>", "<td>default: mu 0.75</td>", "<td>1.5</td>"]
        {
            assert!(page.contains(row), "{row}");
        }
        let data = data_of(&page);
        let shown: Vec<&serde_json::Value> =
            data["charts"].as_array().unwrap().iter().filter(|chart| chart["on"] == true).collect();
        assert_eq!((shown.len(), &shown[0]["q"]), (1, &"x, y (m)".into()));
        let names: Vec<&str> = shown[0]["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line["n"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["a<b> x", "a<b> y", "b x", "b y"]);
        assert_ne!(shown[0]["lines"][0]["c"], shown[0]["lines"][2]["c"], "a colour per run");
    }

    #[test]
    fn errors_of_rounding_are_drawn_as_zero_and_sensors_apart() {
        let quantities =
            "time_s,c<!--ar/sensor/a/ax (m/s²),c<!--ar/sensor/b/ax (m/s²)\n0,1,5\n1,1e-14,6\n";
        let quantities = quantities.replace(" (m/s²)", "");
        let (_folder, named) =
            named(&[("trajectory.csv", TRAJECTORY), ("quantities.csv", &quantities)]);
        let page = report(std::slice::from_ref(&named), &ReportOptions::default()).unwrap();
        let data = data_of(&page);
        let charts = data["charts"].as_array().unwrap();
        let of = |name: &str| {
            let found = charts.iter().find(|chart| chart["q"].as_str().unwrap().starts_with(name));
            found.unwrap_or_else(|| panic!("{name}: {charts:?}"))
        };
        assert_eq!(of("sensor/a ax")["lines"][0]["y"], serde_json::json!([1, 0]));
        assert_eq!(of("sensor/b ax")["lines"].as_array().unwrap().len(), 1);
    }
}
