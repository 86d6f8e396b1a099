//! Sinks that write streams to files of text.

mod csv;
mod kitti;
mod lines;
mod mvsim;
#[cfg(feature = "parquet")]
mod parquet;
mod tum;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::{Background, Writer};
use simhost_streams::{Sample, Sink, SinkError, Stamp, Stream};

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
            Self::Tum => Box::new(tum::TumFiles::create(folder, streams)?),
            Self::Kitti => Box::new(kitti::KittiFiles::create(folder, streams)?),
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

#[cfg(test)]
mod tests;
