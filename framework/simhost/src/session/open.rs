//! Opening a session.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use simhost_engine::{Observers, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, Loaded, World};

use super::{Control, Recording, Session};
use crate::bus::Bus;
use crate::description::Description;
use crate::error::Error;
use crate::hooks::{Active, Hooks};
use crate::inputs::{Directory, Inputs};
use crate::log::Log;
use crate::options::Options;
use crate::pace::Pacer;
use crate::plugins;
use crate::streams::{self, Reads};

impl Session {
    /// Opens a world file.
    ///
    /// # Errors
    /// [`Error`] if a plugin folder or the world file cannot be read, or the world has errors.
    pub fn open(path: impl AsRef<Path>, mut options: Options) -> Result<Self, Error> {
        options.load.flatten |= options.out.is_some();
        let catalogue = catalogue(&options)?;
        let load = LoadOptions { keep_tree: true, ..options.load.clone() };
        let loaded = simhost_world::load(path.as_ref(), &load, &catalogue)?;
        Self::from_loaded(loaded, catalogue, options)
    }

    /// Opens a world from the text of a world file. Relative paths in it start at the folder of `path`,
    /// a file that need not exist.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_text(
        text: &str,
        path: impl AsRef<Path>,
        mut options: Options,
    ) -> Result<Self, Error> {
        options.load.flatten |= options.out.is_some();
        let catalogue = catalogue(&options)?;
        let (path, text) = (path.as_ref(), text.as_bytes());
        let load = LoadOptions { keep_tree: true, ..options.load.clone() };
        let loaded = simhost_world::load_text(path, text, &load, &catalogue)?;
        Self::from_loaded(loaded, catalogue, options)
    }

    /// Opens a world that has been loaded with the models of `catalogue`.
    ///
    /// # Errors
    /// [`Error::Build`] if a model rejects its parameters or a body cannot exist, and
    /// [`Error::Observer`] if an observer cannot be created.
    pub fn from_loaded(
        mut loaded: Loaded,
        catalogue: Catalogue,
        options: Options,
    ) -> Result<Self, Error> {
        let (flat, files) = (loaded.flat.take(), loaded.files.clone());
        let description = Description::new(loaded, options.load.clone(), catalogue.clone());
        let mut session = Self::new(description, catalogue, options)?;
        session.claim_output(flat, files)?;
        Ok(session)
    }

    /// Opens a world that a program has built. It has no texts, so errors have no positions.
    ///
    /// # Errors
    /// As [`Self::from_loaded`].
    pub fn from_world(world: World, catalogue: Catalogue, options: Options) -> Result<Self, Error> {
        let description = Description::of_world(world, options.load.clone(), catalogue.clone());
        let mut session = Self::new(description, catalogue, options)?;
        session.claim_output(None, Vec::new())?;
        Ok(session)
    }

    pub(super) fn new(
        description: Description,
        catalogue: Catalogue,
        options: Options,
    ) -> Result<Self, Error> {
        let _log = options.log.as_ref().map(Log::enter);
        let seed = options.seed.or(description.world.settings.seed).unwrap_or(0);
        let simulation = simulation(&description, &options, seed)?;
        if let Some(error) = streams::check(&description.world, &simulation) {
            return Err(description.world_error(error));
        }
        let observers = Observers::new(&description.world, &simulation)
            .map_err(|error| description.observer_error(error))?;
        let pacer = Pacer::new(options.clock);
        let inputs =
            Inputs::new(directory(&simulation, Some(&description)), pacer.status().clone());
        inputs.set_seed(seed);
        let duration = description.world.settings.duration;
        let session = Self {
            simulation,
            duration,
            hooks: Hooks::default(),
            active: Active::default(),
            bus: Bus::default(),
            description: Some(description),
            catalogue,
            options,
            seed,
            inputs,
            planned: VecDeque::new(),
            commands: Vec::new(),
            snapshot_folder: PathBuf::new(),
            revision: 0,
            files: Vec::new(),
            record: Recording::None,
            tables: None,
            log: None,
            sequence: 0,
            control: Control::new(pacer.status().clone()),
            pacer,
            logged_faults: 0,
            observers,
            observer_sources: None,
            is_finished: false,
            is_measured: false,
            keeps_books: false,
            is_begun: false,
            taps: Vec::new(),
            reads: Reads::default(),
            refused: Vec::new(),
        };
        session.log_opened();
        Ok(session)
    }
}

/// Returns the models of a session.
fn catalogue(options: &Options) -> Result<Catalogue, Error> {
    match &options.catalogue {
        Some(catalogue) => Ok(catalogue.clone()),
        None => Ok(plugins::collect(&options.plugin_folders)?),
    }
}

/// Builds the simulation of a world.
pub(super) fn simulation(
    description: &Description,
    options: &Options,
    seed: u64,
) -> Result<Simulation, Error> {
    let engine = simhost_engine::Options { seed, threads: options.threads.max(1) };
    let built = Simulation::new(&description.world, engine);
    let mut simulation = built.map_err(|error| description.build_error(error))?;
    simulation.set_limits(options.limits);
    simulation.set_edits(description.edits());
    options.gpu.install(&mut simulation)?;
    Ok(simulation)
}

/// Returns the names that inputs may use.
pub(super) fn directory(simulation: &Simulation, description: Option<&Description>) -> Directory {
    let names = simulation.vehicle_names().iter().enumerate();
    let vehicles = names.map(|(number, name)| {
        let kinds = simulation.command_kinds(number).into_iter();
        (name.clone(), kinds.map(|kind| (kind.name, kind.values.len())).collect())
    });
    Directory {
        vehicles: vehicles.collect(),
        placeable: simulation.placeable().map(str::to_owned).collect(),
        description: description.cloned(),
        streams: description.map_or(Vec::new(), |one| streams::inputs(&one.world, simulation)),
    }
}
