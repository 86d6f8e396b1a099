//! The files of a run.

use std::path::{Path, PathBuf};

use simhost_mcap::{McapError, Recording};
use simhost_record::{RECORDING_FILE, WORLD_FILE};

use crate::error::RunError;
use crate::manifest::Manifest;

/// The files of a run: of an output folder, or of an MCAP file, which can be in one.
#[derive(Clone, Copy, Debug)]
pub struct RunFiles<'a> {
    path: &'a Path,
}

/// The world of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunWorld {
    /// A world file.
    File(PathBuf),
    /// The text of a world file, from the attachment of a recording, with the path that it would have in the folder.
    Text(PathBuf, String),
}

impl<'a> RunFiles<'a> {
    /// Looks for the files of a run at a path, which need not exist.
    pub const fn at(path: &'a Path) -> Self {
        Self { path }
    }

    /// Returns the folder in which files about the run are.
    pub fn folder(&self) -> &'a Path {
        match self.path.parent() {
            _ if self.path.is_dir() => self.path,
            // the parent of a relative path without a folder is empty
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// Returns the path under which people know the run: the output folder, even of its recording, or the MCAP file.
    pub fn known_as(&self) -> &'a Path {
        // the recordings of all output folders have one name
        let folder = self.path.parent().filter(|_| self.path.ends_with(RECORDING_FILE));
        folder.unwrap_or(self.path)
    }

    /// Returns the name of the run: the name of its output folder, or of its MCAP file without the
    /// extension.
    pub fn name(&self) -> Option<String> {
        let absolute = std::path::absolute(self.path).unwrap_or_else(|_| self.path.to_owned());
        let name = match self.path.is_dir() {
            true => absolute.file_name(),
            false if self.path.ends_with(RECORDING_FILE) => {
                absolute.parent().and_then(Path::file_name)
            }
            false => absolute.file_stem(),
        };
        name.map(|name| name.to_string_lossy().into_owned())
    }

    /// Returns the path of the MCAP file, if there is one.
    pub fn recording(&self) -> Option<PathBuf> {
        let path = match self.path.is_dir() {
            true => self.path.join(RECORDING_FILE),
            false => self.path.to_owned(),
        };
        path.is_file().then_some(path)
    }

    /// Returns the manifest in the folder, if there is one.
    ///
    /// # Errors
    /// [`RunError`] if the file cannot be read or is not JSON.
    pub fn manifest(&self) -> Result<Option<Manifest>, RunError> {
        Manifest::read(self.folder())
    }

    /// Returns the world of the run: that in the folder, or that which is attached to the recording.
    ///
    /// # Errors
    /// [`RunError`] if the recording cannot be read.
    pub fn world(&self) -> Result<Option<RunWorld>, RunError> {
        let path = self.folder().join(WORLD_FILE);
        if path.is_file() {
            return Ok(Some(RunWorld::File(path)));
        }
        let Some(recording) = self.recording() else { return Ok(None) };
        let attached = open_recording(&recording)?.attachment(WORLD_FILE)?;
        let text = attached.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.map(|text| RunWorld::Text(path, text)))
    }
}

/// Opens the MCAP file of a run.
///
/// # Errors
/// [`RunError`] if the file cannot be read or is not MCAP.
pub fn open_recording(path: &Path) -> Result<Recording, RunError> {
    Recording::open(path).map_err(|error| match error {
        McapError::NotMcap { path } => RunError::NotARun {
            path,
            found: "it is a file without the first bytes of MCAP".to_owned(),
            expected: "an output folder of `simhost run`, or an MCAP file",
        },
        other => other.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_from_the_folder_and_from_its_recording() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        let recording = out.join(RECORDING_FILE);
        let files = RunFiles::at(&out);
        assert_eq!((files.recording(), files.world().unwrap()), (None, None));
        std::fs::write(&recording, "").unwrap();
        std::fs::write(out.join(WORLD_FILE), "").unwrap();
        for path in [&out, &recording] {
            let files = RunFiles::at(path);
            assert_eq!((files.folder(), files.known_as()), (&*out, &*out));
            assert_eq!(files.name().as_deref(), Some("out"));
            assert_eq!(files.recording().as_ref(), Some(&recording));
            assert_eq!(files.world().unwrap(), Some(RunWorld::File(out.join(WORLD_FILE))));
        }
        let moved = folder.path().join("moved.mcap");
        let files = RunFiles::at(&moved);
        assert_eq!((files.folder(), files.known_as()), (folder.path(), &*moved));
        assert_eq!((files.name().as_deref(), files.recording()), (Some("moved"), None));
        assert_eq!(RunFiles::at(Path::new("run.mcap")).folder(), Path::new("."));
    }
}
