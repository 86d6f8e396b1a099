//! Evidence files, from which the call in which a model faulted can be repeated.

use std::path::{Path, PathBuf};

use simhost_engine::{Evidence, FaultReport};

use crate::process::{Code, Failure};

/// Largest number of evidence files per run.
pub const MAX_FILES: usize = 10;

/// Writes the evidence of a fault into a directory, or into the directory for temporary files.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write(fault: &FaultReport, directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let temporary = std::env::temp_dir();
    let prefix = if directory.is_some() { "fault" } else { "simhost-fault" };
    write_text(&fault.evidence.to_text(), directory.unwrap_or(&temporary), prefix)
}

/// Writes the content of an evidence file into a directory, as `PREFIX-N.json`.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_text(text: &str, directory: &Path, prefix: &str) -> Result<PathBuf, Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    // an existing file belongs to another run
    for number in 1.. {
        let path = directory.join(format!("{prefix}-{number}.json"));
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                use std::io::Write;
                file.write_all(text.as_bytes()).map_err(|error| failed(&path, error))?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&path, error)),
        }
    }
    unreachable!("the range of numbers has no end")
}

/// Reads a file written by [`write()`].
///
/// # Errors
/// Fails if the file cannot be read or is not an evidence file.
pub fn read(path: &Path) -> Result<Evidence, Failure> {
    let text = simhost_files::read_text(path, simhost_files::MAX_BYTES).map_err(|error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", path.display()))
    })?;
    serde_json::from_str(&text).map_err(|error| {
        let text = format!(
            "{} is not an evidence file: {error}\nhelp: name a `fault-N.json` file that a run wrote \
             after a fault",
            path.display()
        );
        Failure::new(Code::BadInput, text)
    })
}
