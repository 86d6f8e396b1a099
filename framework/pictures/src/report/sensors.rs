//! Readings of sensors in a report, as JSON: scans, images and clouds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use simhost_runs::{RunError, SensorFiles, Series, points, sensor_files};

use super::entries::{Entry, find};
use super::json::{comma, every, number, text};
use super::numbers::{list, list_times};
use crate::scene::VehicleShape;
use crate::signals::NamedRun;

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
        let index = find(entries, run, vehicle);
        *json += &format!("\"v\":{},", index.map_or(-1, |index| index as i64));
        let label = index.map_or(vehicle, |index| &entries[index].label);
        text(json, "n", &format!("{label} {sensor}"));
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
            list(json, rays.iter().map(range));
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
            list(json, shown.iter().flat_map(|at| cloud[*at].into_iter().take(3)).map(round));
        }
        *json += "]}";
    }
    Ok(())
}

/// Begins the object of a sensor with its name and its times.
fn begin(json: &mut String, sensor: &SensorFiles, kept: &[usize]) {
    *json += "{";
    text(json, "n", &sensor.name);
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
