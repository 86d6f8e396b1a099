//! The data of a report as JSON.

use std::collections::HashMap;
use std::sync::Arc;

use simhost_runs::Series;

use super::sensors::{
    Entry, comma, entry_of, every, json_text, list_numbers, list_of_spread, list_times, number,
    thinned,
};
use super::{ReportOptions, VEHICLES, sensors};
use crate::chart::of_series;
use crate::error::PictureError;
use crate::picture::{Picture, ShapeKind, Track, View};
use crate::signals::{self, NamedRun, Signal};

/// Numbers of all lines together.
const NUMBERS: usize = 600_000;
/// Samples of a line, at least and at most.
const SAMPLES: [usize; 2] = [150, 2000];
/// Points of a friction circle.
const POINTS: usize = 1500;
/// Vehicles whose friction circles are shown.
const CIRCLES: usize = 6;
/// Longest array whose values are drawn over time.
const LONGEST: usize = 8;
/// Presets that are drawn over time, and whether they are shown at first.
const PRESETS: [(&str, bool); 15] = [
    ("speed", true),
    ("yaw_rate", true),
    ("acceleration", true),
    ("lateral_acceleration", true),
    ("sideslip", true),
    ("slip_angle", false),
    ("steer", false),
    ("torque", true),
    ("slip", true),
    ("grip", false),
    ("load", false),
    ("x", false),
    ("y", false),
    ("yaw", false),
    ("energy", false),
];
/// Quantities of wheels that presets show, or that follow from them.
const WHEEL: [&str; 11] =
    ["x", "y", "spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy"];
/// Further charts that are shown at first.
const SHOWN: usize = 3;

