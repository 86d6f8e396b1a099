//! The record of a run while it is made.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use simhost_engine::{Collision, Limits, Simulation, Snapshot, Stop};
use simhost_record::{INPUTS_FILE, MANIFEST_FILE, RecordError, WORLD_FILE};
use simhost_registry::Catalogue;
use simhost_registry::page::{PluginPage, sha256};
use simhost_scene::Pose2;
use simhost_streams::Input;
use simhost_world::{LoadOptions, World};

use crate::gpu::Gpu;

use super::error::OutputError;
use super::folder::Folder;
use super::manifest::{
    Choices, CollisionEntry, End, Manifest, MoverEntry, NamedFile, PluginFile, VehicleEntry,
    WheelEntry,
};
use super::out::Out;
use super::{Host, models};

/// Constituents of a run.
pub struct Recipe<'a> {
    /// Path of the world file.
    pub path: &'a Path,
    /// Description of the world.
    pub world: &'a World,
    /// The world as one file; `None` for a world that a program has built.
    pub flat: Option<&'a str>,
    /// Files that the world refers to.
    pub files: &'a [PathBuf],
    /// Models that were available.
    pub catalogue: &'a Catalogue,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Options for reading the world.
    pub load: &'a LoadOptions,
    /// Limits beyond which a state counts as diverged.
    pub limits: &'a Limits,
    /// GPU that casts rays.
    pub gpu: &'a Gpu,
    /// The request to record.
    pub out: &'a Out,
}

/// The record of a run in its folder: the manifest, the world and the inputs.
pub struct RunRecord {
    folder: Folder,
    manifest: Manifest,
    gpu: Gpu,
    has_started: bool,
    /// First line of the error that ended the run.
    failure: Option<String>,
}

impl RunRecord {
    /// Begins the record: sets the record of an earlier run aside, see [`Self::start`], and writes
    /// the world and the manifest without its end.
    ///
    /// # Errors
    /// [`OutputError`] if a file cannot be written.
    pub fn begin(
        mut folder: Folder,
        recipe: &Recipe<'_>,
        simulation: &Simulation,
    ) -> Result<Self, OutputError> {
        folder.clear()?;
        let write = |name: &str, bytes: &[u8]| {
            let written = simhost_files::write(&folder.path().join(name), bytes);
            written.map_err(|source| RecordError::Create { path: folder.shown(name), source })
        };
        match recipe.flat {
            Some(flat) => write(WORLD_FILE, flat.as_bytes())?,
            None => drop(std::fs::remove_file(folder.path().join(WORLD_FILE))),
        }
        let manifest = recipe.manifest(simulation);
        manifest.write(folder.path())?;
        let gpu = recipe.gpu.clone();
        Ok(Self { folder, manifest, gpu, has_started: false, failure: None })
    }

    /// Removes the record of an earlier run, because this one has taken its first sample. Before, the earlier
    /// one comes back if this one is dropped or finished. Adds what models have measured to the manifest.
    ///
    /// # Errors
    /// [`OutputError`] if the manifest cannot be written.
    pub fn start(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        self.folder.start();
        if !std::mem::replace(&mut self.has_started, true) {
            let measured = vehicles(simulation);
            if measured != self.manifest.vehicles {
                self.manifest.vehicles = measured;
                self.manifest.write(self.folder.path())?;
            }
        }
        Ok(())
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the names and contents of the manifest and, if there is one, of the world.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let world = simhost_files::read(
            &self.folder.path().join(WORLD_FILE),
            simhost_files::MAX_DATA_BYTES,
        )
        .ok();
        let world = world.filter(|_| self.manifest.flat_world_sha256.is_some());
        let manifest = (MANIFEST_FILE, self.manifest.to_bytes());
        std::iter::once(manifest).chain(world.map(|world| (WORLD_FILE, world))).collect()
    }

