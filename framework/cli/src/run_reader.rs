//! Runs that verbs read, with their worlds, and files that they write about them.

use std::path::{Path, PathBuf};

use simhost_pictures::{NamedRun, Scene};
use simhost_runs::{RecordedScene, Run, RunError};
use simhost_world::LoadOptions;

use crate::arguments::Models;
use crate::exit::{Code, Failure};
use crate::{catalogue, terminal, working_folder};

/// The flat world of a run in its folder.
const WORLD: &str = "world.flat.xml";
/// The recording of a run in its folder.
const RECORDING: &str = "run.mcap";

/// Reads runs, with the values of the series that `keep` accepts.
///
/// # Errors
/// Fails with code 12 if one cannot be read.
pub fn open(
    paths: &[PathBuf],
    models: &Models,
    keep: &dyn Fn(&str) -> bool,
) -> Result<Vec<NamedRun>, Failure> {
    let mut runs = Vec::new();
    for path in paths {
        let run = Run::open(path, keep).map_err(|error| failure(&error))?;
        for note in &run.notes {
            terminal::warning(note);
        }
        let name = name_of(path, paths);
        runs.push(NamedRun { name, run, scene: None });
    }
    let mut catalogue = None;
    for named in &mut runs {
        let (world, attached) = match world_of(&named.run.path) {
            Some(world) => (world, None),
            None => match attached_world(&named.run.path) {
                Some((folder, world)) => (world, Some(folder)),
                None => {
                    add_recorded_scene(named);
                    continue;
                }
            },
        };
        if catalogue.is_none() {
            catalogue = Some(catalogue::search(models, false)?);
        }
        let Some(catalogue) = &catalogue else { continue };
        let options = LoadOptions { lenient: true, ..LoadOptions::default() };
        let loaded = simhost_world::load(&world, &options, catalogue);
        working_folder::restore();
        match loaded {
            Ok(loaded) => {
                let manifest = named.run.manifest.as_ref();
                let position =
                    |vehicle: &str, wheel: &str| manifest?.wheel_position(vehicle, wheel);
                named.scene = Some(Scene::new(&loaded.world).with_wheels(position));
                add_movers(named);
            }
            Err(_) if attached.is_some() => add_recorded_scene(named),
            Err(error) => {
                let first = error.diagnostics.first().map(|first| first.message.clone());
                terminal::warning(&format!(
                    "cannot read {}, so the picture has no obstacles and outlines: {}",
                    world.display(),
                    first.unwrap_or_default()
                ));
            }
        }
    }
    Ok(runs)
}

/// Writes the world that is attached to a recording to a temporary folder. `None` if there is none.
fn attached_world(run: &Path) -> Option<(tempfile::TempDir, PathBuf)> {
    let text = simhost_runs::attached_world(run).ok().flatten()?;
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join(WORLD);
    std::fs::write(&path, text).ok()?;
    Some((folder, path))
}

/// Adds the scene that a recording holds, which shows less than its world.
fn add_recorded_scene(named: &mut NamedRun) {
    if let Ok(scene) = RecordedScene::open(&named.run.path) {
        let manifest = named.run.manifest.as_ref();
        let position = |vehicle: &str, wheel: &str| manifest?.wheel_position(vehicle, wheel);
        named.scene = Some(Scene::recorded(&scene).with_wheels(position));
    }
}

/// Adds the poses of bodies that can move from the recording in an output folder, if its CSV files do not
/// have them.
fn add_movers(named: &mut NamedRun) {
    let recording = named.run.path.join(RECORDING);
    let movers = named.scene.iter().flat_map(|scene| &scene.movers);
    let missing: Vec<&str> = movers
        .map(|mover| mover.quantity.as_str())
        .filter(|name| !named.run.names.iter().any(|known| known == name))
        .collect();
    if missing.is_empty() || !recording.is_file() {
        return;
    }
    match Run::open(&recording, &|name| missing.contains(&name)) {
        Ok(run) => named.run.series.extend(run.series),
        Err(error) => terminal::warning(&error.to_string()),
    }
}

/// Returns the failure for a run that cannot be read.
pub fn failure(error: &RunError) -> Failure {
    Failure::new(Code::BadInput, error)
}

/// Returns the path of the flat world of a run, if there is one.
fn world_of(run: &Path) -> Option<PathBuf> {
    let folder = if run.is_dir() { run } else { run.parent()? };
    Some(folder.join(WORLD)).filter(|path| path.is_file())
}

/// Returns the name of a run in pictures: that of its folder or of its MCAP file, or the whole path if
/// others have the same name.
fn name_of(path: &Path, all: &[PathBuf]) -> String {
    let last = |path: &Path| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = absolute.parent().and_then(Path::file_name);
        let stem = match path.is_dir() {
            true => absolute.file_name(),
            // every folder has a file of this name
            false if path.ends_with(RECORDING) => folder,
            false => absolute.file_stem(),
        };
        stem.map(|name| name.to_string_lossy().into_owned())
    };
    let own = last(path);
    let is_alone = all.iter().filter(|other| last(other) == own).count() == 1;
    own.filter(|_| is_alone).unwrap_or_else(|| path.display().to_string())
}

/// Returns the path of a file to write: that of `--out`, or a file in the folder of a run.
///
/// # Errors
/// Fails with code 13 if the file exists, unless `force`.
pub fn output(out: Option<&Path>, run: &Path, name: &str, force: bool) -> Result<PathBuf, Failure> {
    let folder = if run.is_dir() { run } else { run.parent().unwrap_or(Path::new(".")) };
    let path = out.map_or_else(|| folder.join(name), Path::to_owned);
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
