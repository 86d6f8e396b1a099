//! Data sheets of vehicles, and the metrics of their runs.

use serde_json::Value;
use simhost_runs::Manifest;

use super::sensors::Entry;
use crate::scene::VehicleShape;
use crate::signals::{self, NamedRun, Signal};
use crate::text::short;

/// Vehicles that have a separate column.
const COLUMNS: usize = 12;

/// A table: its header, and its rows.
pub type Table = (Vec<String>, Vec<Vec<String>>);

/// Returns the data sheet: a row per property, and a column per vehicle. Vehicles with equal columns share one.
pub fn vehicles(entries: &[Entry<'_>]) -> Table {
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for entry in entries {
        let sheet = sheet(entry);
        match columns.iter_mut().find(|(_, known)| *known == sheet) {
            Some((labels, _)) => *labels += &format!(", {}", entry.label),
            None => columns.push((entry.label.clone(), sheet)),
        }
    }
    let more = columns.len().saturating_sub(COLUMNS);
    columns.truncate(COLUMNS);
    let cell = |sheet: &Vec<String>, row: usize| match sheet.get(row) {
        Some(text) if !text.is_empty() => text.clone(),
        _ => "–".to_owned(),
    };
    let is_known = |row: &usize| {
        let mut cells = columns.iter().filter_map(|(_, sheet)| sheet.get(*row));
        cells.any(|text| !text.is_empty())
    };
    let rows = (0..ROWS.len()).filter(is_known).map(|row| {
        let cells = columns.iter().map(|(_, sheet)| cell(sheet, row));
        std::iter::once(ROWS[row].to_owned()).chain(cells).collect()
    });
    let rows = rows.collect();
    let labels = columns.iter().map(|(labels, _)| crate::picture::shortened(labels, 80));
    let first = if more > 0 { format!("({more} more vehicles)") } else { String::new() };
    (std::iter::once(first).chain(labels).collect(), rows)
}

/// Rows of a data sheet.
const ROWS: [&str; 14] = [
    "mass (kg)",
    "yaw inertia (kg·m²)",
    "centre of mass x, y (m)",
    "wheelbase (m)",
    "track (m)",
    "wheels",
    "wheel radius (m)",
    "suspension",
    "aerodynamics",
    "dynamics and powertrain",
    "tyres",
    "controller",
    "actuators",
    "sensors",
];

/// Returns the properties of a vehicle in the order of [`ROWS`]; empty for one that it does not have.
fn sheet(entry: &Entry<'_>) -> Vec<String> {
    let Some(manifest) = entry.named.run.manifest.as_ref() else { return Vec::new() };
    let body = manifest.body(entry.vehicle).unwrap_or_default();
    let number = |value: Option<f64>| value.map(rounded).unwrap_or_default();
    let centre = body.centre_of_mass.map(|[x, y]| format!("{}, {}", rounded(x), rounded(y)));
    let wheels = manifest.wheel_positions(entry.vehicle);
    let extent = |axis: usize| {
        let places = wheels.iter().map(|(_, position)| position[axis]);
        let low = places.clone().fold(f64::INFINITY, f64::min);
        let extent = places.fold(f64::NEG_INFINITY, f64::max) - low;
        if extent > 1e-3 { short(extent) } else { String::new() }
    };
    let names: Vec<&str> = wheels.iter().map(|(name, _)| name.as_str()).collect();
    let shape = entry.named.scene.as_ref().and_then(|scene| scene.vehicle(entry.vehicle));
    let mut radii: Vec<String> =
        shape.iter().flat_map(|shape| &shape.wheels).map(|wheel| short(wheel.radius)).collect();
    radii.dedup();
    let body = [number(body.mass), number(body.yaw_inertia), centre.unwrap_or_default()];
    let wheels = [extent(0), extent(1), names.join(", "), radii.join(", ")];
    let described =
        |text: fn(&VehicleShape) -> &String| shape.map(text).cloned().unwrap_or_default();
    let forces = [described(|shape| &shape.suspension), described(|shape| &shape.aerodynamics)];
    let models = ["dynamics", "friction", "controller", "actuator", "sensor"]
        .map(|kind| models(manifest, entry.vehicle, kind).join("; "));
    body.into_iter().chain(wheels).chain(forces).chain(models).collect()
}

/// Returns a number as text, and zero for one that is an error of rounding.
fn rounded(number: f64) -> String {
    short(if number.abs() < signals::NOISE { 0.0 } else { number })
}

/// Returns the models of a kind of a vehicle, each with its class and its parameters.
fn models(Manifest(manifest): &Manifest, vehicle: &str, kind: &str) -> Vec<String> {
    let models = manifest["models"].as_array().into_iter().flatten();
    let own = models.filter(|model| {
        let vehicles = model["vehicles"].as_array().into_iter().flatten();
        model["kind"] == kind && vehicles.into_iter().any(|name| name == vehicle)
    });
    own.map(|model| {
        let class = model["class"].as_str().unwrap_or_default();
        let class = class.strip_prefix("simhost/").unwrap_or(class);
        let parameters = model["parameters"].as_object().into_iter().flatten();
        let is_physical = |key: &str| kind != "sensor" && !key.starts_with("viz_");
        let parameters: Vec<String> = parameters
            .filter(|(key, _)| is_physical(key))
            .filter_map(|(key, value)| Some(format!("{key} {}", shown(value)?)))
            .collect();
        match parameters.is_empty() {
            true => class.to_owned(),
            false => format!("{class}: {}", parameters.join(", ")),
        }
    })
    .collect()
}

/// Returns a value of a parameter; `None` for one that is not given, and for a long one.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(short(number.as_f64()?)),
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Array(items) if items.len() <= 4 => {
            let items: Option<Vec<String>> = items.iter().map(shown).collect();
            Some(items?.join(" "))
        }
        Value::Array(items) => Some(format!("({} values)", items.len())),
        _ => None,
    }
}

