//! The ASL layout of EuRoC.
//!
//! Source: M. Burri et al., "The EuRoC micro aerial vehicle datasets", International Journal of Robotics Research, 2016.
//! The body is the vehicle.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use simhost_scene::Pose3;

use super::readings::{Camera, Imu, Readings, matrix};
use super::{copy, write as write_file};
use crate::exit::Failure;

/// Writes the folder `mav0`: cameras, IMUs and the true states.
pub fn write(readings: &Readings, out: &Path) -> Result<String, Failure> {
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
