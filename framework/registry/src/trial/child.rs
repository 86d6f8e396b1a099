//! The side of the process that may die.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::library::open;
use crate::quiet;
use crate::refusal::Refusal;

/// What the child says of a file: first that it begins, then how it went.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    /// Place of the file in the list.
    pub file: usize,
    pub outcome: Option<Outcome>,
}

/// How it went.
#[derive(Serialize, Deserialize)]
pub(super) struct Outcome {
    pub refusal: Option<Refusal>,
    /// Threads that it started.
    pub threads: u32,
}

/// Divides what the files print, on standard error.
pub(super) const DIVIDER: u8 = 0;

/// Opens files one after the other and reports to standard output. To be called in a process of its
/// own, which the files may end. What they print goes to standard error.
///
/// # Errors
/// Standard output cannot be written: nobody listens.
pub fn try_files(files: &[PathBuf]) -> std::io::Result<()> {
    let mut report = report()?;
    for (file, path) in files.iter().enumerate() {
        say(&mut report, &Line { file, outcome: None })?;
        std::io::stderr().write_all(&[DIVIDER])?;
        let before = threads();
        let refusal = open(path).err();
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

/// Standard output under another number; its own leads to standard error from now on.
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

/// Threads of this process, 0 where that is not known.
fn threads() -> u32 {
    let tasks = std::fs::read_dir(Path::new("/proc/self/task"));
    tasks.map_or(0, |tasks| tasks.count().try_into().unwrap_or(u32::MAX))
}
