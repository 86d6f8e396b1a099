//! Readings of sensors in a report, as JSON: scans, images and clouds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use simhost_runs::{RunError, SensorFiles, Series, points, sensor_files};

use crate::scene::VehicleShape;
use crate::signals::{NamedRun, Signal};

/// Scans of a scanner.
const SCANS: usize = 120;
/// Rays of a scan.
const RAYS: usize = 361;
/// Scanners that are shown, and other sensors of each kind.
const SENSORS: usize = 8;
/// Images of a camera, and clouds of a lidar.
const SAMPLES: usize = 40;
/// Bytes of all images together.
const BYTES: u64 = 16 << 20;
/// Points of a cloud.
const POINTS: usize = 1500;

/// Appends the scans of planar lasers.
pub fn add_scans(
    json: &mut String,
    run: usize,
    named: &NamedRun,
    entries: &[Entry<'_>],
    count: &mut usize,
) {
    let long = |series: &&Series| {
        let is_scan = ["/range", "/ranges"].iter().any(|end| series.name.ends_with(end));
        series.name.contains("/sensor/") && is_scan && !series.is_empty()
    };
    for series in named.run.series.iter().filter(long) {
        if *count == SENSORS {
            return;
        }
        let vehicle = series.name.split('/').next().unwrap_or_default();
        let sensor = series.name.rsplit('/').nth(1).unwrap_or_default();
        let shape = named.scene.as_ref().and_then(|scene| scene.vehicle(vehicle));
        let find_scanner = |shape: &'_ VehicleShape| {
            let of = shape.scanners.iter().find(|scanner| scanner.name == sensor)?;
            Some((of.field_of_view, of.reach))
        };
        let largest = series.columns.iter().flatten().copied().filter(|range| range.is_finite());
        let known = shape.and_then(find_scanner);
        let is_known = known.is_some();
        let (view, reach) = known.unwrap_or((std::f64::consts::PI, largest.fold(0.1, f64::max)));
        let (kept, rays) = (every(series.len(), SCANS), every(series.columns.len(), RAYS));
        comma(json, *count);
        *json += "{";
        let index = find_entry(entries, run, vehicle);
        *json += &format!("\"v\":{},", index.map_or(-1, |index| index as i64));
        let label = index.map_or(vehicle, |index| &entries[index].label);
        json_text(json, "n", &format!("{label} {sensor}"));
        number(json, "fov", view);
        number(json, "reach", reach);
        *json += "\"t\":";
        list_times(json, kept.iter().map(|at| series.times[*at]));
        *json += ",\"r\":[";
        for (k, at) in kept.iter().enumerate() {
            comma(json, k);
            // a scan is no more exact than a millimetre in a preview
            let range = |ray: &usize| match series.columns[*ray][*at] {
                // a beam without a return has the reach of the sensor
                range if is_known && range >= reach => f64::NAN,
                range => (range * 1e3).round() / 1e3,
            };
            list_numbers(json, rays.iter().map(range));
        }
        *json += "]}";
        *count += 1;
    }
}

/// Appends the colour images of cameras, which the report holds as they are.
///
/// # Errors
/// [`RunError`] if a file cannot be read.
pub fn add_images(json: &mut String, named: &NamedRun) -> Result<(), RunError> {
    if !named.run.path.is_dir() {
        return Ok(());
    }
    let mut cameras = sensor_files(&named.run.path, "png")?;
    cameras.retain(|camera| camera.files.first().is_some_and(|(_, file)| is_colour(file)));
    cameras.truncate(SENSORS);
    let sizes = cameras.iter().flat_map(|camera| camera.files.first());
    let sizes = sizes.map(|(_, file)| file.metadata().map_or(0, |data| data.len()));
    let share = BYTES / sizes.sum::<u64>().max(1);
    for (k, camera) in cameras.iter().enumerate() {
        comma(json, k);
        let kept = every(camera.files.len(), (share as usize).clamp(1, SAMPLES));
        begin(json, camera, &kept);
        *json += ",\"i\":[";
        for (k, at) in kept.iter().enumerate() {
            comma(json, k);
            let path = &camera.files[*at].1;
            let bytes = simhost_files::read(path, simhost_files::MAX_DATA_BYTES)
                .map_err(|source| RunError::Read { path: path.clone(), source })?;
            *json += &format!("\"{}\"", STANDARD.encode(bytes));
        }
        *json += "]}";
    }
    Ok(())
}

