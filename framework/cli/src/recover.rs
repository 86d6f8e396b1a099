//! `simhost recover`: completes the MCAP files of a run that was killed.

use std::path::{Path, PathBuf};

use clap::Args;
use simhost_mcap::Recovered;

use crate::process::{Code, Failure};
use crate::terminal;

/// Arguments of `simhost recover`.
#[derive(Args, Clone, Debug)]
pub struct Recover {
    /// Output directory of a run, or an MCAP file.
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,
}

/// Completes a file, or all files of a folder.
pub fn recover(arguments: &Recover) -> Result<Code, Failure> {
    for file in files(&arguments.path)? {
        let recovered = simhost_mcap::recover(&file).map_err(|error| {
            let code = match error {
                simhost_mcap::McapError::Write { .. } => Code::Output,
                _ => Code::BadInput,
            };
            Failure::new(code, error)
        })?;
        terminal::result(&format!("{}: {}", file.display(), describe(recovered)))?;
    }
    Ok(Code::Done)
}

/// Returns the MCAP files that a path stands for, in the order of their names.
fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", path.display()))
    };
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|extension| extension == "mcap") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let path = path.display();
        let text = format!(
            "{path} has no MCAP file; expected run.mcap\nhelp: only a run with `--mcap` writes one; \
             CSV files need no recovery"
        );
        return Err(Failure::new(Code::BadInput, text));
    }
    Ok(files)
}

fn describe(recovered: Recovered) -> String {
    let Recovered { was_complete, messages, last, removed } = recovered;
    let content = match last {
        Some(last) => format!("{messages} messages up to {} s", last as f64 / 1e9),
        None => "no messages".to_owned(),
    };
    match (was_complete, removed) {
        (true, _) => format!("complete, {content}"),
        (false, 0) => format!("recovered {content}"),
        (false, removed) => {
            format!("recovered {content}; removed {removed} bytes after the last whole chunk")
        }
    }
}
