//! Recorded readings of the sensors of a vehicle.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use simhost_runs::{Run, Series, rows, sensor_files};
use simhost_scene::Pose3;

use crate::exit::{Code, Failure};

/// Recorded readings of the sensors of a vehicle.
pub struct Readings {
    pub cameras: Vec<Camera>,
    /// Clouds of the lidars: times, s, and files.
    pub lidars: Vec<Vec<(f64, PathBuf)>>,
    pub imus: Vec<Imu>,
    /// True pose, and twist in the vehicle frame.
    pub truth: [Series; 2],
}

/// A camera with its images.
pub struct Camera {
    /// The entry of its image in `camera_info.json`.
    pub info: Value,
    /// Time, s, file, and pose of the optical frame in the world of each image.
    pub images: Vec<(f64, PathBuf, Pose3)>,
    /// Pose of the optical frame in the frame of the vehicle.
    pub mounted: Pose3,
}

/// An IMU with its readings.
pub struct Imu {
    /// Pose in the frame of the vehicle.
    pub mounted: Pose3,
    /// Parameters of the sensor, from the manifest.
    pub parameters: Value,
    /// Time, s; yaw rate and others about x, y and z, rad/s; specific force along them, m/s².
    pub rows: Vec<[f64; 7]>,
}

/// Columns of the readings of an IMU.
const IMU: [&str; 7] = [
    "time_s",
    "angular_velocity_x_radps",
    "angular_velocity_y_radps",
    "angular_velocity_z_radps",
    "linear_acceleration_x_mps2",
    "linear_acceleration_y_mps2",
    "linear_acceleration_z_mps2",
];

impl Readings {
    /// Reads the output folder of a run.
    ///
    /// # Errors
    /// Fails with code 12 if it is not one, or has neither images nor clouds of the vehicle.
    pub fn open(folder: &Path, vehicle: Option<&str>) -> Result<Self, Failure> {
        let bad = |error: simhost_runs::RunError| Failure::new(Code::BadInput, error);
        let run = Run::open(folder, &|name| name.ends_with("/pose") || name.ends_with("/twist"))
            .map_err(bad)?;
        let clouds = sensor_files(folder, "pcd").map_err(bad)?;
        let images = sensor_files(folder, "png").map_err(bad)?;
        let owner = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let owners: Vec<String> =
            images.iter().chain(&clouds).map(|one| owner(&one.name)).collect();
        let known = || run.vehicles.iter().filter(|name| owners.contains(name));
        let vehicle = match vehicle {
            None => known().next().cloned(),
            Some(name) => known().find(|known| *known == name).cloned(),
        };
        let Some(vehicle) = vehicle else {
            let names: Vec<&str> = known().map(String::as_str).collect();
            let help = match names.is_empty() {
                true => "run a world with a camera or a lidar, with --out".to_owned(),
                false => format!("give --vehicle one of: {}", names.join(", ")),
            };
            let text = format!("{} has neither images nor clouds of the vehicle", folder.display());
            return Err(Failure::new(Code::BadInput, format!("{text}\nhelp: {help}")));
        };
        let is_own = |name: &str| name.starts_with(&format!("{vehicle}."));
        let mut cameras: Vec<Camera> = Vec::new();
        for one in images.iter().filter(|one| is_own(&one.name) && one.name.ends_with("/rgb")) {
            cameras.push(camera(folder, &one.name, &one.files).ok_or_else(|| {
                let text = format!("{} has no readable camera_info.json and frames.csv", one.name);
                Failure::new(Code::BadInput, text)
            })?);
        }
        let lidars = clouds.into_iter().filter(|one| is_own(&one.name)).map(|one| one.files);
        let series = |name: &str| run.find(&format!("{vehicle}/{name}")).cloned().map_err(bad);
        let truth = [series("pose")?, series("twist")?];
        Ok(Self { cameras, lidars: lidars.collect(), imus: imus(folder, &vehicle, &run), truth })
    }
}