/// Appends the clouds of lidars.
///
/// # Errors
/// [`RunError`] if a file cannot be read.
pub fn add_clouds(json: &mut String, named: &NamedRun) -> Result<(), RunError> {
    if !named.run.path.is_dir() {
        return Ok(());
    }
    let lidars = sensor_files(&named.run.path, "pcd")?;
    for (k, lidar) in lidars.iter().take(SENSORS).enumerate() {
        comma(json, k);
        let kept = every(lidar.files.len(), SAMPLES);
        begin(json, lidar, &kept);
        *json += ",\"p\":[";
        for (k, at) in kept.iter().enumerate() {
            comma(json, k);
            let cloud = points(&lidar.files[*at].1)?;
            let shown = every(cloud.len(), POINTS);
            let round = |number: f32| (f64::from(number) * 100.0).round() / 100.0;
            list_numbers(
                json,
                shown.iter().flat_map(|at| cloud[*at].into_iter().take(3)).map(round),
            );
        }
        *json += "]}";
    }
    Ok(())
}

/// Begins the object of a sensor with its name and its times.
fn begin(json: &mut String, sensor: &SensorFiles, kept: &[usize]) {
    *json += "{";
    json_text(json, "n", &sensor.name);
    *json += "\"t\":";
    list_times(json, kept.iter().map(|at| sensor.files[*at].0));
}

/// Returns whether a PNG file has three colours of 8 bits: byte 24 is the depth, and 25 the kind of colour.
fn is_colour(file: &std::path::Path) -> bool {
    use std::io::Read;
    let mut head = [0; 26];
    let read = simhost_files::open(file).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head[24..] == [8, 2]
}

/// Appends a comma before every element but the first.
pub(super) fn comma(json: &mut String, index: usize) {
    if index > 0 {
        json.push(',');
    }
}

/// Appends a key with a number, and a comma.
pub(super) fn number(json: &mut String, key: &str, value: f64) {
    *json += &format!("\"{key}\":");
    one(json, value);
    json.push(',');
}

/// Appends a key with a text, and a comma.
pub(super) fn json_text(json: &mut String, key: &str, value: &str) {
    *json += &format!("\"{key}\":{},", serde_json::Value::from(value));
}

/// Returns evenly spaced indices, at most about `most`, with the last one.
pub(super) fn every(len: usize, most: usize) -> Vec<usize> {
    let step = len.div_ceil(most.max(1)).max(1);
    let mut kept: Vec<usize> = (0..len).step_by(step).collect();
    if len > 0 && kept.last() != Some(&(len - 1)) {
        kept.push(len - 1);
    }
    kept
}

/// A vehicle of a run.
pub(super) struct Entry<'a> {
    /// Index of the run.
    pub run: usize,
    /// The run.
    pub named: &'a NamedRun,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Name in the report, which no other vehicle of the runs has.
    pub label: String,
    /// Number of its colour: the colour of the run if there are several, and otherwise its own.
    pub colour: usize,
}

/// Returns the vehicles of all runs, run by run.
pub(super) fn entries(runs: &[NamedRun]) -> Vec<Entry<'_>> {
    let are_alone = runs.iter().all(|named| named.run.vehicles.len() < 2);
    let mut entries = Vec::new();
    for (run, named) in runs.iter().enumerate() {
        for (number, vehicle) in named.run.vehicles.iter().enumerate() {
            let label = match (runs.len() > 1, are_alone) {
                (false, _) => vehicle.clone(),
                (true, true) => named.name.clone(),
                (true, false) => format!("{} {vehicle}", named.name),
            };
            let colour = if runs.len() > 1 { run } else { number };
            entries.push(Entry { run, named, vehicle, label, colour });
        }
    }
    entries
}

