//! True poses as the odometry benchmark of KITTI has them.
//!
//! Format: A. Geiger, P. Lenz and R. Urtasun, "Are we ready for autonomous driving? The KITTI
//! vision benchmark suite", CVPR 2012: one line per pose with the first three rows of the transform
//! from the vehicle to the frame of the stream, row by row. KITTI's poses describe a camera; here x
//! points forward, y to the left and z upwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::Writer;
use simhost_streams::{Sample, SinkError, Stamp, Stream};

use super::lines::{Lines, create_folder, finish};
use super::tum::vehicle_of;
use crate::file_name::FileNames;

/// `times.txt`, and a file in `poses` per vehicle.
pub(super) struct KittiFiles {
    times: Lines,
    last: Option<Stamp>,
    poses: Vec<Option<Lines>>,
}

impl KittiFiles {
    /// Creates the files.
    pub(super) fn create(folder: &Path, streams: &[Arc<Stream>]) -> Result<Self, SinkError> {
        let poses = folder.join("poses");
        create_folder(&poses)?;
        let mut names = FileNames::default();
        let create = |stream: &Arc<Stream>| {
            let vehicle = vehicle_of(stream);
            let file = vehicle.map(|name| Lines::create(poses.join(names.claim_as(name, "txt"))));
            file.transpose()
        };
        let poses = streams.iter().map(create).collect::<Result<_, _>>()?;
        Ok(Self { times: Lines::create(folder.join("times.txt"))?, last: None, poses })
    }
}

impl Writer for KittiFiles {
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (Some(file), [x, y, z, yaw, pitch, roll, ..]) =
            (&mut self.poses[stream], sample.numbers)
        else {
            return Ok(());
        };
        if self.last.replace(sample.stamp) != Some(sample.stamp) {
            self.times.push(&sample.stamp.to_string());
            self.times.end()?;
        }
        let rows = rotation([*yaw, *pitch, *roll]).into_iter().zip([*x, *y, *z]);
        let numbers = rows.flat_map(|(row, offset)| row.into_iter().chain([offset]));
        for (k, number) in numbers.enumerate() {
            file.push(if k == 0 { "" } else { " " });
            file.push_number(number);
        }
        file.end()
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.times.flush()?;
        self.poses.iter_mut().flatten().try_for_each(Lines::flush)
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        finish(std::iter::once(&mut self.times).chain(self.poses.iter_mut().flatten()))
    }
}

/// Returns the matrix of a rotation about z, y, x by yaw, pitch and roll, each about the rotated axis.
fn rotation([yaw, pitch, roll]: [f64; 3]) -> [[f64; 3]; 3] {
    let [(sy, cy), (sp, cp), (sr, cr)] = [yaw, pitch, roll].map(f64::sin_cos);
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}
