//! True poses as the RGB-D benchmark of TUM has them.
//!
//! Format: <https://cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats>: one line per pose with
//! time in s, position x, y, z in m and the quaternion x, y, z, w. Frame: the frame of the stream,
//! `map`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::Writer;
use simhost_streams::{Sample, SinkError, Stream, ros};

use super::lines::{Lines, create_folder, finish};
use crate::file_name::FileNames;

/// A file per stream of odometry.
pub(super) struct TumFiles {
    files: Vec<Option<Lines>>,
}

impl TumFiles {
    /// Creates the files.
    pub(super) fn create(folder: &Path, streams: &[Arc<Stream>]) -> Result<Self, SinkError> {
        create_folder(folder)?;
        let mut names = FileNames::default();
        let create = |stream: &Arc<Stream>| {
            let Some(vehicle) = vehicle_of(stream) else { return Ok(None) };
            let mut file = Lines::create(folder.join(names.claim_as(vehicle, "txt")))?;
            file.push("# timestamp tx ty tz qx qy qz qw");
            file.end()?;
            Ok(Some(file))
        };
        Ok(Self { files: streams.iter().map(create).collect::<Result<_, _>>()? })
    }
}

impl Writer for TumFiles {
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (Some(file), [x, y, z, yaw, pitch, roll, ..]) =
            (&mut self.files[stream], sample.numbers)
        else {
            return Ok(());
        };
        file.push(&sample.stamp.to_string());
        let [qx, qy, qz, qw] = ros::quaternion([*yaw, *pitch, *roll]);
        for number in [*x, *y, *z, qx, qy, qz, qw] {
            file.push(" ");
            file.push_number(number);
        }
        file.end()
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.files.iter_mut().flatten().try_for_each(Lines::flush)
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        finish(self.files.iter_mut().flatten())
    }
}

/// Returns the name of the vehicle if a stream holds true poses.
pub(super) fn vehicle_of(stream: &Stream) -> Option<&str> {
    stream.name.strip_suffix("/ground_truth").filter(|_| stream.kind.name == "Odometry")
}
