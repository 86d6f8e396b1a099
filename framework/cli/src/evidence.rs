//! Files from which the call of a model that faulted can be made again.

use std::path::{Path, PathBuf};

use simhost_engine::{Evidence, FaultReport};

use crate::exit::{Code, Failure};

/// Most files of one run.
pub const MAX_FILES: usize = 10;

/// Writes the evidence of a fault into a directory, or into that for temporary files.
///
/// # Errors
/// Why it cannot be written.
pub fn write(fault: &FaultReport, directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let temporary = std::env::temp_dir();
    let prefix = if directory.is_some() { "fault" } else { "simhost-fault" };
    let directory = directory.unwrap_or(&temporary);
    let failed = |path: &Path, error: std::io::Error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let text = serde_json::to_string_pretty(&fault.evidence)
        .expect("evidence has string keys, and its numbers are finite or texts");
    // a file that is there belongs to another run
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
    unreachable!("there is always another number")
}

/// Reads what [`write`] wrote.
///
/// # Errors
/// The file cannot be read, or is something else.
pub fn read(path: &Path) -> Result<Evidence, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", path.display()))
    })?;
    serde_json::from_str(&text).map_err(|error| {
        let text = format!(
            "{} is no evidence of a fault: {error}\nhelp: a run that meets a fault writes such a \
             file and tells its name",
            path.display()
        );
        Failure::new(Code::BadInput, text)
    })
}