/// Reads a camera, given the name of the folder of its images.
fn camera(folder: &Path, name: &str, files: &[(f64, PathBuf)]) -> Option<Camera> {
    let (camera, image) = name.split_once('/')?;
    let text = simhost_files::read_text(
        &folder.join(camera).join("camera_info.json"),
        simhost_files::MAX_BYTES,
    )
    .ok()?;
    let info = serde_json::from_str::<Value>(&text).ok()?.get(image)?.clone();
    let table = rows(&folder.join(camera).join("frames.csv")).ok()?;
    let poses: HashMap<&str, Pose3> = table
        .iter()
        .skip(1)
        .filter_map(|row| {
            let number = |at: usize| row.get(at)?.parse::<f64>().ok();
            let position = [number(3)?, number(4)?, number(5)?];
            let attitude = [number(6)?, number(7)?, number(8)?, number(9)?];
            Some((row.get(2)?.as_str(), pose(position, attitude)))
        })
        .collect();
    let images = files.iter().filter_map(|(time, path)| {
        let file = format!("{image}/{}", path.file_name()?.to_string_lossy());
        Some((*time, path.clone(), *poses.get(file.as_str())?))
    });
    let images = images.collect();
    let number = |key: &str| info["pose"][key].as_f64().unwrap_or(0.0);
    let [x, y, z] = ["x_m", "y_m", "z_m"].map(number);
    let [yaw, pitch, roll] = ["yaw_rad", "pitch_rad", "roll_rad"].map(number);
    let mounted = Pose3 { x, y, z, yaw, pitch, roll };
    Some(Camera { info, images, mounted })
}

/// Reads the IMUs of a vehicle: sensors whose tables have their columns.
fn imus(folder: &Path, vehicle: &str, run: &Run) -> Vec<Imu> {
    let manifest = run.manifest.as_ref().map(|manifest| &manifest.0);
    let models = manifest.and_then(|manifest| manifest["models"].as_array()).into_iter().flatten();
    let parameters = models.into_iter().find(|model| {
        let vehicles = model["vehicles"].as_array().into_iter().flatten();
        model["class"] == "simhost/imu" && vehicles.into_iter().any(|one| one == vehicle)
    });
    let parameters = parameters.map_or(Value::Null, |model| model["parameters"].clone());
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let table = |path: PathBuf| -> Option<Imu> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix(vehicle)?.strip_prefix('.')?.strip_suffix(".csv")?;
        let table = rows(&path).ok()?;
        let header = table.first()?;
        let places: Option<Vec<usize>> =
            IMU.iter().map(|wanted| header.iter().position(|name| name == wanted)).collect();
        let places = places?;
        let row = |row: &Vec<String>| -> Option<[f64; 7]> {
            let numbers: Option<Vec<f64>> =
                places.iter().map(|at| row.get(*at)?.parse().ok()).collect();
            numbers?.try_into().ok()
        };
        let number = |at: usize| parameters["pose_3d"][at].as_f64().unwrap_or(0.0);
        let [yaw, pitch, roll] = [3, 4, 5].map(|at| number(at).to_radians());
        let mounted = Pose3 { x: number(0), y: number(1), z: number(2), yaw, pitch, roll };
        let rows = table.iter().skip(1).filter_map(row).collect();
        Some(Imu { mounted, parameters: parameters.clone(), rows })
    };
    paths.into_iter().filter_map(table).collect()
}

/// Returns a pose with an attitude as a quaternion w, x, y, z.
pub fn pose([x, y, z]: [f64; 3], [w, i, j, k]: [f64; 4]) -> Pose3 {
    let yaw = (2.0 * (w * k + i * j)).atan2(1.0 - 2.0 * (j * j + k * k));
    let pitch = (2.0 * (w * j - k * i)).clamp(-1.0, 1.0).asin();
    let roll = (2.0 * (w * i + j * k)).atan2(1.0 - 2.0 * (i * i + j * j));
    Pose3 { x, y, z, yaw, pitch, roll }
}

/// Returns the first three rows of the matrix of a pose.
pub fn matrix(pose: &Pose3) -> [[f64; 4]; 3] {
    let (rotation, origin) = (pose.rotation(), pose.position());
    [0, 1, 2].map(|row| {
        let [x, y, z] = rotation[row];
        [x, y, z, origin[row]].map(rounded)
    })
}

/// Returns the matrix of the second pose in the frame of the first.
pub fn relative(from: &Pose3, to: &Pose3) -> [[f64; 4]; 3] {
    matrix(&from.inverse().compose(*to))
}

/// Returns a number, and zero for one that is an error of rounding.
fn rounded(number: f64) -> f64 {
    if number.abs() < 1e-12 { 0.0 } else { number }
}
