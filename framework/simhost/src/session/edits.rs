//! Changes of the world while a session runs: poses, parameters, and entities that come and go.

use std::path::Path;
use std::sync::Arc;

use simhost_streams::Input;
use simhost_world::{Sources, World};

use super::{Session, open};
use crate::description::Description;
use crate::error::Error;

impl Session {
    /// Returns the description of the world with all changes, unless [`Self::forget_description`] has
    /// dropped it.
    pub fn world(&self) -> Option<&Arc<World>> {
        self.world.edited()
    }

    /// Returns the texts that the world was read from, unless [`Self::forget_description`] has dropped
    /// them.
    pub fn sources(&self) -> Option<&Arc<Sources>> {
        self.world.description.as_ref().map(|description| &description.sources)
    }

    /// Returns the number of times that the simulation has been built again for a changed world, after which
    /// selections of quantities have to be made anew.
    pub fn revision(&self) -> u64 {
        self.world.revision
    }

    /// Drops the description of the world, which can be as large as the simulation. Runs, commands, poses,
    /// attached sinks and snapshots work without it; everything else that needs it fails with
    /// [`Error::Forgotten`].
    pub fn forget_description(&mut self) {
        self.outputs.keep_sources(self.world.description.as_ref());
        self.world.description = None;
        self.intake.sender.forget_description();
        if !self.is_recorded() && self.world.options.log.is_none() {
            self.intake.forget_commands();
        }
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
        let input = self.world.described()?.addition(&fragment, Some(path))?;
        self.log_and_apply(input.into())
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
        let input = self.intake.sender.prepare(input)?;
        self.log_and_apply(input)
    }

    /// Continues in a world with one more change, which is built unless it is given.
    pub(super) fn edit(&mut self, edit: &Input, next: Option<Description>) -> Result<(), Error> {
        let next = match next {
            Some(next) => next,
            None => self.world.described()?.with(edit)?,
        };
        let simulation = self.world.continued(&next)?;
        self.outputs.rebind(&next, &simulation)?;
        self.world.simulation = simulation;
        self.replace_description(next);
        self.outputs.follow(&self.world)
    }

    /// Replaces the description by that of the present simulation.
    pub(super) fn replace_description(&mut self, description: Description) {
        let directory = open::directory(&self.world.simulation, Some(&description));
        self.intake.sender.set_directory(directory);
        self.world.description = Some(description);
        self.world.revision += 1;
        self.intake.repeat_commands(&mut self.world.simulation);
    }
}