/// Returns the index of the vehicle of a signal.
pub(super) fn entry_of(entries: &[Entry<'_>], signal: &Signal) -> Option<usize> {
    find_entry(entries, signal.run, &signal.entity)
}

/// Returns the index of a vehicle of a run.
fn find_entry(entries: &[Entry<'_>], run: usize, vehicle: &str) -> Option<usize> {
    entries.iter().position(|entry| entry.run == run && entry.vehicle == vehicle)
}

/// Appends a list of numbers; those that are not finite are `null`.
pub(super) fn list_numbers(json: &mut String, numbers: impl IntoIterator<Item = f64>) {
    json.push('[');
    for (k, number) in numbers.into_iter().enumerate() {
        if k > 0 {
            json.push(',');
        }
        one(json, number);
    }
    json.push(']');
}

/// Appends a list of numbers with so many digits that their differences have six: the values of a
/// latitude, for instance, begin with the same digits.
pub(super) fn list_of_spread(json: &mut String, numbers: impl Iterator<Item = f64> + Clone) {
    let finite = numbers.clone().filter(|number| number.is_finite());
    let ends = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], number| {
        [low.min(number), high.max(number)]
    });
    let largest = ends[0].abs().max(ends[1].abs());
    let spread = ends[1] - ends[0];
    let decimals = 5.0 - spread.log10().floor();
    if !(spread > 0.0 && spread < 0.1 * largest && decimals <= 15.0) {
        list_numbers(json, numbers);
        return;
    }
    let power = 10_f64.powi(decimals as i32);
    json.push('[');
    for (k, number) in numbers.enumerate() {
        if k > 0 {
            json.push(',');
        }
        match number.is_finite() {
            true => json.push_str(&((number * power).round() / power).to_string()),
            false => json.push_str("null"),
        }
    }
    json.push(']');
}

/// Appends a list of times, which have more digits than other numbers.
pub(super) fn list_times(json: &mut String, times: impl Iterator<Item = f64>) {
    let texts: Vec<String> = times.map(|time| ((time * 1e6).round() / 1e6).to_string()).collect();
    *json += &format!("[{}]", texts.join(","));
}

/// Appends a number.
fn one(json: &mut String, number: f64) {
    if !number.is_finite() {
        json.push_str("null");
        return;
    }
    let digits = match number == 0.0 {
        true => 0,
        false => 5 - number.abs().log10().floor() as i32,
    };
    let text = match (-9..=12).contains(&digits) {
        true => {
            let power = 10_f64.powi(digits);
            // at large numbers, the shortest text of the rounded number has fewer digits
            ((number * power).round() / power).to_string()
        }
        false => format!("{number:e}"),
    };
    json.push_str(&text);
}

/// Returns the indices of at most about `most` samples: all, or the extremes of equal parts.
pub(super) fn thinned(values: &[f64], most: usize) -> Vec<usize> {
    if values.len() <= most {
        return (0..values.len()).collect();
    }
    let part = values.len().div_ceil((most / 2).max(1));
    let mut kept = vec![0];
    for start in (0..values.len()).step_by(part) {
        let range = start..(start + part).min(values.len());
        let by = |one: &usize, other: &usize| values[*one].total_cmp(&values[*other]);
        let (low, high) = (range.clone().min_by(by), range.max_by(by));
        let mut both = [low.unwrap_or(start), high.unwrap_or(start)];
        both.sort_unstable();
        kept.extend(both);
    }
    kept.push(values.len() - 1);
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        let mut json = String::new();
        list_numbers(&mut json, [0.0, 1.0 / 3.0, -12_345.678_9, f64::NAN, 1e-20, 2.5e9]);
        assert_eq!(json, "[0,0.333333,-12345.7,null,1e-20,2500000000]");
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }

    #[test]
    fn differences_have_six_digits() {
        let mut json = String::new();
        // 1 mm of latitude
        let values = [48.123_456_78, 48.123_456_79, 48.123_466_78, f64::NAN];
        list_of_spread(&mut json, values.into_iter());
        assert_eq!(json, "[48.12345678,48.12345679,48.12346678,null]");
        json.clear();
        list_of_spread(&mut json, [1.0, 2.0, 1.0 / 3.0].into_iter());
        assert_eq!(json, "[1,2,0.333333]");
        json.clear();
        list_of_spread(&mut json, [f64::NAN, 5.0].into_iter());
        assert_eq!(json, "[null,5]");
    }

    #[test]
    fn thinning_keeps_peaks() {
        let mut values = vec![0.0; 10_000];
        values[5_003] = 9.0;
        values[7_777] = -9.0;
        let kept = thinned(&values, 200);
        assert!(kept.len() <= 204, "{}", kept.len());
        assert!(kept.contains(&5_003) && kept.contains(&7_777) && kept.contains(&9_999));
        assert!(kept.is_sorted());
        assert_eq!(thinned(&values[..10], 200).len(), 10);
    }
}
