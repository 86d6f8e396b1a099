//! Opening runs with what pictures show of their worlds.

use std::path::{Path, PathBuf};

use simhost_model::Classes;
use simhost_runs::{RecordedScene, Run, RunError};
use simhost_world::{LoadError, LoadOptions, load, load_text};

use crate::error::PictureError;
use crate::scene::Scene;
use crate::signals::NamedRun;

/// The flat world of a run in its folder.
const WORLD: &str = "world.flat.xml";
/// The recording of a run in its folder.
const RECORDING: &str = "run.mcap";

impl NamedRun {
    /// Opens runs with the values of the series that `keep` accepts, without their scenes. A run has the name
    /// of its folder or of its MCAP file, or its whole path if another run has the same name.
    ///
    /// # Errors
    /// [`RunError`] if a run cannot be read.
    pub fn open_all(paths: &[PathBuf], keep: &dyn Fn(&str) -> bool) -> Result<Vec<Self>, RunError> {
        let open = |path: &PathBuf| {
            let run = Run::open(path, keep)?;
            Ok(Self { name: name_of(path, paths), run, world: None, scene: None })
        };
        paths.iter().map(open).collect()
    }

    /// Returns whether the run has a world file, which [`Self::add_scene`] reads with the classes of models.
    pub fn has_world(&self) -> bool {
        world_file(&self.run.path).is_some() || attached_world(&self.run.path).is_some()
    }

    /// Adds the scene of the run: that of its world if the classes of models are given, otherwise what its
    /// recording holds. Bodies that can move get their poses from the recording if no table has them.
    ///
    /// # Errors
    /// [`PictureError::World`] if the world in the folder of the run has errors, and [`RunError`] if its
    /// recording cannot be read. The run can be drawn without what is missing.
    pub fn add_scene(&mut self, classes: Option<&dyn Classes>) -> Result<(), PictureError> {
        let options = LoadOptions { lenient: true, ..LoadOptions::default() };
        let loaded = match (classes, world_file(&self.run.path)) {
            (Some(classes), Some(path)) => {
                let failed = |error: LoadError| {
                    let first = error.diagnostics.first().map(|first| first.message.clone());
                    PictureError::World { path: path.clone(), text: first.unwrap_or_default() }
                };
                Some(load(&path, &options, classes).map_err(failed)?)
            }
            (Some(classes), None) => attached_world(&self.run.path).and_then(|text| {
                let path = self.run.path.with_file_name(WORLD);
                load_text(&path, text.as_bytes(), &options, classes).ok()
            }),
            (None, _) => None,
        };
        let scene = match &loaded {
            Some(loaded) => Scene::new(&loaded.world),
            None => match RecordedScene::open(&self.run.path) {
                Ok(scene) => Scene::recorded(&scene),
                Err(_) => return Ok(()),
            },
        };
        let manifest = self.run.manifest.as_ref();
        let position = |vehicle: &str, wheel: &str| manifest?.wheel_position(vehicle, wheel);
        self.scene = Some(scene.with_wheels(position));
        self.world = loaded.map(|loaded| loaded.world);
        self.add_movers()
    }

    /// Adds the poses of bodies that can move from the recording in an output folder, if its tables do not have
    /// them.
    fn add_movers(&mut self) -> Result<(), PictureError> {
        let recording = self.run.path.join(RECORDING);
        let movers = self.scene.iter().flat_map(|scene| &scene.movers);
        let missing: Vec<&str> = movers
            .map(|mover| mover.quantity.as_str())
            .filter(|name| !self.run.names.iter().any(|known| known == name))
            .collect();
        if !missing.is_empty() && recording.is_file() {
            let run = Run::open(&recording, &|name| missing.contains(&name))?;
            self.run.series.extend(run.series);
        }
        Ok(())
    }
}

/// Returns the path of the flat world of a run, if there is one.
fn world_file(run: &Path) -> Option<PathBuf> {
    let folder = if run.is_dir() { run } else { run.parent()? };
    Some(folder.join(WORLD)).filter(|path| path.is_file())
}

/// Returns the text of the world that is attached to a recording.
fn attached_world(run: &Path) -> Option<String> {
    simhost_runs::attached_world(run).ok().flatten()
}

/// Returns the name of a run among others.
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
