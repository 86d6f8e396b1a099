//! Runs that verbs read, with their worlds, and files that they write about them.

use std::path::{Path, PathBuf};

use simhost_model::Classes;
use simhost_pictures::NamedRun;
use simhost_runs::RunFiles;

use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{catalogue, terminal, working_folder};

/// Reads runs, with the values of the series that `keep` accepts, and their scenes.
///
/// # Errors
/// Fails with code 12 if one cannot be read.
pub fn open(
    paths: &[PathBuf],
    models: &Models,
    keep: &dyn Fn(&str) -> bool,
) -> Result<Vec<NamedRun>, Failure> {
    let failed = |error| Failure::new(Code::BadInput, error);
    let mut runs = NamedRun::open_all(paths, keep).map_err(failed)?;
    runs.iter().flat_map(|named| &named.run.notes).for_each(|note| terminal::warning(note));
    let catalogue = match runs.iter().any(NamedRun::has_world) {
        true => Some(catalogue::search(models, false)?),
        false => None,
    };
    for named in &mut runs {
        let classes = catalogue.as_ref().map(|catalogue| catalogue as &dyn Classes);
        if let Err(error) = named.add_scene(classes) {
            terminal::warning(&error.to_string());
        }
        working_folder::restore();
    }
    Ok(runs)
}

/// Returns the path of a file to write: the file of `--out`, or a file in the folder of a run.
///
/// # Errors
/// Fails with code 13 if the file exists, unless `force`.
pub fn output(out: Option<&Path>, run: &Path, name: &str, force: bool) -> Result<PathBuf, Failure> {
    let path = out.map_or_else(|| RunFiles::at(run).folder().join(name), Path::to_owned);
    if path.is_dir() {
        let text = format!("{} is a directory; expected a file name", path.display());
        return Err(Failure::new(Code::Output, text));
    }
    if path.exists() && !force {
        let text = format!(
            "{} exists already\nhelp: replace it with --force, or choose another file with --out",
            path.display()
        );
        return Err(Failure::new(Code::Output, text));
    }
    Ok(path)
}

/// Writes a file, and reports it on standard output.
///
/// # Errors
/// Fails with code 13.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
    })?;
    terminal::result(&format!("wrote {}", path.display()))
}

/// Returns the extension of a file in lower case.
///
/// # Errors
/// Fails with code 2 if it is not one of `expected`.
pub fn extension(path: &Path, expected: &[&'static str]) -> Result<&'static str, Failure> {
    let found = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    expected.iter().find(|known| **known == found).copied().ok_or_else(|| {
        let list: Vec<String> = expected.iter().map(|known| format!(".{known}")).collect();
        let found =
            if found.is_empty() { "no extension".to_owned() } else { format!("`.{found}`") };
        let text = format!("{} has {found}; expected {}", path.display(), list.join(" or "));
        Failure::new(Code::Usage, text)
    })
}