/// Returns the metrics: a row per vehicle.
pub fn metrics(runs: &[NamedRun], entries: &[Entry<'_>]) -> Table {
    let columns: [(&str, &str, Metric); 7] = [
        ("mean speed (m/s)", "speed", Metric::Mean),
        ("greatest speed (m/s)", "speed", Metric::Largest),
        ("greatest yaw rate (rad/s)", "yaw_rate", Metric::Largest),
        ("greatest longitudinal acceleration (m/s²)", "acceleration", Metric::Largest),
        ("greatest lateral acceleration (m/s²)", "lateral_acceleration", Metric::Largest),
        ("greatest sideslip angle (°)", "sideslip", Metric::Largest),
        ("greatest share of the load on a wheel (1)", "grip", Metric::Largest),
    ];
    let header =
        ["vehicle", "distance (m)"].into_iter().chain(columns.iter().map(|column| column.0));
    let header = header.map(str::to_owned).collect();
    let signals = columns.map(|(_, preset, _)| signals::of_some_runs(preset, runs));
    let row = |entry: &Entry<'_>| {
        let distance = distance(entry).map_or("–".to_owned(), short);
        let values = columns.iter().zip(&signals);
        let values = values.map(|((.., metric), signals)| value(entry, signals, *metric));
        [entry.label.clone(), distance].into_iter().chain(values).collect()
    };
    (header, entries.iter().map(row).collect())
}

/// Value that is computed from a signal.
#[derive(Clone, Copy)]
enum Metric {
    /// Mean over time.
    Mean,
    /// Largest absolute value.
    Largest,
}

/// Returns a metric of the signals of a vehicle; a dash if it has none among these.
fn value(entry: &Entry<'_>, signals: &[Signal], metric: Metric) -> String {
    let is_own = |signal: &&Signal| signal.run == entry.run && signal.entity == entry.vehicle;
    let own = signals.iter().filter(is_own);
    let value = own.filter_map(|signal| match metric {
        Metric::Largest => {
            let finite = signal.values.iter().filter(|value| value.is_finite());
            finite.map(|value| value.abs()).reduce(f64::max)
        }
        Metric::Mean => {
            let span = signal.times.last()? - signal.times.first()?;
            let pairs = signal.times.windows(2).zip(signal.values.windows(2));
            let area = pairs.map(|(t, v)| 0.5 * (t[1] - t[0]) * (v[0] + v[1]));
            (span > 0.0).then(|| area.filter(|part| part.is_finite()).sum::<f64>() / span)
        }
    });
    value.reduce(f64::max).map_or("–".to_owned(), short)
}

/// Returns the length of the path of a vehicle, m.
fn distance(entry: &Entry<'_>) -> Option<f64> {
    let pose = entry.named.run.get(&format!("{}/pose", entry.vehicle))?;
    let steps = pose.columns[0].windows(2).zip(pose.columns[1].windows(2));
    let lengths = steps.map(|(x, y)| (x[1] - x[0]).hypot(y[1] - y[0]));
    Some(lengths.filter(|length| length.is_finite()).sum())
}
