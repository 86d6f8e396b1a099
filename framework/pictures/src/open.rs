//! Opening runs with what pictures show of their worlds.

use std::path::{Path, PathBuf};

use simhost_model::Classes;
use simhost_runs::{Manifest, RecordedScene, Run, RunError, RunFiles, RunWorld};
use simhost_world::{LoadError, LoadOptions, load, load_text};

use crate::error::PictureError;
use crate::scene::Scene;
use crate::signals::NamedRun;

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
        matches!(self.run.files().world(), Ok(Some(_)))
    }

    /// Adds the scene of the run: from its world if the classes of models are given, otherwise from
    /// its recording. Movable bodies get their poses from the recording if no table has them.
    ///
    /// # Errors
    /// [`PictureError::World`] if the world in the folder of the run has errors, and [`RunError`] if its
    /// recording cannot be read. The run can be drawn without what is missing.
    pub fn add_scene(&mut self, classes: Option<&dyn Classes>) -> Result<(), PictureError> {
        let options = LoadOptions { lenient: true, ..LoadOptions::default() };
        let files = self.run.files();
        let loaded = match (classes, files.world().ok().flatten()) {
            (Some(classes), Some(RunWorld::File(path))) => {
                let failed = |error: LoadError| {
                    let first = error.diagnostics.first().map(|first| first.message.clone());
                    PictureError::World { path: path.clone(), text: first.unwrap_or_default() }
                };
                Some(load(&path, &options, classes).map_err(failed)?)
            }
            (Some(classes), Some(RunWorld::Text(path, text))) => {
                load_text(&path, text.as_bytes(), &options, classes).ok()
            }
            _ => None,
        };
        let recorded = || RecordedScene::open(&files.recording()?).ok();
        let scene = match &loaded {
            Some(loaded) => Scene::new(&loaded.world),
            None => {
                let Some(scene) = recorded() else { return Ok(()) };
                Scene::recorded(&scene)
            }
        };
        let manifest = self.run.manifest.as_ref();
        let position = |vehicle: &str, wheel: &str| manifest?.wheel_position(vehicle, wheel);
        let ends = manifest.map(Manifest::movers).unwrap_or_default();
        self.scene = Some(scene.with_wheels(position).with_ends(&ends));
        self.world = loaded.map(|loaded| loaded.world);
        self.add_movers()
    }

    /// Adds the poses of bodies that can move from the recording in an output folder, if its tables do not have
    /// them.
    fn add_movers(&mut self) -> Result<(), PictureError> {
        let recording = self.run.files().recording().filter(|_| self.run.path.is_dir());
        let movers = self.scene.iter().flat_map(|scene| &scene.movers);
        let missing: Vec<&str> = movers
            .map(|mover| mover.quantity.as_str())
            .filter(|name| !self.run.names.iter().any(|known| known == name))
            .collect();
        if let Some(recording) = recording.filter(|_| !missing.is_empty()) {
            let run = Run::open(&recording, &|name| missing.contains(&name))?;
            self.run.series.extend(run.series);
        }
        Ok(())
    }
}

/// Returns the name of a run among others.
fn name_of(path: &Path, all: &[PathBuf]) -> String {
    let last = |path: &Path| RunFiles::at(path).name();
    let own = last(path);
    let is_alone = all.iter().filter(|other| last(other) == own).count() == 1;
    own.filter(|_| is_alone).unwrap_or_else(|| path.display().to_string())
}
