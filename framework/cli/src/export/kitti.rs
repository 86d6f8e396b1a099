//! The layout of the odometry benchmark of KITTI.
//!
//! Source: A. Geiger, P. Lenz and R. Urtasun, "Are we ready for Autonomous Driving? The KITTI Vision Benchmark Suite", 2012,
//! and the development kit of the benchmark.

use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use simhost_runs::{points, viewpoint};
use simhost_scene::Pose3;

use super::readings::{Readings, matrix, pose, relative};
use super::{copy, write as write_file};
use crate::exit::{Code, Failure};

/// Attitude of an optical frame (x to the right, y downwards, z ahead) in the frame of a lidar.
const OPTICAL: Pose3 =
    Pose3 { x: 0.0, y: 0.0, z: 0.0, yaw: -FRAC_PI_2, pitch: 0.0, roll: -FRAC_PI_2 };

/// Writes sequence 00: the first two cameras, the first lidar, times, calibration and poses.
pub fn write(readings: &Readings, out: &Path) -> Result<String, Failure> {
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
