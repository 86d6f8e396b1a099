//! The data of a report as JSON.

use std::collections::HashMap;
use std::sync::Arc;

use simhost_runs::Series;

use super::numbers::{list, one, thinned};
use super::{VEHICLES, numbers};
use crate::colours::of_series;
use crate::picture::view::View;
use crate::picture::{Picture, ShapeKind, Track};
use crate::scene::VehicleShape;
use crate::signals::{self, NamedRun, Signal};

/// Numbers of all lines together.
const NUMBERS: usize = 600_000;
/// Samples of a line, at least and at most.
const SAMPLES: [usize; 2] = [150, 2000];
/// Points of a friction circle.
const POINTS: usize = 1500;
/// Scans of a scanner.
const SCANS: usize = 120;
/// Rays of a scan.
const RAYS: usize = 361;
/// Scanners that are shown.
const SCANNERS: usize = 8;
/// Vehicles whose friction circles are shown.
const CIRCLES: usize = 6;
/// Longest array whose values are drawn over time.
const LONGEST: usize = 8;
/// Presets that are drawn over time, and whether they are shown at first.
const PRESETS: [(&str, bool); 10] = [
    ("speed", true),
    ("yaw_rate", false),
    ("steer", false),
    ("torque", true),
    ("slip", true),
    ("grip", false),
    ("load", false),
    ("x", false),
    ("y", false),
    ("yaw", false),
];
/// Quantities of wheels that presets show, or that follow from them.
const WHEEL: [&str; 11] =
    ["x", "y", "spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy"];
/// Further charts that are shown at first.
const SHOWN: usize = 3;

/// Returns the data of a run.
pub fn as_json(named: &NamedRun) -> String {
    let run = &named.run;
    let charts = charts(named);
    let lines: usize = charts.iter().map(|chart| chart.signals.len()).sum();
    let most = (NUMBERS / lines.max(1)).clamp(SAMPLES[0], SAMPLES[1]);
    let mut times = Times::default();
    let mut json = "{".to_owned();
    let starts = run.series.iter().filter_map(|series| series.times.first().copied());
    number(&mut json, "start", starts.fold(f64::INFINITY, f64::min));
    number(&mut json, "end", run.end().unwrap_or(0.0));
    json += "\"vehicles\":[";
    for (k, vehicle) in run.vehicles.iter().enumerate() {
        comma(&mut json, k);
        add_vehicle(&mut json, named, k, vehicle, &mut times);
    }
    json += "],\"charts\":[";
    for (k, chart) in charts.iter().enumerate() {
        comma(&mut json, k);
        add_chart(&mut json, chart, &run.vehicles, most, &mut times);
    }
    json += "],\"wheels\":[";
    add_wheels(&mut json, named, &mut times);
    json += "],\"scans\":[";
    add_scans(&mut json, named);
    json += "],\"shapes\":[";
    add_shapes(&mut json, named);
    json += "],\"movers\":[";
    add_movers(&mut json, named, &mut times);
    json += "],\"view\":";
    let view = view_of(named);
    list(&mut json, [view.low[0], view.low[1], view.high[0], view.high[1]]);
    json += ",\"times\":[";
    for (k, times) in times.lists.iter().enumerate() {
        comma(&mut json, k);
        list_times(&mut json, times);
    }
    json += "]}";
    json
}

