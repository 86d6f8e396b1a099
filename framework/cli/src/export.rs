//! `simhost export`: the readings of a run in the layout of a data set.

use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::Value;
use simhost_runs::{Run, Series, points, rows, sensor_files, viewpoint};
use simhost_scene::Pose3;

use crate::process::{Code, Failure};
use crate::terminal;

/// Layout of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataLayout {
    /// The odometry benchmark of KITTI: sequences with images, clouds, times and calibration, and poses.
    Kitti,
    /// The ASL layout of EuRoC: a folder per camera and IMU, and the true states.
    Euroc,
}

/// Arguments of `simhost export`.
#[derive(Args, Clone, Debug)]
pub struct ExportData {
    /// Output folder of a run.
    pub run: PathBuf,

    /// Layout to write.
    #[arg(long, value_name = "LAYOUT")]
    pub layout: DataLayout,

    /// Vehicle whose sensors are written [default: the first one with a camera or a lidar].
    #[arg(long, value_name = "NAME")]
    pub vehicle: Option<String>,

    /// Folder to write, which has to be new or empty.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Writes a data set.
pub fn export(arguments: &ExportData) -> Result<Code, Failure> {
    let out = &arguments.out;
    if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        let text = format!("{} is not empty\nhelp: choose another folder", out.display());
        return Err(Failure::new(Code::Output, text));
    }
    let readings = Readings::open(&arguments.run, arguments.vehicle.as_deref())?;
    let summary = match arguments.layout {
        DataLayout::Kitti => write_kitti(&readings, out)?,
        DataLayout::Euroc => write_euroc(&readings, out)?,
    };
    terminal::result(&format!("wrote {}: {summary}", out.display()))?;
    Ok(Code::Done)
}

/// Writes a file, with the folders above it.
fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, content));
    written.map_err(|error| cannot_write(path, &error))
}

