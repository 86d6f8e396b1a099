//! Changes of the world while a session runs: poses, parameters, and entities that come and go.

use std::path::Path;
use std::sync::Arc;

use simhost_streams::Input;
use simhost_world::{Sources, World};

use super::{Session, open};
use crate::description::Description;
use crate::error::Error;
use crate::streams;

impl Session {
    /// Returns the description of the world with all changes, unless [`Self::forget_description`] has
    /// dropped it.
    pub fn world(&self) -> Option<&Arc<World>> {
        self.description.as_ref().map(|description| &description.world)
    }

    /// Returns the texts that the world was read from, unless [`Self::forget_description`] has dropped
    /// them.
    pub fn sources(&self) -> Option<&Arc<Sources>> {
        self.description.as_ref().map(|description| &description.sources)
    }

    /// Returns the number of times that the simulation has been built again for a changed world, after which
    /// selections of quantities have to be made anew.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Drops the description of the world, which can be as large as the simulation. Runs, commands, poses,
    /// attached sinks and snapshots work without it; everything else that needs it fails with
    /// [`Error::Forgotten`].
    pub fn forget_description(&mut self) {
        if !self.observers.is_empty() {
            self.observer_sources = self.description.as_ref().map(|one| one.sources.clone());
        }
        self.description = None;
        self.inputs.forget_description();
        if !self.is_recorded() && self.options.log.is_none() {
            self.commands = Vec::new();
        }
    }

    /// Returns the description of the world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if it has been dropped.
    pub(super) fn described(&self) -> Result<&Description, Error> {
        self.description.as_ref().ok_or(Error::Forgotten)
    }

    /// Puts a vehicle, or a block as `block/NAME`, at rest at another place: x, y, m, and yaw, rad, world
    /// frame. Inputs that have arrived act before.
    ///
    /// # Errors
    /// [`Error::Input`] if there is no such entity, it cannot be moved, or a number is not finite.
    pub fn set_pose(&mut self, entity: &str, pose: [f64; 3]) -> Result<(), Error> {
        self.act(Input::Pose { entity: entity.to_owned(), pose })
    }

    /// Sets a parameter of a model, such as `robot/controller/KP`, to a value as in a world file. Names are
    /// those of [`World::parameters`]. Models keep their states. Inputs that have arrived act before.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such parameter, and [`Error::Load`] if the
    /// world file would not accept the value.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.act(Input::Parameter { name: name.to_owned(), value: value.to_owned() })
    }

    /// Adds vehicles, blocks and other entities, which a fragment of a world file describes. They start
    /// now. Relative paths in it start at the folder of the world file. Inputs that have arrived act
    /// before.
    ///
    /// # Errors
    /// [`Error::Load`] with all errors of the fragment, also for names that the world has already, and
    /// [`Error::NoTree`] if the session was opened from a [`World`].
    pub fn add(&mut self, fragment: &str) -> Result<(), Error> {
        self.act(Input::Add { fragment: fragment.to_owned(), files: Vec::new() })
    }

    /// Adds the entities of a file, as [`Self::add`] does. Relative paths in it start at its folder.
    ///
    /// # Errors
    /// As [`Self::add`], and [`Error::Fragment`] if the file cannot be read.
    pub fn add_file(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let fragment = std::fs::read_to_string(path)
            .map_err(|source| Error::Fragment { path: path.to_owned(), source })?;
        self.apply_inputs()?;
        let input = self.described()?.addition(&fragment, Some(path))?;
        self.log_and_apply(input)
    }

    /// Removes a vehicle by its name, or a block or an actor as `block/NAME` or `actor/NAME`. Inputs that
    /// have arrived act before.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such entity, and [`Error::Load`] if something
    /// else in the world refers to it.
    pub fn remove(&mut self, entity: &str) -> Result<(), Error> {
        self.act(Input::Remove { entity: entity.to_owned() })
    }

    /// Carries an input out now, after those that have arrived.
    pub(super) fn act(&mut self, input: Input) -> Result<(), Error> {
        self.apply_inputs()?;
        let input = self.inputs.prepare(input)?;
        self.log_and_apply(input)
    }

    /// Continues in a world with one more change.
    pub(super) fn edit(&mut self, edit: &Input) -> Result<(), Error> {
        let next = self.described()?.with(edit)?;
        self.continue_in(next)
    }

    /// Continues in a changed world.
    pub(super) fn continue_in(&mut self, next: Description) -> Result<(), Error> {
        let before = self.described()?;
        let mut simulation = open::simulation(&next, &self.options, self.seed)?;
        if let Some(error) = streams::check(&next.world, &simulation) {
            return Err(next.world_error(error));
        }
        if self.is_measured {
            let is_changed = |vehicle: &str| next.changes_vehicle(before, vehicle);
            simulation.continue_changed(&self.simulation, &is_changed)?;
        } else if self.keeps_books {
            simulation.keep_energy_books();
        }
        self.observers
            .rebind(&next.world, &simulation)
            .map_err(|error| next.observer_error(error))?;
        self.simulation = simulation;
        self.replace_description(next);
        self.continue_sinks()
    }

    /// Replaces the description by that of the present simulation.
    pub(super) fn replace_description(&mut self, description: Description) {
        let directory = open::directory(&self.simulation, Some(&description));
        self.inputs.set_directory(directory);
        self.description = Some(description);
        self.revision += 1;
        self.repeat_commands();
    }
}
