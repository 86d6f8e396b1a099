//! Looks through plugin directories.

use std::path::{Path, PathBuf};

use simhost_abi::Plugin;

use crate::library::{Refusal, open};

/// A file that is not used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub refusal: Refusal,
}

/// A directory that cannot be looked through.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot read the plugin directory {}: {source}; give an existing directory with --plugin-dir \
     or SIMHOST_PLUGIN_PATH",
    path.display()
)]
pub struct ScanError {
    path: PathBuf,
    source: std::io::Error,
}

/// A plugin that was found.
pub(crate) struct Found {
    pub path: PathBuf,
    pub plugin: &'static Plugin,
}

/// Opens every shared library of a directory, in the order of names. Symbolic links are followed,
/// folders within are not entered.
pub(crate) fn scan(
    directory: &Path,
    found: &mut Vec<Found>,
    skipped: &mut Vec<Skipped>,
    seen: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), ScanError> {
    let fail = |source| ScanError { path: directory.to_path_buf(), source };
    let mut paths = std::fs::read_dir(directory)
        .map_err(fail)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(fail)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            continue;
        }
        match examine(&path, seen) {
            Ok(plugin) => found.push(Found { path, plugin }),
            Err(refusal) => skipped.push(Skipped { path, refusal }),
        }
    }
    Ok(())
}

fn examine(path: &Path, seen: &mut Vec<(PathBuf, PathBuf)>) -> Result<&'static Plugin, Refusal> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !name.ends_with(std::env::consts::DLL_SUFFIX) {
        return Err(Refusal::NotALibraryName);
    }
    let real = path.canonicalize().map_err(|error| Refusal::Unreadable(error.to_string()))?;
    if let Some((_, first)) = seen.iter().find(|(known, _)| *known == real) {
        return Err(Refusal::Repeated(first.display().to_string()));
    }
    seen.push((real.clone(), path.to_path_buf()));
    open(&real)
}