/// Copies a file, with the folders above it.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let folder = to.parent().unwrap_or(Path::new("."));
    let copied = std::fs::create_dir_all(folder).and_then(|()| std::fs::copy(from, to));
    copied.map(drop).map_err(|error| cannot_write(to, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
}

/// Attitude of an optical frame (x to the right, y downwards, z ahead) in the frame of a lidar.
const OPTICAL: Pose3 =
    Pose3 { x: 0.0, y: 0.0, z: 0.0, yaw: -FRAC_PI_2, pitch: 0.0, roll: -FRAC_PI_2 };

/// Writes sequence 00: the first two cameras, the first lidar, times, calibration and poses.
///
/// Source: A. Geiger, P. Lenz and R. Urtasun, "Are we ready for Autonomous Driving? The KITTI Vision Benchmark Suite", 2012,
/// and the development kit of the benchmark.
fn write_kitti(readings: &Readings, out: &Path) -> Result<String, Failure> {
    let folder = out.join("sequences/00");
    let cameras = &readings.cameras[..readings.cameras.len().min(2)];
    let lidar = readings.lidars.first();
    let frames: Vec<(f64, Pose3)> = match cameras.first() {
        Some(camera) => camera.images.iter().map(|(time, _, pose)| (*time, *pose)).collect(),
        None => {
            let files = lidar.into_iter().flatten();
            let of = |(time, file): &(f64, PathBuf)| Ok((*time, place(file)?.compose(OPTICAL)));
            files.map(of).collect::<Result<_, Failure>>()?
        }
    };
    let Some(&(start, first)) = frames.first() else {
        return Err(Failure::new(Code::BadInput, "the run has no whole image and no cloud"));
    };
    for (number, camera) in cameras.iter().enumerate() {
        for (index, (_, file, _)) in camera.images.iter().enumerate() {
            copy(file, &folder.join(format!("image_{}/{index:06}.png", number + 2)))?;
        }
    }
    let (mut times, mut poses) = (String::new(), String::new());
    for (index, (time, pose)) in frames.iter().enumerate() {
        let _ = writeln!(times, "{:e}", time - start);
        let _ = writeln!(poses, "{}", line(&relative(&first, pose)));
        let nearest = lidar.and_then(|files| {
            files.iter().min_by(|(a, _), (b, _)| (a - time).abs().total_cmp(&(b - time).abs()))
        });
        if let Some((_, file)) = nearest {
            let cloud = points(file).map_err(|error| Failure::new(Code::BadInput, error))?;
            let bytes: Vec<u8> = cloud.iter().flatten().flat_map(|one| one.to_le_bytes()).collect();
            write_file(&folder.join(format!("velodyne/{index:06}.bin")), &bytes)?;
        }
    }
    write_file(&folder.join("times.txt"), times.as_bytes())?;
    write_file(&folder.join("calib.txt"), calibration(readings)?.as_bytes())?;
    write_file(&out.join("poses/00.txt"), poses.as_bytes())?;
    let lidars = usize::from(lidar.is_some());
    Ok(format!("frames: {}, cameras: {}, lidars: {lidars}", frames.len(), cameras.len()))
}

/// Returns the calibration: the projections P0 to P3 from the first camera, and Tr from the lidar to it.
fn calibration(readings: &Readings) -> Result<String, Failure> {
    let mut text = String::new();
    let first = readings.cameras.first();
    for number in 0..4_usize {
        let camera = readings.cameras.get(number.saturating_sub(2)).or(first);
        let projection = match (camera, first) {
            (Some(camera), Some(first)) => {
                let k: Vec<f64> =
                    (0..9).map(|at| camera.info["k"][at].as_f64().unwrap_or(0.0)).collect();
                // K (R | t) for a point in the frame of the first camera
                let view = relative(&camera.mounted, &first.mounted);
                [0, 1, 2].map(|row| {
                    [0, 1, 2, 3].map(|column| {
                        (0..3).map(|inner| k[3 * row + inner] * view[inner][column]).sum::<f64>()
                    })
                })
            }
            _ => matrix(&Pose3::default()),
        };
        let _ = writeln!(text, "P{number}: {}", line(&projection));
    }
    if let Some((_, file)) = readings.lidars.first().and_then(|files| files.first()) {
        let lidar = place(file)?;
        let camera = first.and_then(|camera| camera.images.first());
        let camera = camera.map_or(lidar.compose(OPTICAL), |(_, _, pose)| *pose);
        let _ = writeln!(text, "Tr: {}", line(&relative(&camera, &lidar)));
    }
    Ok(text)
}

/// Returns the pose of the lidar in the world when a cloud was taken.
fn place(file: &Path) -> Result<Pose3, Failure> {
    let found = viewpoint(file).map_err(|error| Failure::new(Code::BadInput, error))?;
    let [x, y, z, w, i, j, k] = found;
    Ok(pose([x, y, z], [w, i, j, k]))
}

/// Returns the twelve numbers of a matrix, row by row.
fn line(matrix: &[[f64; 4]; 3]) -> String {
    let numbers = matrix.iter().flatten().map(|number| format!("{number:e}"));
    numbers.collect::<Vec<_>>().join(" ")
}

/// Writes the folder `mav0`: cameras, IMUs and the true states.
///
/// Source: M. Burri et al., "The EuRoC micro aerial vehicle datasets", International Journal of Robotics Research, 2016.
/// The body is the vehicle.
fn write_euroc(readings: &Readings, out: &Path) -> Result<String, Failure> {
    let root = out.join("mav0");
    for (number, camera) in readings.cameras.iter().enumerate() {
        write_camera(camera, &root.join(format!("cam{number}")))?;
    }
    for (number, imu) in readings.imus.iter().enumerate() {
        write_imu(imu, &root.join(format!("imu{number}")))?;
    }
    let truth = truth(readings);
    write_file(&root.join("state_groundtruth_estimate0/data.csv"), truth.as_bytes())?;
    let sensor =
        format!("sensor_type: visual-inertial\ncomment: true states\n{}", body(&Pose3::default()));
    write_file(&root.join("state_groundtruth_estimate0/sensor.yaml"), sensor.as_bytes())?;
    Ok(format!(
        "cameras: {}, IMUs: {}, true states: {}",
        readings.cameras.len(),
        readings.imus.len(),
        readings.truth[0].len()
    ))
}

fn nanoseconds(time: f64) -> u64 {
    (time * 1e9).round() as u64
}

fn write_camera(camera: &Camera, folder: &Path) -> Result<(), Failure> {
    let mut table = "#timestamp [ns],filename\n".to_owned();
    for (time, file, _) in &camera.images {
        let stamp = nanoseconds(*time);
        let _ = writeln!(table, "{stamp},{stamp}.png");
        copy(file, &folder.join(format!("data/{stamp}.png")))?;
    }
    write_file(&folder.join("data.csv"), table.as_bytes())?;
    let info = &camera.info;
    let k = |at: usize| info["k"][at].as_f64().unwrap_or(0.0);
    let distortion: Vec<String> =
        info["d"].as_array().into_iter().flatten().map(Value::to_string).collect();
    let model = match info["distortion_model"].as_str() {
        Some("equidistant") => "equidistant",
        _ => "radial-tangential",
    };
    let times: Vec<f64> = camera.images.iter().map(|(time, ..)| *time).collect();
    let text = format!(
        "sensor_type: camera\ncomment: {}\n{}rate_hz: {}\nresolution: [{}, {}]\ncamera_model: pinhole\n\
         intrinsics: [{}, {}, {}, {}]\ndistortion_model: {model}\ndistortion_coefficients: [{}]\n",
        info["frame_id"].as_str().unwrap_or_default(),
        body(&camera.mounted),
        rate(&times),
        info["width"],
        info["height"],
        k(0),
        k(4),
        k(2),
        k(5),
        distortion.join(", "),
    );
    write_file(&folder.join("sensor.yaml"), text.as_bytes())
}

fn write_imu(imu: &Imu, folder: &Path) -> Result<(), Failure> {
    let mut table = "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],\
                     a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]\n"
        .to_owned();
    for [time, values @ ..] in &imu.rows {
        let values = values.map(|value| value.to_string()).join(",");
        let _ = writeln!(table, "{},{values}", nanoseconds(*time));
    }
    write_file(&folder.join("data.csv"), table.as_bytes())?;
    let times: Vec<f64> = imu.rows.iter().map(|row| row[0]).collect();
    let number = |key: &str| imu.parameters[key].as_f64().unwrap_or(0.0);
    // white noise of samples becomes a density by the root of their period
    let root = if rate(&times) > 0.0 { rate(&times).sqrt() } else { 1.0 };
    let density = |quantity: &str| {
        let given = imu.parameters[&format!("{quantity}_noise_density")].as_f64();
        given.unwrap_or(number(&format!("{quantity}_white_noise_std_noise")) / root)
    };
    let walk = |quantity: &str| number(&format!("{quantity}_random_walk_std_noise"));
    let text = format!(
        "sensor_type: imu\ncomment: simhost\n{}rate_hz: {}\ngyroscope_noise_density: {}\n\
         gyroscope_random_walk: {}\naccelerometer_noise_density: {}\naccelerometer_random_walk: {}\n",
        body(&imu.mounted),
        rate(&times),
        density("angular_velocity"),
        walk("angular_velocity"),
        density("linear_acceleration"),
        walk("linear_acceleration"),
    );
    write_file(&folder.join("sensor.yaml"), text.as_bytes())
}

/// Returns the rate of samples, Hz; 0 for fewer than two.
fn rate(times: &[f64]) -> f64 {
    match times {
        [first, .., last] => ((times.len() - 1) as f64 / (last - first) * 1e6).round() / 1e6,
        _ => 0.0,
    }
}

/// Returns the entry with the pose of a sensor in the frame of the vehicle.
fn body(pose: &Pose3) -> String {
    let rows = matrix(pose).map(|row| row.map(|number| number.to_string()).join(", "));
    let [x, y, z] = rows;
    format!(
        "T_BS:\n  cols: 4\n  rows: 4\n  data: [{x},\n         {y},\n         {z},\n         0.0, 0.0, 0.0, 1.0]\n"
    )
}

/// Returns the table of true states. Biases are 0, because the biases of a sensor are not recorded.
fn truth(readings: &Readings) -> String {
    let mut text =
        "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], \
                    q_RS_z [], v_RS_R_x [m s^-1], v_RS_R_y [m s^-1], v_RS_R_z [m s^-1], \
                    b_w_RS_S_x [rad s^-1], b_w_RS_S_y [rad s^-1], b_w_RS_S_z [rad s^-1], \
                    b_a_RS_S_x [m s^-2], b_a_RS_S_y [m s^-2], b_a_RS_S_z [m s^-2]\n"
            .to_owned();
    let [pose, twist] = &readings.truth;
    let value = |series: &simhost_runs::Series, column: usize, at: usize| {
        series.columns.get(column).and_then(|column| column.get(at)).copied().unwrap_or(f64::NAN)
    };
    for (at, time) in pose.times.iter().enumerate() {
        let [x, y, z, yaw, pitch, roll] = [0, 1, 2, 3, 4, 5].map(|column| value(pose, column, at));
        let [qw, qx, qy, qz] = Pose3 { x, y, z, yaw, pitch, roll }.quaternion();
        let [vx, vy] = [0, 1].map(|column| value(twist, column, at));
        let (sin, cos) = yaw.sin_cos();
        let (before, after) = (at.saturating_sub(1), (at + 1).min(pose.len() - 1));
        let climb = match pose.times[after] - pose.times[before] {
            span if span > 0.0 => (value(pose, 2, after) - value(pose, 2, before)) / span,
            _ => 0.0,
        };
        let numbers = [x, y, z, qw, qx, qy, qz, vx * cos - vy * sin, vx * sin + vy * cos, climb];
        let numbers = numbers.map(|number| number.to_string()).join(",");
        let _ = writeln!(text, "{},{numbers},0,0,0,0,0,0", nanoseconds(*time));
    }
    text
}

/// Recorded readings of the sensors of a vehicle.
struct Readings {
    pub cameras: Vec<Camera>,
    /// Clouds of the lidars: times, s, and files.
    pub lidars: Vec<Vec<(f64, PathBuf)>>,
    pub imus: Vec<Imu>,
    /// True pose, and twist in the vehicle frame.
    pub truth: [Series; 2],
}

/// A camera with its images.
struct Camera {
    /// The entry of its image in `camera_info.json`.
    pub info: Value,
    /// Time, s, file, and pose of the optical frame in the world of each image.
    pub images: Vec<(f64, PathBuf, Pose3)>,
    /// Pose of the optical frame in the frame of the vehicle.
    pub mounted: Pose3,
}

/// An IMU with its readings.
struct Imu {
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
fn pose([x, y, z]: [f64; 3], [w, i, j, k]: [f64; 4]) -> Pose3 {
    let yaw = (2.0 * (w * k + i * j)).atan2(1.0 - 2.0 * (j * j + k * k));
    let pitch = (2.0 * (w * j - k * i)).clamp(-1.0, 1.0).asin();
    let roll = (2.0 * (w * i + j * k)).atan2(1.0 - 2.0 * (i * i + j * j));
    Pose3 { x, y, z, yaw, pitch, roll }
}

/// Returns the first three rows of the matrix of a pose.
fn matrix(pose: &Pose3) -> [[f64; 4]; 3] {
    let (rotation, origin) = (pose.rotation(), pose.position());
    [0, 1, 2].map(|row| {
        let [x, y, z] = rotation[row];
        [x, y, z, origin[row]].map(rounded)
    })
}

/// Returns the matrix of the second pose in the frame of the first.
fn relative(from: &Pose3, to: &Pose3) -> [[f64; 4]; 3] {
    matrix(&from.inverse().compose(*to))
}

/// Returns a number, and zero for one that is an error of rounding.
fn rounded(number: f64) -> f64 {
    if number.abs() < 1e-12 { 0.0 } else { number }
}
