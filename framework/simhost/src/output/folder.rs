//! The folder of a run: who may write to it, and what an earlier run has left there.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use simhost_record::{INPUTS_FILE, MANIFEST_FILE, RECORDING_FILE, RecordError};

use super::error::OutputError;
use super::input_file::InputFile;
use super::manifest::Manifest;
use super::out::Out;

/// Names of files that are written while a run is running: the text before and after a number.
const NUMBERED: &[(&str, &str)] = &[
    ("step-", ".snapshot"),
    ("diverged-", ".snapshot"),
    ("state-", ".snapshot"),
    ("fault-", ".json"),
    ("call-", ".json"),
    ("run-", ".mcap"),
];
/// Names of further such files.
const OTHERS: &[&str] = &[RECORDING_FILE, "simhost.log", ".manifest.json.new"];
/// Folder with the files of the earlier run until the new one has started.
const EARLIER: &str = ".earlier-run";

/// A folder that belongs to one session until the value is dropped.
pub struct Folder {
    /// Path as it was given, for messages and lists of files.
    shown: PathBuf,
    /// The same folder for any working folder: a plugin can change it.
    path: PathBuf,
    /// File of an earlier run that is not removed.
    kept: Option<PathBuf>,
    /// Whether the session has created the folder, and has written nothing to it.
    is_new: bool,
    /// Whether the files of an earlier run are kept aside.
    keeps_earlier: bool,
    pub(super) inputs: InputFile,
}

