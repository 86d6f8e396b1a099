//! Edits of the world while a session runs: poses, parameters, entities that come and go, and rebuilt models.

use std::path::Path;

use simhost_engine::Simulation;
use simhost_registry::Catalogue;
use simhost_streams::Input;
use simhost_world::Loaded;

use super::state_inputs::set_state;
use super::{Session, open};
use crate::commands::CommandSchedule;
use crate::description::Description;
use crate::error::Error;

/// Edits of the world of a session, and everything else that is set between two runs. Inputs that have arrived
/// act before.
pub struct Edits<'s> {
    pub(super) session: &'s mut Session,
}

impl Edits<'_> {
    /// Moves a vehicle, or a block as `block/NAME`, to another pose, at rest: x, y, m, and yaw, rad, world
    /// frame.
    ///
    /// # Errors
    /// [`Error::Input`] if there is no such entity, it cannot be moved, or a number is not finite.
    pub fn set_pose(&mut self, entity: &str, pose: [f64; 3]) -> Result<(), Error> {
        self.session.act(Input::Pose { entity: entity.to_owned(), pose })
    }

    /// Sets the velocity of a vehicle, or of a block as `block/NAME`, with the meaning of
    /// `<init_vel>`: forward and leftward, m/s, and yaw rate, rad/s, frame of the entity. It is the
    /// velocity of the reference point of a vehicle, whose wheels then roll without slip, and of
    /// the centre of mass of a block. In the profile of MVSim, it is the velocity of the centre of
    /// mass in the world frame, and the spins of wheels do not change.
    ///
    /// # Errors
    /// As [`Self::set_pose`].
    pub fn set_velocity(&mut self, entity: &str, velocity: [f64; 3]) -> Result<(), Error> {
        self.session.act(Input::Velocity { entity: entity.to_owned(), velocity })
    }

    /// Sets a state slot of a model or the spin of a wheel, by the name of its quantity, such as
    /// `car/dynamics/steer`. It is not recorded as an input, so a run that uses it cannot be repeated.
    ///
    /// # Errors
    /// [`Error::Quantity`] if there is no such quantity, and [`Error::Input`] if it is not a state that can be set, or
    /// the value is not finite.
    pub fn set_state(&mut self, name: &str, value: f64) -> Result<(), Error> {
        self.session.apply_inputs()?;
        let quantities = self.session.quantities([name])?;
        set_state(&quantities, &mut self.session.world.simulation, name, value)
    }

    /// Sets a parameter of a model, such as `robot/controller/KP`, to a value as in a world file.
    /// [`World::parameters`](simhost_world::World::parameters) lists the names. Models keep their
    /// states.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such parameter, and [`Error::Load`] if the
    /// world file would not accept the value.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.session.act(Input::Parameter { name: name.to_owned(), value: value.to_owned() })
    }

    /// Returns the text of the world file as the session was opened with it, with values of parameters as in a world
    /// file, to be written to `path`. Comments and format stay. The session itself does not change.
    ///
    /// # Errors
    /// [`Error::Placement`] if the file has no place for a value, for instance because it is in an
    /// included file or in a loop, or if the text at `path`, to whose folder relative paths refer,
    /// is not a valid world.
    pub fn world_file_with(
        &self,
        values: &[(String, String)],
        path: impl AsRef<Path>,
    ) -> Result<String, Error> {
        self.session.world.described()?.file_with(values, path.as_ref())
    }

    /// Adds vehicles, blocks and other entities, which a fragment of a world file describes. They start
    /// now. Relative paths in it start at the folder of the world file.
    ///
    /// # Errors
    /// [`Error::Load`] with all errors of the fragment, also for names that the world has already, and
    /// [`Error::NoTree`] if the session was opened from a [`World`](simhost_world::World).
    pub fn add(&mut self, fragment: &str) -> Result<(), Error> {
        self.session.act(Input::Add { fragment: fragment.to_owned(), files: Vec::new() })
    }

    /// Adds the entities of a file, as [`Self::add`] does. Relative paths in it start at its folder.
    ///
    /// # Errors
    /// As [`Self::add`], and [`Error::Fragment`] if the file cannot be read.
    pub fn add_file(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let fragment = simhost_files::read_text(path, simhost_files::MAX_BYTES)
            .map_err(|source| Error::Fragment { path: path.to_owned(), source })?;
        self.session.apply_inputs()?;
        let input = self.session.world.described()?.addition(&fragment, Some(path))?;
        self.session.log_and_apply(input.into())
    }

    /// Removes a vehicle by its name, or a block or an actor as `block/NAME` or `actor/NAME`.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such entity, and [`Error::Load`] if something
    /// else in the world refers to it.
    pub fn remove(&mut self, entity: &str) -> Result<(), Error> {
        self.session.act(Input::Remove { entity: entity.to_owned() })
    }

    /// Returns to the start of the world as it was opened, with a seed for all random numbers.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped; otherwise as
    /// [`Session::open`].
    pub fn reset(&mut self, seed: u64) -> Result<(), Error> {
        self.session.act(Input::Reset { seed })
    }

    /// Replaces all commands whose times are known, sorted by time, and plans the values of parameters of a file of
    /// commands. Commands act after the inputs that arrive before the same step. Those whose time has passed do not
    /// act, until a reset or a restored snapshot returns to an earlier time.
    ///
    /// # Errors
    /// [`Error::Input`] or [`Error::Commands`] if a command does not fit its vehicle, or they are not sorted.
    pub fn set_commands(&mut self, commands: impl Into<CommandSchedule>) -> Result<(), Error> {
        let CommandSchedule { commands, parameters } = commands.into();
        let Session { intake, world, record, .. } = &mut *self.session;
        intake.set_commands(commands, &mut world.simulation)?;
        // without a description, the simulation cannot be built again
        if !record.is_kept() && world.description.is_none() {
            intake.forget_commands();
        }
        parameters.into_iter().try_for_each(|(step, input)| intake.plan(step, input))
    }

    /// Keeps energy books from the first step on, or from now on. They cost some time.
    pub fn keep_energy_books(&mut self) {
        self.session.world.simulation.keep_energy_books();
        self.session.world.keeps_books = true;
    }

    /// Drops the description of the world, which can be as large as the simulation. Runs, commands, poses,
    /// attached sinks and snapshots work without it; everything else that needs it fails with
    /// [`Error::Forgotten`].
    pub fn forget_description(&mut self) {
        let Session { world, intake, outputs, record, .. } = &mut *self.session;
        outputs.keep_sources(world.description.as_ref());
        world.description = None;
        intake.sender.forget_description();
        if !record.is_kept() && world.options.log.is_none() {
            intake.forget_commands();
        }
    }

    /// Continues with the same world, loaded again with other versions of its models. Their states are
    /// taken over by name. A run that does this cannot be repeated.
    ///
    /// # Errors
    /// [`Error`] if the world cannot be simulated with the new models, or a model rejects the state of its
    /// predecessor. The session then continues with the old models.
    pub fn reload(&mut self, loaded: Loaded, catalogue: Catalogue) -> Result<(), Error> {
        let session = &mut *self.session;
        let load = session.world.options.load.clone();
        let description = Description::new(loaded, load, catalogue.clone());
        let mut next = session.world.build(&description)?;
        std::mem::swap(&mut session.world.simulation, &mut next);
        let continued = session.continue_from(&next, &description);
        if continued.is_err() {
            session.world.simulation = next;
            return continued;
        }
        let is_forgotten = session.world.description.is_none();
        session.replace_description(description);
        session.world.catalogue = catalogue;
        let followed = session.outputs.follow(&session.world);
        if is_forgotten {
            self.forget_description();
        }
        followed
    }
}

impl Session {
    /// Carries an input out now, after those that have arrived.
    fn act(&mut self, input: Input) -> Result<(), Error> {
        self.apply_inputs()?;
        let input = self.intake.sender.prepare(input)?;
        self.log_and_apply(input)
    }

    /// Continues in a world with one more change, which is built unless it is given.
    pub(super) fn edit_world(
        &mut self,
        edit: &Input,
        next: Option<Description>,
    ) -> Result<(), Error> {
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

    /// Replaces the description by the description of the present simulation.
    pub(super) fn replace_description(&mut self, description: Description) {
        let sender = &self.intake.sender;
        let simulation = &self.world.simulation;
        let directory = open::directory(simulation, Some(&description), sender.has_streams());
        sender.set_directory(directory);
        self.world.description = Some(description);
        self.world.revision += 1;
        self.intake.repeat_commands(&mut self.world.simulation);
    }

    /// Takes over the state of a simulation with other versions of the same models.
    fn continue_from(&mut self, old: &Simulation, description: &Description) -> Result<(), Error> {
        let simulation = &mut self.world.simulation;
        self.intake.repeat_commands(simulation);
        simulation.take_over(old)?;
        simulation.start()?;
        self.outputs.rebind(description, simulation)
    }
}