/// Lists of times, which lines share.
#[derive(Default)]
struct Times {
    lists: Vec<Vec<f64>>,
    /// Indices of lists of which every sample is kept.
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

/// Returns the charts: presets, the error of the odometry, and everything else that was recorded.
fn charts(named: &NamedRun) -> Vec<ChartData> {
    let mut charts = Vec::new();
    let shown: Vec<&String> = named.run.vehicles.iter().take(VEHICLES).collect();
    for (preset, is_shown) in PRESETS {
        let Ok(mut signals) = signals::of_run(preset, 0, named) else { continue };
        signals.retain(|signal| shown.contains(&&signal.entity));
        if let Some(first) = signals.first() {
            let label = format!("{} ({})", first.quantity, first.unit);
            charts.push(ChartData { label, is_shown, signals });
        }
    }
    let errors: Vec<Signal> =
        shown.iter().filter_map(|vehicle| odometry_error(named, vehicle)).collect();
    if !errors.is_empty() {
        let label = "odometry error (m)".to_owned();
        charts.push(ChartData { label, is_shown: true, signals: errors });
    }
    charts.extend(recorded(named));
    charts
}

/// Returns the distance between the odometry of a vehicle and its true position.
fn odometry_error(named: &NamedRun, vehicle: &str) -> Option<Signal> {
    let truth = named.run.get(&format!("{vehicle}/pose"))?;
    let odometry = named.run.get(&format!("{vehicle}/odometry_pose"))?;
    let values = truth.times.iter().enumerate().map(|(at, time)| {
        let (x, y) = (odometry.value_at(0, *time)?, odometry.value_at(1, *time)?);
        Some((x - truth.columns[0][at]).hypot(y - truth.columns[1][at]))
    });
    Some(Signal {
        run: 0,
        entity: vehicle.to_owned(),
        part: String::new(),
        quantity: "odometry error".to_owned(),
        unit: "m".to_owned(),
        times: truth.times.clone(),
        values: values.map(|value| value.unwrap_or(f64::NAN)).collect(),
    })
}

/// Returns the charts of quantities that no preset shows, one per quantity and unit.
fn recorded(named: &NamedRun) -> Vec<ChartData> {
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
    for series in named.run.series.iter().filter(long) {
        let Ok(signals) = signals::of_run(&series.name, 0, named) else { continue };
        for signal in signals {
            let label = format!("{} ({})", signal.quantity, signal.unit);
            match charts.iter_mut().find(|chart| chart.label == label) {
                Some(chart) => chart.signals.push(signal),
                None => {
                    let is_shown = charts.len() < SHOWN;
                    charts.push(ChartData { label, is_shown, signals: vec![signal] });
                }
            }
        }
    }
    charts
}

fn add_chart(
    json: &mut String,
    chart: &ChartData,
    vehicles: &[String],
    most: usize,
    times: &mut Times,
) {
    *json += "{";
    text(json, "q", &chart.label);
    *json += &format!("\"on\":{},\"lines\":[", chart.is_shown);
    let entities: Vec<&String> = chart.signals.iter().map(|signal| &signal.entity).collect();
    let is_one = entities.iter().all(|entity| *entity == entities[0]);
    let mut within: HashMap<&str, usize> = HashMap::new();
    for (k, signal) in chart.signals.iter().enumerate() {
        let vehicle = vehicles.iter().position(|name| *name == signal.entity);
        let count = within.entry(&signal.entity).or_default();
        // the lines of one vehicle differ in colour, those of several in their dashes
        let (colour, dash) = match is_one {
            true => (*count, 0),
            false => (vehicle.unwrap_or(k), *count),
        };
        *count += 1;
        let kept = thinned(&signal.values, most);
        comma(json, k);
        *json += "{";
        *json += &format!("\"v\":{},\"d\":{dash},", vehicle.map_or(-1, |at| at as i64));
        *json += &format!("\"t\":{},", times.of(&signal.times, &kept));
        let name = [signal.entity.as_str(), signal.part.as_str()];
        let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
        text(json, "n", &name.join(" "));
        text(json, "c", &hex(colour));
        *json += "\"y\":";
        numbers::list_of_spread(json, kept.iter().map(|at| signal.values[*at]));
        *json += "}";
    }
    *json += "]}";
}

fn add_vehicle(json: &mut String, named: &NamedRun, index: usize, name: &str, times: &mut Times) {
    let shape = named.scene.as_ref().and_then(|scene| scene.vehicle(name));
    *json += "{";
    text(json, "n", name);
    text(json, "c", &hex(index));
    for (key, quantity, columns) in [
        ("", "pose", &[("x", 0), ("y", 1), ("a", 3)][..]),
        ("o", "odometry_pose", &[("ox", 0), ("oy", 1)]),
    ] {
        let series = named.run.get(&format!("{name}/{quantity}"));
        let kept = series.map(|series| every(series.len(), SAMPLES[1])).unwrap_or_default();
        if key.is_empty() {
            *json += "\"t\":";
            list_times(
                json,
                &kept.iter().filter_map(|at| Some(series?.times[*at])).collect::<Vec<_>>(),
            );
            *json += ",";
        }
        for (key, column) in columns {
            *json += &format!("\"{key}\":");
            list(json, kept.iter().filter_map(|at| Some(series?.columns.get(*column)?[*at])));
            *json += ",";
        }
    }
    *json += "\"o\":";
    list(json, shape.iter().flat_map(|shape| shape.outline.iter().flatten().copied()));
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
        list(json, kept.iter().filter_map(|at| Some(steer?.columns[0][*at])));
        *json += "}";
    }
    *json += "]}";
}