    /// Lists further files of the run, so that a later run in the folder removes them even if this one is
    /// killed.
    ///
    /// # Errors
    /// [`OutputError`] if the manifest cannot be written.
    pub fn announce(&mut self, files: &[PathBuf]) -> Result<(), OutputError> {
        let before = self.manifest.files.len();
        self.list(files);
        match self.manifest.files.len() == before {
            true => Ok(()),
            false => Ok(self.manifest.write(self.folder.path())?),
        }
    }

    /// Adds the files that are in the folder.
    fn list(&mut self, files: &[PathBuf]) {
        let mut known: BTreeSet<String> = self.manifest.files.iter().cloned().collect();
        let (shown, path) = (self.folder.shown(""), self.folder.path());
        for file in files {
            let name = file.strip_prefix(&shown).or_else(|_| file.strip_prefix(path));
            let name = name.ok().and_then(|name| name.to_str()).map(str::to_owned);
            if let Some(name) = name
                && known.insert(name.clone())
            {
                self.manifest.files.push(name);
            }
        }
    }

    /// Adds an input that acts after `step` completed steps, see [`Self::flush`].
    pub fn add(&mut self, step: u64, before_start: bool, input: &Input) {
        self.folder.inputs.add(step, before_start, input);
    }

    /// Hands the added inputs to the operating system. Must return before they act.
    ///
    /// # Errors
    /// [`OutputError`] if they cannot be written.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        Ok(self.folder.inputs.flush()?)
    }

    /// Writes a snapshot for an input that returns to it. Returns the name of the file.
    ///
    /// # Errors
    /// [`OutputError`] if it cannot be written.
    pub fn keep(&mut self, snapshot: &Snapshot) -> Result<String, OutputError> {
        let name = format!("state-{:032x}.snapshot", snapshot.state_hash());
        let path = self.folder.path().join(&name);
        if !path.exists() {
            simhost_files::write(&path, snapshot.to_bytes())
                .map_err(|source| RecordError::Create { path: self.folder.shown(&name), source })?;
        }
        self.list(&[path]);
        Ok(name)
    }

    /// Notes the error that ends the run.
    pub fn fail(&mut self, error: &str) {
        self.failure = Some(error.to_owned());
    }

    /// Writes the end of the run into the manifest: the present state, the request of an observer that
    /// ended it, and all files that the run has written. Returns the paths of the files of the record.
    ///
    /// # Errors
    /// [`OutputError`] if a file cannot be written.
    pub fn finish(
        mut self,
        simulation: &Simulation,
        stop: Option<&Stop>,
        files: &[PathBuf],
    ) -> Result<Vec<PathBuf>, OutputError> {
        self.flush()?;
        self.list(files);
        if self.folder.keeps_earlier() {
            // files that are removed when the folder is dropped
            self.manifest.write(self.folder.path())?;
            return Ok(Vec::new());
        }
        let clock = simulation.clock();
        let state_hash = simulation.state_hash().ok();
        self.manifest.gpu = self.gpu.entry(simulation);
        self.manifest.end = Some(End {
            step: clock.steps,
            time_s: clock.time(),
            state_hash: state_hash.map(|hash| format!("{hash:032x}")),
            result_hash: format!("{:032x}", simulation.result_hash()),
            inputs: self.folder.inputs.count(),
            error: self.failure,
            stopped_by: stop.map(|stop| stop.observer.clone()),
            reason: stop.map(|stop| stop.reason.clone()),
            collisions: simulation.touches().collisions().iter().map(collision).collect(),
            movers: simulation.movers().map(mover).collect(),
        });
        self.manifest.write(self.folder.path())?;
        let own = [MANIFEST_FILE, WORLD_FILE, INPUTS_FILE];
        let is_written = |name: &&str| self.manifest.files.iter().any(|file| file == name);
        Ok(own.into_iter().filter(is_written).map(|name| self.folder.shown(name)).collect())
    }
}