/// Returns the data of runs.
///
/// # Errors
/// [`PictureError`] if a quantity is not in any of the runs, or a file of a sensor cannot be read.
pub fn as_json(
    runs: &[NamedRun],
    entries: &[Entry<'_>],
    options: &ReportOptions,
) -> Result<String, PictureError> {
    let charts = charts(runs, options)?;
    let lines: usize = charts.iter().map(|chart| chart.signals.len()).sum();
    let most = (NUMBERS / lines.max(1)).clamp(SAMPLES[0], SAMPLES[1]);
    let mut times = Times::default();
    let mut json = "{".to_owned();
    let series = || runs.iter().flat_map(|named| &named.run.series);
    let starts = series().filter_map(|series| series.times.first().copied());
    number(&mut json, "start", starts.fold(f64::INFINITY, f64::min));
    number(&mut json, "end", runs.iter().filter_map(|named| named.run.end()).fold(0.0, f64::max));
    json += "\"vehicles\":[";
    for (k, entry) in entries.iter().enumerate() {
        comma(&mut json, k);
        add_vehicle(&mut json, entry, &mut times);
    }
    json += "],\"charts\":[";
    for (k, chart) in charts.iter().enumerate() {
        comma(&mut json, k);
        add_chart(&mut json, chart, entries, most, &mut times);
    }
    json += "],\"wheels\":[";
    add_wheels(&mut json, entries, &mut times);
    json += "],\"scans\":[";
    let mut count = 0;
    for (run, named) in runs.iter().enumerate() {
        sensors::add_scans(&mut json, run, named, entries, &mut count);
    }
    // images and clouds are large
    json += "],\"images\":[";
    sensors::add_images(&mut json, &runs[0])?;
    json += "],\"clouds\":[";
    sensors::add_clouds(&mut json, &runs[0])?;
    json += "],\"shapes\":[";
    add_shapes(&mut json, &runs[0]);
    json += "],\"movers\":[";
    add_movers(&mut json, &runs[0], &mut times);
    json += "],\"view\":";
    let view = view_of(runs);
    list_numbers(&mut json, [view.low[0], view.low[1], view.high[0], view.high[1]]);
    json += ",\"times\":[";
    for (k, times) in times.lists.iter().enumerate() {
        comma(&mut json, k);
        list_times(&mut json, times.iter().copied());
    }
    json += "]}";
    Ok(json)
}

/// Lists of times, which lines share.
#[derive(Default)]
struct Times {
    lists: Vec<Vec<f64>>,
    /// Indices of lists whose samples are all kept.
    whole: HashMap<*const Vec<f64>, usize>,
}

impl Times {
    /// Returns the index of the times of some samples.
    fn of(&mut self, times: &Arc<Vec<f64>>, kept: &[usize]) -> usize {
        let is_whole = kept.len() == times.len();
        if let Some(known) = self.whole.get(&Arc::as_ptr(times)).filter(|_| is_whole) {
            return *known;
        }
        self.lists.push(kept.iter().map(|at| times[*at]).collect());
        let index = self.lists.len() - 1;
        if is_whole {
            self.whole.insert(Arc::as_ptr(times), index);
        }
        index
    }
}

/// A chart over time.
struct ChartData {
    label: String,
    is_shown: bool,
    signals: Vec<Signal>,
}

/// Returns the charts: those that were asked for, presets, the error of the odometry, and everything else that was
/// recorded.
fn charts(runs: &[NamedRun], options: &ReportOptions) -> Result<Vec<ChartData>, PictureError> {
    let mut charts = Vec::new();
    for of in &options.of {
        let signals = signals::of_runs(of, runs)?;
        charts.push(ChartData { label: label_of(&signals), is_shown: true, signals });
    }
    let are_asked_for = !charts.is_empty();
    let is_known = |signal: &Signal| {
        let mut first = runs[signal.run].run.vehicles.iter().take(VEHICLES);
        first.any(|vehicle| *vehicle == signal.entity)
    };
    for (preset, is_usual) in PRESETS {
        if options.of.iter().any(|of| of == preset) {
            continue;
        }
        let mut signals = signals::of_some_runs(preset, runs);
        signals.retain(|signal| is_known(signal) && signal.values.iter().any(|v| v.is_finite()));
        if let Some(first) = signals.first() {
            let label = format!("{} ({})", first.quantity, first.unit);
            let is_shown = is_usual && !are_asked_for && !is_zero(&signals);
            charts.push(ChartData { label, is_shown, signals });
        }
    }
    let mut errors = Vec::new();
    for (run, named) in runs.iter().enumerate() {
        let shown = named.run.vehicles.iter().take(VEHICLES);
        errors.extend(shown.filter_map(|vehicle| odometry_error(run, named, vehicle)));
    }
    if !errors.is_empty() {
        let label = "odometry error (m)".to_owned();
        let is_shown = !are_asked_for && !is_zero(&errors);
        charts.push(ChartData { label, is_shown, signals: errors });
    }
    charts.extend(recorded(runs, are_asked_for));
    charts.iter_mut().for_each(|chart| signals::remove_noise(&mut chart.signals));
    // nothing moves
    if !charts.iter().any(|chart| chart.is_shown) {
        charts.iter_mut().take(1).for_each(|first| first.is_shown = true);
    }
    Ok(charts)
}

/// Returns whether a chart of these signals would show nothing.
fn is_zero(signals: &[Signal]) -> bool {
    let mut values = signals.iter().flat_map(|signal| &signal.values);
    !values.any(|value| value.abs() > signals::NOISE)
}

/// Returns the label of a chart that was asked for.
fn label_of(signals: &[Signal]) -> String {
    let distinct = |text: fn(&Signal) -> &str| {
        let mut all: Vec<&str> = Vec::new();
        for text in signals.iter().map(text) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all.join(", ")
    };
    format!("{} ({})", distinct(|one| &one.quantity), distinct(|one| &one.unit))
}

/// Returns the distance between the odometry of a vehicle and its true position.
fn odometry_error(run: usize, named: &NamedRun, vehicle: &str) -> Option<Signal> {
    let truth = named.run.get(&format!("{vehicle}/pose"))?;
    let odometry = named.run.get(&format!("{vehicle}/odometry_pose"))?;
    let values = truth.times.iter().enumerate().map(|(at, time)| {
        let (x, y) = (odometry.value_at(0, *time)?, odometry.value_at(1, *time)?);
        Some((x - truth.columns[0][at]).hypot(y - truth.columns[1][at]))
    });
    Some(Signal {
        run,
        entity: vehicle.to_owned(),
        part: String::new(),
        quantity: "odometry error".to_owned(),
        is_joined: false,
        unit: "m".to_owned(),
        times: truth.times.clone(),
        values: values.map(|value| value.unwrap_or(f64::NAN)).collect(),
    })
}

/// Returns the charts of quantities that no preset shows: one per quantity and unit, separately for
/// each sensor or model.
fn recorded(runs: &[NamedRun], are_hidden: bool) -> Vec<ChartData> {
    let of_presets = |name: &str| {
        // frames and joints of a recording repeat poses and wheels
        if name.starts_with("tf/") || name.ends_with("/checksum") {
            return true;
        }
        let mut parts = name.split('/').skip(1);
        match (parts.next(), parts.next(), parts.next()) {
            (Some("pose" | "twist" | "odometry_pose" | "odometry_twist"), None, _) => true,
            (Some("joint_states"), ..) => true,
            (Some("wheel"), Some(_), Some(quantity)) => WHEEL.contains(&quantity),
            _ => false,
        }
    };
    let mut charts: Vec<ChartData> = Vec::new();
    let long = |series: &&Series| series.columns.len() <= LONGEST && !of_presets(&series.name);
    let series = runs.iter().enumerate().flat_map(|(run, named)| {
        let own = named.run.series.iter().filter(long);
        own.map(move |series| (run, named, series))
    });
    for (run, named, series) in series {
        let Ok(mut signals) = signals::of_run(&series.name, run, named) else { continue };
        signals.retain(|signal| signal.values.iter().any(|value| value.is_finite()));
        let is_of_wheel = series.name.contains("/wheel/");
        for signal in signals {
            let own = signal.part.rsplit_once(' ').map_or(&*signal.part, |(part, index)| {
                if index.starts_with('[') { part } else { &*signal.part }
            });
            let own = if is_of_wheel || own.starts_with('[') { "" } else { own };
            let name = format!("{own} {}", signal.quantity);
            let label = format!("{} ({})", name.trim(), signal.unit);
            match charts.iter_mut().find(|chart| chart.label == label) {
                Some(chart) => chart.signals.push(signal),
                None => {
                    let is_shown = charts.len() < SHOWN && !are_hidden;
                    charts.push(ChartData { label, is_shown, signals: vec![signal] });
                }
            }
        }
    }
    for chart in charts.iter_mut().filter(|chart| chart.is_shown) {
        chart.is_shown = !is_zero(&chart.signals);
    }
    charts
}

fn add_chart(
    json: &mut String,
    chart: &ChartData,
    entries: &[Entry<'_>],
    most: usize,
    times: &mut Times,
) {
    *json += "{";
    json_text(json, "q", &chart.label);
    *json += &format!("\"on\":{},\"lines\":[", chart.is_shown);
    let first = chart.signals.first().map(|first| (first.run, &first.entity));
    let is_one = chart.signals.iter().all(|one| Some((one.run, &one.entity)) == first);
    let has_runs = chart.signals.iter().any(|one| Some(one.run) != first.map(|(run, _)| run));
    let mut within: HashMap<(usize, &str), usize> = HashMap::new();
    for (k, signal) in chart.signals.iter().enumerate() {
        let entry = entry_of(entries, signal);
        // the lines of a run differ in their dashes if there are several runs, and otherwise those of a vehicle
        let key = if has_runs { "" } else { &*signal.entity };
        let count = within.entry((signal.run, key)).or_default();
        let (colour, dash) = match (is_one, has_runs) {
            (true, _) => (*count, 0),
            (_, true) => (signal.run, *count),
            _ => (entry.map_or(k, |entry| entries[entry].colour), *count),
        };
        *count += 1;
        let kept = thinned(&signal.values, most);
        comma(json, k);
        *json += "{";
        *json += &format!("\"v\":{},\"d\":{dash},", entry.map_or(-1, |at| at as i64));
        *json += &format!("\"t\":{},", times.of(&signal.times, &kept));
        let label = entry.map_or(&*signal.entity, |entry| &entries[entry].label);
        let local = signal.local_name();
        let name = [label, local.as_str()];
        let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
        json_text(json, "n", &name.join(" "));
        json_text(json, "c", &hex(colour));
        *json += "\"y\":";
        list_of_spread(json, kept.iter().map(|at| signal.values[*at]));
        *json += "}";
    }
    *json += "]}";
}

fn add_vehicle(json: &mut String, entry: &Entry<'_>, times: &mut Times) {
    let Entry { named, vehicle: name, .. } = entry;
    let shape = named.scene.as_ref().and_then(|scene| scene.vehicle(name));
    *json += "{";
    json_text(json, "n", &entry.label);
    json_text(json, "c", &hex(entry.colour));
    for (key, quantity, columns) in [
        ("", "pose", &[("x", 0), ("y", 1), ("a", 3)][..]),
        ("o", "odometry_pose", &[("ox", 0), ("oy", 1)]),
    ] {
        let series = named.run.get(&format!("{name}/{quantity}"));
        let kept = series.map(|series| every(series.len(), SAMPLES[1])).unwrap_or_default();
        if key.is_empty() {
            *json += "\"t\":";
            list_times(json, kept.iter().filter_map(|at| Some(series?.times[*at])));
            *json += ",";
        }
        for (key, column) in columns {
            *json += &format!("\"{key}\":");
            list_numbers(
                json,
                kept.iter().filter_map(|at| Some(series?.columns.get(*column)?[*at])),
            );
            *json += ",";
        }
    }
    *json += "\"o\":";
    list_numbers(json, shape.iter().flat_map(|shape| shape.outline.iter().flatten().copied()));
    *json += ",\"w\":[";
    for (k, wheel) in shape.iter().flat_map(|shape| &shape.wheels).enumerate() {
        let steer = named.run.get(&format!("{name}/wheel/{}/steer", wheel.name));
        let steer = steer.filter(|steer| steer.columns[0].iter().any(|angle| *angle != 0.0));
        let kept = steer.map(|steer| every(steer.len(), SAMPLES[1])).unwrap_or_default();
        comma(json, k);
        *json += "{";
        for (key, value) in [
            ("x", wheel.pose.x),
            ("y", wheel.pose.y),
            ("a", wheel.pose.yaw),
            ("r", wheel.radius),
            ("b", 0.5 * wheel.width),
        ] {
            number(json, key, value);
        }
        let own = steer.map_or(0, |steer| times.of(&steer.times, &kept));
        *json += &format!("\"t\":{own},\"steer\":");
        list_numbers(json, kept.iter().filter_map(|at| Some(steer?.columns[0][*at])));
        *json += "}";
    }
    *json += "]}";
}

fn add_wheels(json: &mut String, entries: &[Entry<'_>], times: &mut Times) {
    let mut count = 0;
    for (index, entry) in entries.iter().enumerate().take(CIRCLES) {
        let (named, vehicle) = (entry.named, entry.vehicle);
        for wheel in named.run.wheels(vehicle) {
            let Some(forces) = crate::forces::Forces::of(named, vehicle, wheel) else { continue };
            let kept = every(forces.times.len(), POINTS);
            let shares: Vec<[f64; 2]> = kept.iter().map(|at| forces.share_of_load(*at)).collect();
            let largest = shares.iter().map(|[x, y]| x.hypot(*y)).filter(|share| share.is_finite());
            let limit = largest.fold(forces.mu.unwrap_or(0.0), f64::max).clamp(0.05, 3.0);
            comma(json, count);
            *json += "{";
            *json += &format!("\"v\":{index},\"t\":{},", times.of(&forces.times, &kept));
            json_text(json, "n", wheel);
            number(json, "limit", limit);
            number(json, "mu", forces.mu.unwrap_or(f64::NAN));
            *json += "\"x\":";
            list_numbers(json, shares.iter().map(|share| share[0]));
            *json += ",\"y\":";
            list_numbers(json, shares.iter().map(|share| share[1]));
            *json += "}";
            count += 1;
        }
    }
}

fn add_shapes(json: &mut String, named: &NamedRun) {
    let shapes = named.scene.iter().flat_map(|scene| &scene.shapes);
    for (k, shape) in shapes.enumerate() {
        let kind = match shape.kind {
            ShapeKind::Terrain(_) | ShapeKind::Road(_) => "terrain",
            ShapeKind::Region => "region",
            ShapeKind::Grid => "grid",
            ShapeKind::Map => "map",
            ShapeKind::Wall => "wall",
            ShapeKind::Obstacle => "obstacle",
            ShapeKind::Movable | ShapeKind::Moved => "movable",
        };
        comma(json, k);
        *json += "{";
        json_text(json, "k", kind);
        let colour = match shape.kind {
            ShapeKind::Terrain(level) => Some(crate::picture::terrain(level)),
            ShapeKind::Road(colour) => Some(crate::picture::rgb(colour)),
            _ => None,
        };
        if let Some(colour) = colour {
            json_text(json, "c", &format!("#{colour:06x}"));
        }
        *json += "\"p\":";
        list_numbers(json, shape.outline.iter().flatten().copied());
        *json += "}";
    }
}

/// Adds blocks and actors that can move, with their poses if the run has recorded them.
fn add_movers(json: &mut String, named: &NamedRun, times: &mut Times) {
    let movers = named.scene.iter().flat_map(|scene| &scene.movers);
    for (k, mover) in movers.enumerate() {
        comma(json, k);
        *json += "{\"p\":";
        list_numbers(json, mover.outline.iter().flatten().copied());
        let series = named.run.get(&mover.quantity);
        let series = series.filter(|series| series.columns.len() > 3 && !series.is_empty());
        let kept = series.map(|series| every(series.len(), SAMPLES[1])).unwrap_or_default();
        let own = series.map_or(-1, |series| times.of(&series.times, &kept) as i64);
        *json += &format!(",\"t\":{own}");
        let start = [mover.start.x, mover.start.y, mover.start.yaw];
        for ((key, column), start) in [("x", 0), ("y", 1), ("a", 3)].into_iter().zip(start) {
            *json += &format!(",\"{key}\":");
            match series {
                Some(series) => {
                    list_numbers(json, kept.iter().map(|at| series.columns[column][*at]))
                }
                None => list_numbers(json, [start]),
            }
        }
        *json += "}";
    }
}

/// Returns the part of the world with all paths.
fn view_of(runs: &[NamedRun]) -> View {
    let tracks = runs.iter().flat_map(|named| {
        let poses = named.run.vehicles.iter();
        let poses = poses.filter_map(|vehicle| named.run.get(&format!("{vehicle}/pose")));
        poses.map(|pose| {
            let points = pose.columns[0].iter().zip(&pose.columns[1]).map(|(x, y)| [*x, *y]);
            Track { points: points.collect(), ..Track::default() }
        })
    });
    let shapes = runs[0].scene.as_ref().map(crate::Scene::all_shapes).unwrap_or_default();
    View::of(&Picture { shapes, tracks: tracks.collect() }, 1.6)
}

fn hex(number: usize) -> String {
    let [red, green, blue] = of_series(number).rgb;
    format!("#{red:02x}{green:02x}{blue:02x}")
}
