//! Opening a session.

use std::path::Path;
use std::sync::Arc;

use simhost_engine::Simulation;
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, Loaded, World};

use super::Session;
use super::control::Control;
use super::editable_world::EditableWorld;
use super::intake::Intake;
use super::outputs::Outputs;
use super::record::Recording;
use crate::bus::Bus;
use crate::description::Description;
use crate::error::Error;
use crate::hooks::{Active, Hooks};
use crate::inputs::{Directory, Inputs};
use crate::log::Log;
use crate::options::Options;
use crate::pace::Pacer;
use crate::plugins;
use crate::streams;

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
        session.record.claim(flat, files, &mut session.world)?;
        Ok(session)
    }

    /// Opens a world that a program has built. It has no texts, so errors have no positions.
    ///
    /// # Errors
    /// As [`Self::from_loaded`].
    pub fn from_world(world: World, catalogue: Catalogue, options: Options) -> Result<Self, Error> {
        let description = Description::of_world(world, options.load.clone(), catalogue.clone());
        let mut session = Self::new(description, catalogue, options)?;
        session.record.claim(None, Vec::new(), &mut session.world)?;
        Ok(session)
    }

    pub(super) fn new(
        description: Description,
        catalogue: Catalogue,
        options: Options,
    ) -> Result<Self, Error> {
        let _log = options.log.as_ref().map(Log::enter);
        Self::of_world(EditableWorld::open(description, catalogue, options)?)
    }

    /// Creates a session with a world, whose description is known.
    pub(super) fn of_world(world: EditableWorld) -> Result<Self, Error> {
        let description = world.described()?;
        let outputs = Outputs::new(description, &world.simulation)?;
        let pacer = Pacer::new(world.options.clock);
        let directory = directory(&world.simulation, Some(description), false);
        let time_out = world.options.command_time_out;
        let sender = Inputs::new(directory, pacer.status().clone());
        sender.set_seed(world.seed);
        let session = Self {
            duration: description.world.settings.duration,
            world,
            intake: Intake::new(sender, time_out),
            outputs,
            record: Recording::default(),
            control: Control::new(pacer.status().clone()),
            pacer,
            logged_faults: 0,
            hooks: Hooks::default(),
            active: Active::default(),
            bus: Bus::default(),
            is_finished: false,
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

/// Returns the names that inputs may use, with the input streams if clients see them.
pub(super) fn directory(
    simulation: &Simulation,
    description: Option<&Description>,
    has_streams: bool,
) -> Directory {
    let vehicles = simulation.vehicle_names().clone();
    let placeable = match simulation.placeable().eq(vehicles.iter()) {
        true => vehicles.clone(),
        false => Arc::new(simulation.placeable().map(str::to_owned).collect()),
    };
    let streams = |one: &Description| streams::inputs(&one.world, simulation);
    Directory {
        vehicles,
        kinds: simulation.all_command_kinds().collect(),
        placeable,
        description: description.cloned(),
        streams: description.filter(|_| has_streams).map(streams),
    }
}