impl Recipe<'_> {
    /// Returns the manifest of a run that begins.
    pub fn manifest(&self, simulation: &Simulation) -> Manifest {
        let Self { world, catalogue, out, .. } = self;
        let folders = catalogue.folders().iter();
        let folders = folders.map(|folder| absolute(&folder.path).display().to_string()).collect();
        let own = [(MANIFEST_FILE, true), (WORLD_FILE, self.flat.is_some()), (INPUTS_FILE, true)];
        let own = own.iter().filter(|(_, is_written)| *is_written);
        let mut options = Choices::of(self.load, self.limits);
        options.builtin_off.clone_from(&out.builtin_off);
        options.watch = out.watch;
        options.gpu = self.gpu.mode().to_string();
        Manifest {
            simhost: env!("CARGO_PKG_VERSION").to_owned(),
            abi_epoch: simhost_abi::EPOCH,
            world: file_name(self.path),
            world_sha256: sha256(self.path),
            flat_world_sha256: self.flat.map(|flat| hex(flat.as_bytes())),
            profile: world.settings.profile.name.to_owned(),
            seed: self.seed,
            timestep_s: simulation.clock().dt,
            options,
            output: out.output.clone(),
            commands: out.commands.as_deref().map(named),
            resumed: out.resumed.clone(),
            assets: self.files.iter().map(|file| named(file)).collect(),
            plugins: plugins(catalogue, &models::sources(world)),
            models: models::entries(world),
            vehicles: vehicles(simulation),
            gpu: self.gpu.entry(simulation),
            host: Host::of_process(folders),
            files: own.map(|(name, _)| (*name).to_owned()).collect(),
            end: None,
        }
    }
}

fn collision(found: &Collision) -> CollisionEntry {
    let Collision { time, vehicle, other } = found.clone();
    CollisionEntry { time_s: time, vehicle, with: other }
}

fn mover((name, pose): (&str, Pose2)) -> MoverEntry {
    let Pose2 { x, y, yaw } = pose;
    MoverEntry { name: name.to_owned(), position_m: [x, y], yaw_rad: yaw }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn named(path: &Path) -> NamedFile {
    NamedFile { file: file_name(path), sha256: sha256(path) }
}

/// Returns the SHA-256 of bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the plugins that can be used, without the built-in models, and whether a world uses them.
pub fn plugin_files(world: &World, catalogue: &Catalogue) -> Vec<PluginFile> {
    plugins(catalogue, &models::sources(world))
}

/// Returns the plugins that can be used, without the built-in models. `used` are the paths of the files
/// whose models a world uses.
pub(super) fn plugins(catalogue: &Catalogue, used: &BTreeSet<&str>) -> Vec<PluginFile> {
    let usable = catalogue.libraries().iter().filter(|library| library.refusal.is_none());
    usable
        .filter_map(|library| {
            let file = library.file.as_deref()?;
            let PluginPage { vendor, name, version, sha256, .. } = PluginPage::of(library)?;
            Some(PluginFile {
                file: file_name(file),
                vendor: vendor.to_owned(),
                name: name.to_owned(),
                version: version.to_owned(),
                sha256,
                is_used: used.contains(&*file.display().to_string()),
            })
        })
        .collect()
}

fn vehicles(simulation: &Simulation) -> Vec<VehicleEntry> {
    let names = simulation.vehicle_names().iter();
    let mut wheels = simulation.wheels().peekable();
    names
        .zip(simulation.bodies())
        .map(|(name, body)| VehicleEntry {
            name: name.clone(),
            mass_kg: body.mass,
            yaw_inertia_kgm2: body.yaw_inertia,
            centre_of_mass_m: body.centre,
            wheels: std::iter::from_fn(|| wheels.next_if(|wheel| wheel.vehicle == name))
                .map(|wheel| WheelEntry {
                    name: wheel.wheel.to_owned(),
                    position_m: wheel.position,
                })
                .collect(),
        })
        .collect()
}
