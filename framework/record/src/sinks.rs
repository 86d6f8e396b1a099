//! Sinks that write streams to files of text.

mod csv;
mod mvsim;
#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::{Background, Writer};
use simhost_streams::{Sample, Sink, SinkError, Stamp, Stream, ros};

use crate::file_name::FileNames;
use crate::table::write_rows;
use crate::text::Text;

pub use mvsim::{MvsimControl, MvsimLog};
#[cfg(feature = "parquet")]
pub use parquet::{Cell, CellKind, RowFile};

/// Format of the files of a [`FolderSink`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A CSV file per stream, with a column per value.
    Csv,
    /// A Parquet file per stream, with a column per value and the units in the metadata.
    #[cfg(feature = "parquet")]
    Parquet,
    /// A file per vehicle with its true poses, as the benchmark of TUM has them: time, x, y, z, and the
    /// quaternion x, y, z, w.
    Tum,
    /// A folder in the format of KITTI's odometry: for each vehicle a file with the 3×4 matrix of
    /// its true pose per line, and the times.
    Kitti,
}

impl Format {
    /// All formats.
    pub const ALL: &[Self] = &[
        Self::Csv,
        #[cfg(feature = "parquet")]
        Self::Parquet,
        Self::Tum,
        Self::Kitti,
    ];

    /// Returns the name, which is also the name of the folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
            Self::Tum => "tum",
            Self::Kitti => "kitti",
        }
    }

    /// Returns the patterns of the streams that the format holds; all streams if there is none.
    pub const fn patterns(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &[],
            #[cfg(feature = "parquet")]
            Self::Parquet => &[],
            Self::Tum | Self::Kitti => &["**/ground_truth"],
        }
    }

    fn writer(self, folder: &Path, streams: &[Arc<Stream>]) -> Result<Box<dyn Writer>, SinkError> {
        Ok(match self {
            Self::Csv => Box::new(csv::CsvFiles::create(folder, streams)?),
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::new(parquet::ParquetFiles::create(folder, streams)?),
            Self::Tum => Box::new(TumFiles::create(folder, streams)?),
            Self::Kitti => Box::new(KittiFiles::create(folder, streams)?),
        })
    }
}

/// Writes streams to a folder, on a separate thread. When time goes back or the streams change, the
/// next folder begins: `tum`, `tum-2`, …
pub struct FolderSink {
    folder: PathBuf,
    format: Format,
    sessions: usize,
    open: Option<Background>,
    has_samples: bool,
    files: Vec<PathBuf>,
}

impl FolderSink {
    /// Creates a sink that writes to a folder, which is created when streams begin.
    pub fn new(folder: &Path, format: Format) -> Self {
        let (folder, files) = (folder.to_owned(), Vec::new());
        Self { folder, format, sessions: 0, open: None, has_samples: false, files }
    }

    fn close(&mut self) -> Result<(), SinkError> {
        if let Some(mut background) = self.open.take() {
            self.files.extend(background.finish()?);
        }
        Ok(())
    }
}

impl Sink for FolderSink {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.close()?;
        // a folder without samples is used again
        if self.has_samples || self.sessions == 0 {
            self.sessions += 1;
        } else {
            self.files.clear();
        }
        self.has_samples = false;
        let folder = match self.sessions {
            1 => self.folder.clone(),
            session => {
                let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
                self.folder.with_file_name(format!("{name}-{session}"))
            }
        };
        let writer = self.format.writer(&folder, streams)?;
        self.open = Some(Background::start(self.format.name(), writer)?);
        Ok(())
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        self.has_samples = true;
        if let Some(background) = &mut self.open {
            background.take(stream, sample);
        }
        Ok(())
    }

    fn end_of_step(&mut self, _: Stamp) -> Result<(), SinkError> {
        self.open.as_mut().map_or(Ok(()), Background::end_of_step)
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        self.close()?;
        Ok(std::mem::take(&mut self.files))
    }
}

/// `times.txt`, and a file in `poses` per vehicle.
///
/// Format: A. Geiger, P. Lenz and R. Urtasun, "Are we ready for autonomous driving? The KITTI
/// vision benchmark suite", CVPR 2012: one line per pose with the first three rows of the transform
/// from the vehicle to the frame of the stream, row by row. KITTI's poses describe a camera; here x
/// points forward, y to the left and z upwards.
struct KittiFiles {
    times: Lines,
    last: Option<Stamp>,
    poses: Vec<Option<Lines>>,
}

impl KittiFiles {
    /// Creates the files.
    fn create(folder: &Path, streams: &[Arc<Stream>]) -> Result<Self, SinkError> {
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
        flush_all(std::iter::once(&mut self.times).chain(self.poses.iter_mut().flatten()))
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

/// A file per stream of odometry.
///
/// Format: <https://cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats>: one line per pose with
/// time in s, position x, y, z in m and the quaternion x, y, z, w. Frame: the frame of the stream,
/// `map`.
struct TumFiles {
    files: Vec<Option<Lines>>,
}

impl TumFiles {
    /// Creates the files.
    fn create(folder: &Path, streams: &[Arc<Stream>]) -> Result<Self, SinkError> {
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
        flush_all(self.files.iter_mut().flatten())
    }
}

/// Returns the name of the vehicle if a stream holds true poses.
fn vehicle_of(stream: &Stream) -> Option<&str> {
    stream.name.strip_suffix("/ground_truth").filter(|_| stream.kind.name == "Odometry")
}

/// Bytes of text that a file collects before it is written, unless it is flushed.
const PIECE: usize = 1 << 16;

/// A file to which lines are added.
struct Lines {
    path: PathBuf,
    file: File,
    text: Text,
}

impl Lines {
    /// Creates or replaces a file.
    fn create(path: PathBuf) -> Result<Self, SinkError> {
        match simhost_files::create(&path) {
            Ok(file) => Ok(Self { path, file, text: Text::default() }),
            Err(error) => Err(failed("create", &path, error)),
        }
    }

    /// Returns the path of the file.
    fn path(&self) -> &Path {
        &self.path
    }

    /// Appends text.
    fn push(&mut self, text: &str) {
        self.text.push_bytes(text.as_bytes());
    }

    /// Appends a name as a field of a CSV file, in quotes where needed.
    fn push_field(&mut self, text: &str) {
        self.text.push_field(text);
    }

    /// Appends a number as in all CSV files.
    fn push_number(&mut self, number: f64) {
        self.text.push_number(number);
    }

    /// Ends a line.
    fn end(&mut self) -> Result<(), SinkError> {
        self.text.push(b'\n');
        match self.text.len() >= PIECE {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Writes the collected lines.
    fn flush(&mut self) -> Result<(), SinkError> {
        let (_, written) = write_rows(&mut self.file, self.text.bytes());
        self.text.remove_start(self.text.len());
        written.map_err(|error| failed("write", &self.path, error))
    }
}

/// Creates a folder.
fn create_folder(path: &Path) -> Result<(), SinkError> {
    simhost_files::create_folder(path).map_err(|error| failed("create", path, error))
}

fn failed(verb: &str, path: &Path, error: std::io::Error) -> SinkError {
    SinkError::new(format!("cannot {verb} {}: {error}", path.display())).because(error)
}

/// Flushes files, and returns the paths of all.
fn flush_all<'a>(files: impl Iterator<Item = &'a mut Lines>) -> Result<Vec<PathBuf>, SinkError> {
    let mut paths = Vec::new();
    for file in files {
        file.flush()?;
        paths.push(file.path().to_owned());
    }
    Ok(paths)
}

#[cfg(test)]
mod tests;