/// Returns evenly spaced indices, at most about `most`, with the last one.
fn every(len: usize, most: usize) -> Vec<usize> {
    let step = len.div_ceil(most.max(1)).max(1);
    let mut kept: Vec<usize> = (0..len).step_by(step).collect();
    if len > 0 && kept.last() != Some(&(len - 1)) {
        kept.push(len - 1);
    }
    kept
}

fn add_wheels(json: &mut String, named: &NamedRun, times: &mut Times) {
    let mut count = 0;
    for (index, vehicle) in named.run.vehicles.iter().enumerate().take(CIRCLES) {
        for wheel in named.run.wheels(vehicle) {
            let Some(forces) = crate::forces::Forces::of(named, vehicle, wheel) else { continue };
            let kept = every(forces.times.len(), POINTS);
            let shares: Vec<[f64; 2]> = kept.iter().map(|at| forces.share_of_load(*at)).collect();
            let largest = shares.iter().map(|[x, y]| x.hypot(*y)).filter(|share| share.is_finite());
            let limit = largest.fold(forces.mu.unwrap_or(0.0), f64::max).clamp(0.05, 3.0);
            comma(json, count);
            *json += "{";
            *json += &format!("\"v\":{index},\"t\":{},", times.of(&forces.times, &kept));
            text(json, "n", wheel);
            number(json, "limit", limit);
            number(json, "mu", forces.mu.unwrap_or(f64::NAN));
            *json += "\"x\":";
            list(json, shares.iter().map(|share| share[0]));
            *json += ",\"y\":";
            list(json, shares.iter().map(|share| share[1]));
            *json += "}";
            count += 1;
        }
    }
}

fn add_scans(json: &mut String, named: &NamedRun) {
    let long = |series: &&Series| {
        let is_scan = ["/range", "/ranges"].iter().any(|end| series.name.ends_with(end));
        series.name.contains("/sensor/") && is_scan && !series.is_empty()
    };
    let long = named.run.series.iter().filter(long).take(SCANNERS);
    for (count, series) in long.enumerate() {
        let vehicle = series.name.split('/').next().unwrap_or_default();
        let sensor = series.name.rsplit('/').nth(1).unwrap_or_default();
        let shape = named.scene.as_ref().and_then(|scene| scene.vehicle(vehicle));
        let find = |shape: &'_ VehicleShape| {
            let of = shape.scanners.iter().find(|scanner| scanner.name == sensor)?;
            Some((of.field_of_view, of.reach))
        };
        let largest = series.columns.iter().flatten().copied().filter(|range| range.is_finite());
        let known = shape.and_then(find);
        let is_known = known.is_some();
        let (view, reach) = known.unwrap_or((std::f64::consts::PI, largest.fold(0.1, f64::max)));
        let (kept, rays) = (every(series.len(), SCANS), every(series.columns.len(), RAYS));
        comma(json, count);
        *json += "{";
        let index = named.run.vehicles.iter().position(|name| name == vehicle);
        *json += &format!("\"v\":{},", index.map_or(-1, |index| index as i64));
        text(json, "n", &format!("{vehicle} {sensor}"));
        number(json, "fov", view);
        number(json, "reach", reach);
        *json += "\"t\":";
        list_times(json, &kept.iter().map(|at| series.times[*at]).collect::<Vec<_>>());
        *json += ",\"r\":[";
        for (k, at) in kept.iter().enumerate() {
            comma(json, k);
            // a scan is no more exact than a millimetre in a preview
            let range = |ray: &usize| match series.columns[*ray][*at] {
                // a beam without a return has the reach of the sensor
                range if is_known && range >= reach => f64::NAN,
                range => (range * 1e3).round() / 1e3,
            };
            numbers::list(json, rays.iter().map(range));
        }
        *json += "]}";
    }
}