impl Drop for Folder {
    /// Removes a folder that was created for a session which ended before its first step, and restores the
    /// earlier run in one that has begun and not started.
    fn drop(&mut self) {
        if self.keeps_earlier {
            restore(&self.path);
        }
        if self.is_new {
            let _ = std::fs::remove_file(self.path.join(INPUTS_FILE));
            // fails if the program has written files of its own
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

impl Folder {
    /// Creates a folder if needed, and locks it. No file of an earlier run changes.
    ///
    /// # Errors
    /// [`OutputError`] if the folder cannot be written, has files that no run has written (unless it is
    /// forced), or belongs to another session.
    pub fn claim(out: &Out) -> Result<Self, OutputError> {
        let Out { shown, path, force, .. } = out;
        let failed = |source| RecordError::Directory { path: shown.clone(), source };
        let is_new = !path.exists();
        if path.join(EARLIER).is_dir() {
            // a process was killed before its run had started
            drop(InputFile::lock(path).map_err(|error| shown_as(error, shown))?);
            restore(path);
        }
        std::fs::create_dir_all(path).map_err(failed)?;
        let entries = std::fs::read_dir(path).map_err(failed)?;
        let names = entries.flatten().map(|entry| entry.file_name());
        let found = names.min_by_key(|name| (name == OsStr::new(INPUTS_FILE), name.clone()));
        if let Some(found) = found.filter(|_| !force && !Manifest::is_in(path)) {
            let is_inputs = found == OsStr::new(INPUTS_FILE);
            if is_inputs {
                // of a session that has just begun, or that ended before its start
                InputFile::lock(path).map_err(|error| shown_as(error, shown))?;
            }
            let about = std::fs::metadata(path.join(&found));
            if !is_inputs || about.is_ok_and(|about| about.len() > 0) {
                let found = found.to_string_lossy().into_owned();
                return Err(OutputError::Foreign { path: shown.clone(), found });
            }
        }
        let inputs = InputFile::lock(path).map_err(|error| shown_as(error, shown))?;
        let (shown, path, kept) = (shown.clone(), path.clone(), out.kept.clone());
        Ok(Self { shown, path, kept, is_new, keeps_earlier: false, inputs })
    }

    /// Returns the absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path as it was given.
    pub fn given(&self) -> &Path {
        &self.shown
    }

    /// Returns the path of a file as messages show it.
    pub fn shown(&self, name: &str) -> PathBuf {
        self.shown.join(name)
    }

    /// Puts the files of an earlier run aside, until [`Self::start`].
    ///
    /// # Errors
    /// [`OutputError`] if the inputs of the earlier run cannot be removed.
    pub fn clear(&mut self) -> Result<(), OutputError> {
        self.is_new = false;
        if Manifest::is_in(&self.path) {
            let aside = self.path.join(EARLIER);
            let shown = self.shown(EARLIER);
            let failed = |source| RecordError::Directory { path: shown.clone(), source };
            simhost_files::create_folder(&aside).map_err(failed)?;
            self.keeps_earlier = true;
            let kept = self.kept.as_ref().and_then(|kept| kept.canonicalize().ok());
            for name in self.earlier() {
                let file = self.path.join(&name);
                let is_kept = kept.is_some() && file.canonicalize().ok() == kept;
                if !is_kept {
                    // a file that cannot be moved is replaced or reported when it is written
                    let _ = moved(&file, &aside.join(&name));
                }
                if let Some(folder) = file.parent().filter(|folder| *folder != self.path) {
                    // succeeds for the last file of a folder
                    let _ = std::fs::remove_dir(folder);
                }
            }
            for name in [INPUTS_FILE, MANIFEST_FILE] {
                // the lock of the inputs belongs to the present file
                std::fs::copy(self.path.join(name), aside.join(name)).map_err(failed)?;
            }
        }
        Ok(self.inputs.clear()?)
    }

    /// Removes the files of the earlier run, because the new one has started.
    pub fn start(&mut self) {
        if std::mem::take(&mut self.keeps_earlier) {
            // files that cannot be removed are restored by the next run, and replaced
            let _ = std::fs::remove_dir_all(self.path.join(EARLIER));
        }
    }

    /// Returns whether the earlier run comes back when the session ends.
    pub fn keeps_earlier(&self) -> bool {
        self.keeps_earlier
    }

    /// Returns the files of an earlier run: those that its manifest lists, and those that a run writes
    /// without listing them before its end.
    fn earlier(&self) -> Vec<PathBuf> {
        let listed = Manifest::read(&self.path).map_or(Vec::new(), |manifest| manifest.files);
        let is_link = |folder: &Path| self.path.join(folder).is_symlink();
        let is_own = |name: &String| {
            let name = Path::new(name);
            stays_inside(name) && !name.ancestors().skip(1).any(is_link)
        };
        let listed = listed.into_iter().filter(is_own);
        let mut names: Vec<PathBuf> = listed.map(PathBuf::from).collect();
        let entries = std::fs::read_dir(&self.path).into_iter().flatten().flatten();
        let found = entries.map(|entry| entry.file_name());
        names.extend(found.filter(|name| is_of_running_run(name)).map(PathBuf::from));
        names.retain(|name| name != Path::new(INPUTS_FILE) && name != Path::new(MANIFEST_FILE));
        names
    }
}

/// Moves a file to a folder that is created if needed.
fn moved(from: &Path, to: &Path) -> std::io::Result<()> {
    to.parent().map_or(Ok(()), simhost_files::create_folder)?;
    std::fs::rename(from, to)
}

/// Removes the files of a run that has not started, and restores the files of the earlier run.
fn restore(folder: &Path) {
    let aside = folder.join(EARLIER);
    if !Manifest::is_in(&aside) {
        // it was not complete, so that no file of the earlier run has been replaced
        restore_files(&aside, folder);
        return;
    }
    let begun = Manifest::read(folder).map_or(Vec::new(), |manifest| manifest.files);
    for name in begun.iter().filter(|name| stays_inside(Path::new(name)) && *name != INPUTS_FILE) {
        let _ = std::fs::remove_file(folder.join(name));
    }
    // the file with the lock stays, and takes the inputs of the earlier run
    if std::fs::copy(aside.join(INPUTS_FILE), folder.join(INPUTS_FILE)).is_ok() {
        let _ = std::fs::remove_file(aside.join(INPUTS_FILE));
    }
    restore_files(&aside, folder);
}

/// Moves all files of a folder to another one, apart from those that cannot be moved.
fn restore_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let (old, new) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => restore_files(&old, &new),
            false => drop(moved(&old, &new)),
        }
    }
    let _ = std::fs::remove_dir(from);
}

/// Returns the error with the path as the user gave it.
fn shown_as(error: OutputError, shown: &Path) -> OutputError {
    match error {
        OutputError::InUse { .. } => OutputError::InUse { path: shown.to_owned() },
        other => other,
    }
}

