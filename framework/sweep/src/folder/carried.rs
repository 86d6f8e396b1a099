//! What chunks need, next to the rows, so that the folder can be simulated anywhere.
//!
//! | File | Content |
//! |---|---|
//! | `carried/files.json` | where the others are |
//! | `carried/world/…` | the world file with all files that it refers to, arranged as they were |
//! | `carried/commands.csv` | the command file |
//! | `carried/plugins/SHA256.so` | the plugins that the world uses |

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use simhost_registry::page::sha256;

use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::study::Study;

/// Name of the folder.
const FOLDER: &str = "carried";
/// Name of the list in it.
const LIST: &str = "files.json";

/// Content of the list. Paths are relative to its folder.
#[derive(Debug, Serialize, Deserialize)]
struct CarriedFiles {
    world: PathBuf,
    commands: Option<PathBuf>,
}

/// Copies what the runs of a plan need into the folder of its study.
pub fn write(folder: &Path, plan: &StudyPlan) -> Result<(), StudyError> {
    remove(folder)?;
    let own = folder.join(FOLDER);
    let study = plan.study();
    let world = absolute(&study.world)?;
    let mut files: BTreeSet<PathBuf> = BTreeSet::from([world.clone()]);
    for file in plan.world_files() {
        files.insert(absolute(&file)?);
    }
    let root = common_folder(&files);
    let place = |file: &Path| Path::new("world").join(file.strip_prefix(&root).unwrap_or(file));
    for file in &files {
        copy(file, &own.join(place(file)))?;
    }
    plan.plugin_paths().iter().try_for_each(|library| copy_plugin(library, &own))?;
    let commands = study.commands.as_ref().map(|_| PathBuf::from("commands.csv"));
    if let (Some(from), Some(to)) = (&study.commands, &commands) {
        copy(from, &own.join(to))?;
    }
    // the list is there when all files are
    let list = CarriedFiles { world: place(&world), commands };
    let text = serde_json::to_string_pretty(&list).expect("paths are texts");
    let path = own.join(LIST);
    simhost_files::write(&path, text + "\n").map_err(StudyError::write(&path))
}

/// Lets a study use what its folder carries, if it does.
pub fn use_in(folder: &Path, study: &mut Study) -> Result<(), StudyError> {
    let own = std::path::absolute(folder.join(FOLDER)).map_err(StudyError::read(folder))?;
    let path = own.join(LIST);
    if !path.exists() {
        return Ok(());
    }
    let text = simhost_files::read(&path, simhost_files::MAX_DATA_BYTES)
        .map_err(StudyError::read(&path))?;
    let list: CarriedFiles = serde_json::from_slice(&text).map_err(|error| {
        let problem = format!("not the list of the files of a study: {error}");
        StudyError::Content { path, problem }
    })?;
    study.world = own.join(list.world);
    study.commands = list.commands.map(|file| own.join(file));
    let plugins = own.join("plugins");
    study.plugin_dirs = Vec::from_iter(plugins.is_dir().then_some(plugins));
    Ok(())
}

/// Removes what a folder carries.
pub fn remove(folder: &Path) -> Result<(), StudyError> {
    let own = folder.join(FOLDER);
    match own.exists() {
        true => std::fs::remove_dir_all(&own).map_err(StudyError::write(&own)),
        false => Ok(()),
    }
}

/// Returns an absolute path without `..`, as files refer to each other.
fn absolute(path: &Path) -> Result<PathBuf, StudyError> {
    let path = std::path::absolute(path).map_err(StudyError::read(path))?;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    Ok(plain)
}

fn copy(from: &Path, to: &Path) -> Result<(), StudyError> {
    let parent = to.parent().unwrap_or(to);
    std::fs::create_dir_all(parent).map_err(StudyError::write(parent))?;
    std::fs::copy(from, to).map(drop).map_err(StudyError::write(to))
}

/// Copies a plugin to a file with the name of its SHA-256.
fn copy_plugin(library: &Path, own: &Path) -> Result<(), StudyError> {
    let sum = sha256(library).ok_or_else(|| {
        let problem = "cannot read the plugin; expected a library".to_owned();
        StudyError::Content { path: library.to_owned(), problem }
    })?;
    let mut name = PathBuf::from(sum);
    name.set_extension(library.extension().unwrap_or_default());
    copy(library, &own.join("plugins").join(name))
}

/// Returns the innermost folder that has all files.
fn common_folder(files: &BTreeSet<PathBuf>) -> PathBuf {
    let mut folders = files.iter().filter_map(|file| file.parent());
    let first = folders.next().unwrap_or(Path::new("/")).to_owned();
    folders.fold(first, |common, folder| {
        let shared = common.components().zip(folder.components());
        shared.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
    })
}
