//! Sensors, drives and friction, as Gazebo writes them in SDF and inside `<gazebo>` in URDF.

use std::f64::consts::FRAC_PI_2;

use crate::frame::LinkFrame;
use crate::robot::{Camera, DriveKind, DrivePlugin, Lidar, SensorKind, SensorOnLink};
use simhost_xml::Element;
use simhost_xml::{Note, ReadError};

/// Reads the frame of an element `<pose>` in this one.
pub(crate) fn pose(element: Element<'_>) -> Result<LinkFrame, ReadError> {
    let Some(pose) = element.child("pose") else { return Ok(LinkFrame::default()) };
    if pose.text().is_empty() {
        return Ok(LinkFrame::default());
    }
    let mut values = pose.numbers::<6>(pose.text(), "pose")?;
    if matches!(pose.attribute("degrees"), Some("true" | "1")) {
        values[3..].iter_mut().for_each(|angle| *angle = angle.to_radians());
    }
    if let Some("quat_xyzw") = pose.attribute("rotation_format") {
        let text = "`rotation_format` is quat_xyzw; expected roll, pitch and yaw";
        return Err(ReadError::new(pose.line(), text));
    }
    let [x, y, z, roll, pitch, yaw] = values;
    Ok(LinkFrame::of_pose([x, y, z], [roll, pitch, yaw]))
}

/// Reads a sensor on a link. Returns `None` for one that simhost does not have, which is noted.
pub(crate) fn sensor(
    element: Element<'_>,
    link: usize,
    notes: &mut Vec<Note>,
) -> Result<Option<SensorOnLink>, ReadError> {
    let (name, kind) = (element.required("name")?, element.required("type")?);
    let Some(kind) = kind_of(element, kind)? else {
        let text = format!("the sensor '{name}' of type `{kind}` has no counterpart");
        notes.push(Note { line: element.line(), text });
        return Ok(None);
    };
    for plugin in element.all("plugin") {
        let text =
            format!("the plugin of the sensor '{name}' has no effect; its readings are a stream");
        notes.push(Note { line: plugin.line(), text });
    }
    let rate = element.number_of("update_rate")?.filter(|rate| *rate > 0.0);
    let (name, frame) = (name.to_owned(), pose(element)?);
    Ok(Some(SensorOnLink { name, line: element.line(), link, frame, rate, kind }))
}

fn kind_of(element: Element<'_>, kind: &str) -> Result<Option<SensorKind>, ReadError> {
    let deviation = |path: &[&'static str]| match element.path(path) {
        Some(noise) => noise.number_of("stddev"),
        None => Ok(None),
    };
    Ok(Some(match kind {
        "ray" | "gpu_ray" | "lidar" | "gpu_lidar" => SensorKind::Lidar(lidar(element)?),
        "imu" => SensorKind::Imu([
            deviation(&["imu", "angular_velocity", "x", "noise"])?,
            deviation(&["imu", "linear_acceleration", "x", "noise"])?,
        ]),
        "camera" | "wideanglecamera" => SensorKind::Camera(camera(element)?),
        "depth" | "depth_camera" | "rgbd" | "rgbd_camera" => SensorKind::Rgbd(camera(element)?),
        "gps" | "navsat" => {
            let part = if element.child("navsat").is_some() { "navsat" } else { "gps" };
            SensorKind::Gnss([
                deviation(&[part, "position_sensing", "horizontal", "noise"])?,
                deviation(&[part, "position_sensing", "vertical", "noise"])?,
            ])
        }
        "magnetometer" => SensorKind::Magnetometer(deviation(&["magnetometer", "x", "noise"])?),
        "altimeter" | "air_pressure" => {
            SensorKind::Altimeter(deviation(&["altimeter", "vertical_position", "noise"])?)
        }
        "contact" => SensorKind::Contact,
        _ => return Ok(None),
    }))
}

fn lidar(element: Element<'_>) -> Result<Lidar, ReadError> {
    let rays = ["ray", "lidar"].into_iter().find_map(|name| element.child(name)).unwrap_or(element);
    let scan = |name: &'static str, angles: [f64; 2]| -> Result<(u32, [f64; 2]), ReadError> {
        let Some(scan) = rays.path(&["scan", name]) else { return Ok((1, angles)) };
        let count = scan.number_of("samples")?.unwrap_or(1.0).clamp(1.0, 1e6) as u32;
        let [low, high] = angles;
        let (low, high) = (
            scan.number_of("min_angle")?.unwrap_or(low),
            scan.number_of("max_angle")?.unwrap_or(high),
        );
        Ok((count, [low, high]))
    };
    let (columns, azimuth) = scan("horizontal", [-FRAC_PI_2, FRAC_PI_2])?;
    let (rows, elevation) = scan("vertical", [0.0, 0.0])?;
    let of_range = |name: &'static str, default: f64| match rays.child("range") {
        Some(range) => Ok(range.number_of(name)?.unwrap_or(default)),
        None => Ok(default),
    };
    let range = [of_range("min", 0.0)?, of_range("max", 10.0)?];
    let noise = match rays.child("noise") {
        Some(noise) => noise.number_of("stddev")?,
        None => None,
    };
    Ok(Lidar { samples: [columns, rows], azimuth, elevation, range, noise })
}

fn camera(element: Element<'_>) -> Result<Camera, ReadError> {
    let camera = element.child("camera").unwrap_or(element);
    let of = |part: &'static str, name: &'static str, default: f64| match camera.child(part) {
        Some(part) => Ok::<_, ReadError>(part.number_of(name)?.unwrap_or(default)),
        None => Ok(default),
    };
    let pixels =
        |name, default| of("image", name, default).map(|one| one.clamp(1.0, 16384.0) as u32);
    Ok(Camera {
        size: [pixels("width", 320.0)?, pixels("height", 240.0)?],
        fov: camera.number_of("horizontal_fov")?.unwrap_or(1.047),
        clip: [of("clip", "near", 0.1)?, of("clip", "far", 100.0)?],
    })
}

/// Reads a plugin of a model. Returns `None` for one that does not drive it, which is noted.
pub(crate) fn drive(
    element: Element<'_>,
    notes: &mut Vec<Note>,
) -> Result<Option<DrivePlugin>, ReadError> {
    let name = element.attribute("name").unwrap_or_default();
    let file = element.attribute("filename").unwrap_or_default();
    let words = format!("{name} {file}").to_lowercase().replace(['_', '-', '.'], "");
    let is = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    let kind = if is(&["ackermann"]) {
        DriveKind::Ackermann
    } else if is(&["diffdrive", "skidsteer", "differentialsystem", "leodifferential"]) {
        DriveKind::Differential
    } else {
        let text = format!("the plugin '{name}' ({file}) has no effect");
        notes.push(Note { line: element.line(), text });
        return Ok(None);
    };
    let torque = ["max_wheel_torque", "wheelTorque", "wheel_torque", "torque"];
    let torque = torque.into_iter().find_map(|name| element.number_of(name).transpose());
    let torque = torque.transpose()?.filter(|torque| *torque > 0.0);
    Ok(Some(DrivePlugin { line: element.line(), name: name.to_owned(), kind, torque }))
}

/// Reads the coefficients of friction of a `<surface>` in this element.
pub(crate) fn friction(element: Element<'_>) -> Result<[Option<f64>; 2], ReadError> {
    let Some(ode) = element.path(&["surface", "friction", "ode"]) else { return Ok([None; 2]) };
    Ok([ode.number_of("mu")?, ode.number_of("mu2")?])
}