/// Returns whether a path stays within its folder. A manifest can come from anywhere.
fn stays_inside(path: &Path) -> bool {
    let is_name = |component| matches!(component, Component::Normal(_));
    path.components().next().is_some() && path.components().all(is_name)
}

fn is_of_running_run(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let numbered = |(before, after): &(&str, &str)| {
        name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some_and(is_number)
    };
    OTHERS.contains(&name) || NUMBERED.iter().any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = r#"{"simhost": "0.1.0", "files": ["trajectory.csv", "../kept.txt", "session-2/b", "link/c"]}"#;

    fn claim(path: &Path, force: bool) -> Result<Folder, OutputError> {
        Folder::claim(&Out { force, ..Out::new(path) })
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/out");
        drop(claim(&path, false).unwrap());
        assert!(!path.exists(), "a folder in which nothing was written is removed");
        std::fs::create_dir_all(&path).unwrap();
        for name in ["thesis.txt", MANIFEST_FILE] {
            std::fs::write(path.join(name), "{}").unwrap();
            let refused = claim(&path, false).map(drop).unwrap_err();
            assert!(matches!(refused, OutputError::Foreign { .. }), "{refused}");
            assert!(refused.to_string().contains("--force"), "{refused}");
            assert!(!path.join(INPUTS_FILE).exists());
        }
        claim(&path, true).unwrap().clear().unwrap();
        assert!(path.join("thesis.txt").exists());
    }

    /// Writes the files of a run, with its name as their content.
    fn write_run(path: &Path, run: &str) {
        for name in ["session-2/b", "trajectory.csv", INPUTS_FILE] {
            let file = path.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, run).unwrap();
        }
        std::fs::write(path.join(MANIFEST_FILE), OURS.replace("0.1.0", run)).unwrap();
    }

    #[test]
    fn an_earlier_run_comes_back_if_the_new_one_does_not_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write_run(&path, "first");
        std::fs::write(path.join("notes.txt"), "first").unwrap();
        let check = |run: &str| {
            for name in ["session-2/b", "trajectory.csv", INPUTS_FILE] {
                assert_eq!(std::fs::read_to_string(path.join(name)).unwrap(), run, "{name}");
            }
            assert_eq!(Manifest::read(&path).unwrap().simhost, run);
            assert_eq!(std::fs::read_to_string(path.join("notes.txt")).unwrap(), "first");
            assert!(!path.join(EARLIER).exists());
        };
        let begin = || {
            let mut claimed = claim(&path, false).unwrap();
            claimed.clear().unwrap();
            assert!(!path.join("trajectory.csv").exists());
            write_run(&path, "second");
            claimed
        };
        drop(begin());
        check("first");
        // a process that is killed does not restore anything; the next one does
        begin().keeps_earlier = false;
        assert!(path.join(EARLIER).exists());
        drop(claim(&path, false).unwrap());
        check("first");
        begin().start();
        check("second");
    }

    #[test]
    fn the_files_of_an_earlier_run_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        std::fs::create_dir_all(path.join("a")).unwrap();
        std::fs::write(folder.path().join("kept.txt"), "").unwrap();
        std::fs::create_dir(path.join("session-2")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(path.join("a"), path.join("link")).unwrap();
        let own =
            ["session-2/b", "trajectory.csv", "step-100.snapshot", "fault-1.json", "run-2.mcap"];
        let others =
            ["notes.txt", "step-100.snapshot.txt", "a/c", "fault-x.json", "step-7.snapshot"];
        for name in own.iter().chain(&others) {
            std::fs::write(path.join(name), "").unwrap();
        }
        std::fs::write(path.join(MANIFEST_FILE), OURS).unwrap();
        let kept = Some(path.join("step-7.snapshot"));
        let mut claimed = Folder::claim(&Out { kept, ..Out::new(&path) }).unwrap();
        claimed.clear().unwrap();
        claimed.start();
        own.iter().for_each(|name| assert!(!path.join(name).exists(), "{name}"));
        assert!(!path.join("session-2").exists());
        others.iter().for_each(|name| assert!(path.join(name).exists(), "{name}"));
        assert!(folder.path().join("kept.txt").exists());
    }
}
