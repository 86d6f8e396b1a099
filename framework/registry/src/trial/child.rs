//! The child process of a trial.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::library::open;
use crate::quiet;
use crate::refusal::Refusal;
use crate::surroundings::Surroundings;

/// A message of the child: the start of a file, then its outcome.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    /// Index of the file in the list.
    pub file: usize,
    pub outcome: Option<Outcome>,
}

/// The outcome of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct Outcome {
    pub refusal: Option<Refusal>,
    /// Number of threads that it started.
    pub threads: u32,
}

/// Separates the outputs of the files on standard error.
pub(super) const DIVIDER: u8 = 0;

/// Opens files one after the other and reports to standard output. Call it in a separate process,
/// which the files can end. The output of the files goes to standard error.
///
/// # Errors
///
/// If standard output cannot be written, because it has no reader.
pub fn try_files(files: &[PathBuf]) -> std::io::Result<()> {
    let mut report = report()?;
    let surroundings = Surroundings::save();
    for (file, path) in files.iter().enumerate() {
        say(&mut report, &Line { file, outcome: None })?;
        std::io::stderr().write_all(&[DIVIDER])?;
        let before = threads();
        let refusal = open(path, &path.display().to_string(), &surroundings).0.err();
        quiet::flush();
        let threads = threads().saturating_sub(before);
        say(&mut report, &Line { file, outcome: Some(Outcome { refusal, threads }) })?;
    }
    Ok(())
}

fn say(report: &mut impl Write, line: &Line) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    report.write_all(text.as_bytes())?;
    report.flush()
}

/// Returns standard output under another descriptor, and redirects the original one to standard
/// error.
#[cfg(unix)]
fn report() -> std::io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    let report = std::io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(std::io::stderr())?;
    Ok(report.into())
}

#[cfg(not(unix))]
fn report() -> std::io::Result<std::io::Stdout> {
    Ok(std::io::stdout())
}

/// Returns the number of threads of this process, or 0 if unknown.
fn threads() -> u32 {
    let tasks = std::fs::read_dir(Path::new("/proc/self/task"));
    tasks.map_or(0, |tasks| tasks.count().try_into().unwrap_or(u32::MAX))
}