fn add_shapes(json: &mut String, named: &NamedRun) {
    let shapes = named.scene.iter().flat_map(|scene| &scene.shapes);
    for (k, shape) in shapes.enumerate() {
        let kind = match shape.kind {
            ShapeKind::Terrain(_) => "terrain",
            ShapeKind::Region => "region",
            ShapeKind::Map => "map",
            ShapeKind::Wall => "wall",
            ShapeKind::Obstacle => "obstacle",
            ShapeKind::Movable | ShapeKind::Moved => "movable",
        };
        comma(json, k);
        *json += "{";
        text(json, "k", kind);
        if let ShapeKind::Terrain(level) = shape.kind {
            text(json, "c", &format!("#{:06x}", crate::picture::draw::terrain(level)));
        }
        *json += "\"p\":";
        list(json, shape.outline.iter().flatten().copied());
        *json += "}";
    }
}

/// Adds blocks and actors that can move, with their poses if the run has recorded them.
fn add_movers(json: &mut String, named: &NamedRun, times: &mut Times) {
    let movers = named.scene.iter().flat_map(|scene| &scene.movers);
    for (k, mover) in movers.enumerate() {
        comma(json, k);
        *json += "{\"p\":";
        list(json, mover.outline.iter().flatten().copied());
        let series = named.run.get(&mover.quantity);
        let series = series.filter(|series| series.columns.len() > 3 && !series.is_empty());
        let kept = series.map(|series| every(series.len(), SAMPLES[1])).unwrap_or_default();
        let own = series.map_or(-1, |series| times.of(&series.times, &kept) as i64);
        *json += &format!(",\"t\":{own}");
        let start = [mover.start.x, mover.start.y, mover.start.yaw];
        for ((key, column), start) in [("x", 0), ("y", 1), ("a", 3)].into_iter().zip(start) {
            *json += &format!(",\"{key}\":");
            match series {
                Some(series) => list(json, kept.iter().map(|at| series.columns[column][*at])),
                None => list(json, [start]),
            }
        }
        *json += "}";
    }
}

/// Returns the part of the world with all paths.
fn view_of(named: &NamedRun) -> View {
    let track = |vehicle: &String| {
        let pose = named.run.get(&format!("{vehicle}/pose"))?;
        let points = pose.columns[0].iter().zip(&pose.columns[1]).map(|(x, y)| [*x, *y]).collect();
        Some(Track { points, ..Track::default() })
    };
    let shapes = named.scene.as_ref().map(crate::Scene::all_shapes).unwrap_or_default();
    let tracks = named.run.vehicles.iter().filter_map(track).collect();
    View::of(&Picture { shapes, tracks }, 1.6)
}

/// Appends times, which have more digits than other numbers.
fn list_times(json: &mut String, times: &[f64]) {
    let texts: Vec<String> =
        times.iter().map(|time| ((time * 1e6).round() / 1e6).to_string()).collect();
    *json += &format!("[{}]", texts.join(","));
}

fn comma(json: &mut String, index: usize) {
    if index > 0 {
        json.push(',');
    }
}

fn number(json: &mut String, key: &str, value: f64) {
    *json += &format!("\"{key}\":");
    one(json, value);
    json.push(',');
}

fn text(json: &mut String, key: &str, value: &str) {
    *json += &format!("\"{key}\":{},", serde_json::Value::from(value));
}

fn hex(number: usize) -> String {
    let [red, green, blue] = of_series(number).rgb;
    format!("#{red:02x}{green:02x}{blue:02x}")
}
