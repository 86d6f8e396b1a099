//! The folder for the files of an observer.

use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder to which an observer writes its files, which is the folder of `--out`. In a run
/// without output, nothing is written.
#[derive(Debug, Default)]
pub struct OutputFolder {
    path: Option<PathBuf>,
    /// Names of the files that were created.
    files: Mutex<Vec<String>>,
}

impl OutputFolder {
    /// Creates the representation of a folder.
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        Self { path, files: Mutex::default() }
    }

    /// Returns the absolute path, or `None` if the run writes no files.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Creates a file, or empties an existing one. Returns `None` if the run writes no files. `name` is
    /// relative to the folder and does not leave it; missing folders in between are created.
    ///
    /// # Errors
    ///
    /// A message for the user if the name leaves the folder, if it names a file of the run, such as
    /// `trajectory.csv`, or if the file cannot be created.
    pub fn create(&self, name: &str) -> Result<Option<File>, String> {
        let name = checked(name)?;
        let Some(folder) = &self.path else { return Ok(None) };
        if is_of_run(folder, name) {
            return Err(format!("`{name}` is a file of the run; expected another name"));
        }
        let path = folder.join(name);
        let failed = |error| format!("cannot create {}: {error}", path.display());
        // a link of an earlier run would lead to any file
        let below = path.ancestors().take_while(|ancestor| *ancestor != folder);
        if let Some(link) = below.filter(|ancestor| ancestor.is_symlink()).last() {
            return Err(format!("{} is a symbolic link, which is not followed", link.display()));
        }
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
        let file = File::create(&path).map_err(failed)?;
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if !files.iter().any(|known| known == name) {
            files.push(name.to_owned());
        }
        Ok(Some(file))
    }

    /// Writes a file with this text, like [`Self::create`].
    ///
    /// # Errors
    ///
    /// As for [`Self::create`], or if the file cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let Some(mut file) = self.create(name)? else { return Ok(()) };
        std::io::Write::write_all(&mut file, text.as_bytes())
            .map_err(|error| format!("cannot write {name}: {error}"))
    }

    /// Returns the names of the files that were created, one per line.
    pub(crate) fn files(&self) -> String {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }
}

/// Returns whether the run writes a file of this name itself. The manifest of a run lists its files before its
/// first sample.
fn is_of_run(folder: &Path, name: &str) -> bool {
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).unwrap_or_default();
    let listed = manifest.split_once("\"files\": [").and_then(|(_, rest)| rest.split_once(']'));
    let quoted = format!("\"{}\"", name.replace('"', "\\\""));
    listed.is_some_and(|(files, _)| {
        files.lines().any(|line| line.trim().trim_end_matches(',') == quoted)
    })
}

/// Returns the name of a file that stays inside the folder.
fn checked(name: &str) -> Result<&str, String> {
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_));
    let is_plain = !name.is_empty() && !name.contains(['\\', ':', '\n', '\0']);
    if is_plain && !name.ends_with('/') && Path::new(name).components().all(stays) {
        return Ok(name);
    }
    Err(format!("`{name}` is not a file in the output folder; expected a name such as metrics.csv"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        for name in ["a.csv", "a/b.json", "a b.txt", "..a"] {
            assert_eq!(checked(name), Ok(name));
        }
        for name in ["", "/a", "../a", "a/../../b", ".", "a/", "c:\\a", "a\nb"] {
            let error = checked(name).unwrap_err();
            assert!(error.contains("is not a file in the output folder"), "{name}: {error}");
        }
    }

    #[test]
    fn without_a_folder_nothing_is_written_and_names_are_checked() {
        let folder = OutputFolder::default();
        assert!(folder.create("a.csv").unwrap().is_none() && folder.path().is_none());
        assert!(folder.write("../a.csv", "").is_err());
        assert_eq!(folder.files(), "");
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let path = std::env::temp_dir().join(format!("simhost-link-{}", std::process::id()));
        std::fs::create_dir_all(path.join("out")).unwrap();
        std::fs::write(path.join("kept"), "kept").unwrap();
        std::os::unix::fs::symlink(path.join("kept"), path.join("out/a.csv")).unwrap();
        std::os::unix::fs::symlink(&path, path.join("out/up")).unwrap();
        let folder = OutputFolder::new(Some(path.join("out")));
        for name in ["a.csv", "up/kept", "up/new/b.csv"] {
            let error = folder.write(name, "1").unwrap_err();
            assert!(error.contains("is a symbolic link, which is not followed"), "{error}");
        }
        assert_eq!(std::fs::read_to_string(path.join("kept")).unwrap(), "kept");
        assert!(!path.join("new").exists());
        std::fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn files_are_listed_once() {
        let path = std::env::temp_dir().join(format!("simhost-folder-{}", std::process::id()));
        let folder = OutputFolder::new(Some(path.clone()));
        folder.write("b/c.csv", "1").unwrap();
        folder.write("a.csv", "2").unwrap();
        folder.write("a.csv", "3").unwrap();
        assert_eq!(folder.files(), "b/c.csv\na.csv");
        assert_eq!(std::fs::read_to_string(path.join("a.csv")).unwrap(), "3");
        std::fs::remove_dir_all(path).unwrap();
    }
}
