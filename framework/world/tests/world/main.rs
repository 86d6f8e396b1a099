//! Valid and invalid world files, loaded with a catalogue of test models.
#![allow(clippy::unwrap_used)]

mod binding;
mod catalogue;
mod classes;
mod crowd;
mod expansion;
mod files;
mod fingerprint;
mod flat;
mod language;
mod limits;
mod mistakes;
mod schema;
mod speed;
mod surroundings;
mod vehicles;

use std::path::Path;

use catalogue::Catalogue;
use simhost_world::{LoadError, LoadOptions, Loaded, load};

/// Loads a world and the files next to it from a new directory.
fn world_with(
    text: &str,
    files: &[(&str, &str)],
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let path = directory.path().join("world.xml");
    std::fs::write(&path, text).unwrap();
    load(&path, options, &Catalogue::new())
}

fn world(text: &str) -> Result<Loaded, LoadError> {
    world_with(text, &[], &LoadOptions::default())
}

/// Loads a world with one vehicle that has the given elements.
fn vehicle(tags: &str) -> Result<Loaded, LoadError> {
    world(&format!(
        "<mvsim_world version=\"1.0\"><vehicle name=\"r\"><init_pose>0 0 0</init_pose>{tags}\
         </vehicle></mvsim_world>"
    ))
}

/// Returns the text of all errors.
fn errors(result: Result<Loaded, LoadError>) -> String {
    match result {
        Ok(loaded) => panic!("no error: {:?}", loaded.warnings),
        Err(error) => error.to_string(),
    }
}

fn compat() -> LoadOptions {
    LoadOptions { compat: Some("mvsim-1.2".to_owned()), ..LoadOptions::default() }
}

/// Returns the text of all warnings.
fn warnings(loaded: &Loaded) -> String {
    let render = |d: &simhost_world::Diagnostic| d.render(&loaded.sources, false);
    loaded.warnings.iter().map(render).collect::<Vec<_>>().join("\n")
}

/// Returns the folder outside the repository that an environment variable names.
fn folder(variable: &str) -> Option<std::path::PathBuf> {
    std::env::var_os(variable).map(|path| Path::new(&path).to_owned())
}
