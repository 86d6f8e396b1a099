//! Recording of streams.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::Background;
use simhost_streams::{Sample, Sink, SinkError, Stamp, Stream};

use crate::file::{Attachment, McapFile};

/// Records streams in MCAP files, with the messages of ROS 2.
///
/// Samples are encoded, compressed and written on a separate thread. A chunk ends after 1 MiB, or
/// half a second of wall time after the previous chunk; a program that is killed loses no complete
/// chunk.
///
/// Times never go back within a file. When they do, because of a reset or a restored snapshot, or when
/// streams are added or removed, the next file begins: `run.mcap`, `run-2.mcap`, …
///
/// ```
/// use simhost_mcap::McapSink;
/// use simhost_streams::Sink;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("run.mcap");
/// let mut sink = McapSink::new(&path);
/// sink.begin(&[])?;
/// // the session calls `take` and `end_of_step`
/// assert_eq!(sink.finish()?, [path]);
/// # Ok::<(), simhost_streams::SinkError>(())
/// ```
pub struct McapSink {
    /// Path as it was given, for lists of files.
    shown: PathBuf,
    /// The same path for any working folder: a plugin can change it.
    path: PathBuf,
    /// Files that are complete.
    files: Vec<PathBuf>,
    /// The file that is being written, and whether it has samples.
    open: Option<(Background, bool)>,
    attachments: Arc<[Attachment]>,
}

impl McapSink {
    /// Creates a sink whose first file has this path. The file is created, or replaced, when streams begin.
    pub fn new(path: &Path) -> Self {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self {
            shown: path.to_owned(),
            path: absolute,
            files: Vec::new(),
            open: None,
            attachments: Arc::default(),
        }
    }

    /// Sets the attachments of all files.
    #[must_use]
    pub fn with_attachments(mut self, attachments: Vec<Attachment>) -> Self {
        self.attachments = attachments.into();
        self
    }

    /// Completes the file that is being written.
    fn close(&mut self) -> Result<(), SinkError> {
        let Some((mut background, has_samples)) = self.open.take() else { return Ok(()) };
        background.finish()?;
        // a file without samples is replaced
        if has_samples {
            self.files.push(self.next(&self.shown));
        }
        Ok(())
    }

    /// Returns the path of the next file, for the path of the first one.
    fn next(&self, first: &Path) -> PathBuf {
        match self.files.len() {
            0 => first.to_owned(),
            files => {
                let stem = first.file_stem().unwrap_or_default().to_string_lossy();
                first.with_file_name(format!("{stem}-{}.mcap", files + 1))
            }
        }
    }
}

impl Sink for McapSink {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.close()?;
        let file = McapFile::create(&self.next(&self.path), streams, &self.attachments)?;
        self.open = Some((Background::start("mcap writer", Box::new(file))?, false));
        Ok(())
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        if let Some((background, has_samples)) = &mut self.open {
            background.take(stream, sample);
            *has_samples = true;
        }
        Ok(())
    }

    fn end_of_step(&mut self, _: Stamp) -> Result<(), SinkError> {
        self.open.as_mut().map_or(Ok(()), |(background, _)| background.end_of_step())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        if let Some((_, has_samples)) = &mut self.open {
            // also a recording without samples is a file
            *has_samples |= self.files.is_empty();
        }
        let path = self.next(&self.path);
        let is_empty = matches!(self.open, Some((_, false)));
        self.close()?;
        if is_empty {
            std::fs::remove_file(&path).map_err(|error| {
                SinkError::new(format!("cannot remove {}", path.display())).because(error)
            })?;
        }
        Ok(std::mem::take(&mut self.files))
    }
}
