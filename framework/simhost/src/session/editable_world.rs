//! The world of a session: its simulation, and the description with all edits from which it was built.

use std::sync::Arc;

use simhost_engine::{FaultMemory, Simulation};
use simhost_registry::Catalogue;
use simhost_streams::{Input, InputError, Stream};
use simhost_world::{ParameterOwner, Sources, World};

use super::state_inputs::{carry_out, replaces};
use crate::builds::Purpose;
use crate::description::Description;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::inputs::vehicle_number;
use crate::options::Options;
use crate::streams;
use crate::tables::Observed;

/// The world of a session: its simulation, and the description with all edits from which it was built.
pub struct EditableWorld {
    pub(super) simulation: Simulation,
    /// Description of the world, unless it has been forgotten.
    pub(super) description: Option<Description>,
    pub(super) catalogue: Catalogue,
    pub(super) options: Options,
    /// Seed of all random numbers.
    pub(super) seed: u64,
    /// Number of times that the simulation has been built again.
    pub(super) revision: u64,
    /// Whether the simulation has measured before the first step, or has been restored.
    pub(super) is_measured: bool,
    /// Inputs that changed the state before the first step.
    pub(super) early: Vec<Input>,
    /// Whether energy books are kept.
    pub(super) keeps_books: bool,
}

impl EditableWorld {
    /// Returns the description of the world with all edits, unless
    /// [`Edits::forget_description`](crate::Edits::forget_description) has dropped it.
    pub fn description(&self) -> Option<&Arc<World>> {
        self.description.as_ref().map(|description| &description.world)
    }

    /// Returns the texts that the world was read from, unless
    /// [`Edits::forget_description`](crate::Edits::forget_description) has dropped them.
    pub fn sources(&self) -> Option<&Arc<Sources>> {
        self.description.as_ref().map(|description| &description.sources)
    }

    /// Returns the world with all changes as one world file, with other initial poses of entities: x, y, m; yaw, rad.
    /// Changes are additions, removals and values of parameters.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped, [`Error::NoTree`] if it was loaded
    /// without its elements, and [`Error::Input`] for an unknown entity.
    pub fn saved(&self, poses: &[(String, [f64; 3])]) -> Result<String, Error> {
        self.described()?.saved(poses)
    }

    /// Returns the classes from which fragments can make entities, such as `vehicle:robot`, in the order of the world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn classes(&self) -> Result<Vec<String>, Error> {
        Ok(self.described()?.classes())
    }

    /// Returns the catalogue of models, to open further sessions with it.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the GPU that casts the rays of sensors in space.
    pub fn gpu(&self) -> &Gpu {
        &self.options.gpu
    }

    /// Returns the seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of times that the simulation has been built again for a changed world, after which
    /// selections of quantities have to be made anew.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns all streams, outputs first.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn streams(&self) -> Result<Vec<Arc<Stream>>, Error> {
        Ok(streams::streams(&self.described()?.world, &self.simulation))
    }

    /// Returns the inputs that changed the state before the first step, as long as they have an effect.
    pub(crate) fn early_inputs(&self) -> &[Input] {
        &self.early
    }

    /// Returns the owner of a parameter.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if it does not, and [`Error::Forgotten`] if the description of the
    /// world has been dropped.
    pub(crate) fn find_parameter(&self, name: &str) -> Result<ParameterOwner, Error> {
        Ok(self.described()?.world.find_parameter(name)?)
    }

    /// Checks the value of a parameter by its declaration, without the values of other parameters.
    ///
    /// # Errors
    /// As [`Edits::set_parameter`](crate::Edits::set_parameter).
    pub(crate) fn check_parameter(&self, name: &str, value: &str) -> Result<(), Error> {
        let (world, with) = self.described()?.reading();
        Ok(world.check_parameter(name, value, with)?)
    }

    /// Checks that parameters accept values together.
    ///
    /// # Errors
    /// As [`Edits::set_parameter`](crate::Edits::set_parameter).
    pub(crate) fn check_parameters(&self, given: &[(&str, &str)]) -> Result<(), Error> {
        let (world, with) = self.described()?.reading();
        Ok(world.check_parameters(given, with)?)
    }

    /// Returns the fault memory of a vehicle.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such vehicle.
    pub fn fault_memory(&self, vehicle: &str) -> Result<&FaultMemory, Error> {
        let number = vehicle_number(self.simulation.vehicle_names(), vehicle)?;
        Ok(self.simulation.fault_memories().of(number))
    }
}

impl EditableWorld {
    /// Builds the simulation of a description.
    ///
    /// # Errors
    /// [`Error::Build`] if a model rejects its parameters or a body cannot exist.
    pub(super) fn open(
        description: Description,
        catalogue: Catalogue,
        options: Options,
    ) -> Result<Self, Error> {
        let seed = options.seed.or(description.world.settings.seed).unwrap_or(0);
        let simulation = simulation(&description, &options, seed)?;
        if let Some(error) = streams::check(&description.world, &simulation) {
            return Err(description.world_error(error));
        }
        Ok(Self {
            simulation,
            description: Some(description),
            catalogue,
            options,
            seed,
            revision: 0,
            is_measured: false,
            early: Vec::new(),
            keeps_books: false,
        })
    }

    /// Returns the same world in the present state, which has been measured, without files of observers.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory, and [`Error::Gpu`] if the GPU cannot be used.
    pub(super) fn duplicate(&self) -> Result<Self, Error> {
        let options =
            Options { seed: Some(self.seed), observer_folder: None, ..self.options.clone() };
        let mut simulation = self.simulation.duplicate()?;
        options.gpu.install(&mut simulation)?;
        Ok(Self {
            simulation,
            description: Some(self.described()?.clone()),
            catalogue: self.catalogue.clone(),
            options,
            seed: self.seed,
            revision: 0,
            is_measured: true,
            early: Vec::new(),
            keeps_books: self.keeps_books,
        })
    }

    /// Returns the description of the world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if it has been dropped.
    pub(super) fn described(&self) -> Result<&Description, Error> {
        self.description.as_ref().ok_or(Error::Forgotten)
    }

    /// Returns the number of completed steps.
    pub(super) fn steps(&self) -> u64 {
        self.simulation.clock().steps
    }

    /// Returns what tables are written from.
    pub(super) fn observed(&self) -> Observed<'_> {
        let Self { simulation, description, revision, .. } = self;
        Observed { simulation, description: description.as_ref(), revision: *revision }
    }

    /// Builds the simulation of another description of the world.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(super) fn build(&self, description: &Description) -> Result<Simulation, Error> {
        let mut built = simulation(description, &self.options, self.seed)?;
        if self.keeps_books {
            built.keep_energy_books();
        }
        built.continue_collisions(&self.simulation);
        Ok(built)
    }

    /// Builds the simulation of an edited world, which continues from the present state.
    ///
    /// # Errors
    /// As [`Self::open`], and [`Error::TakeOver`] if a model rejects its state.
    pub(super) fn continued(&self, next: &Description) -> Result<Simulation, Error> {
        let before = self.described()?;
        let mut simulation = simulation(next, &self.options, self.seed)?;
        if let Some(error) = streams::check(&next.world, &simulation) {
            return Err(next.world_error(error));
        }
        if self.is_measured {
            let is_changed = |vehicle: &str| next.changes_vehicle(before, vehicle);
            simulation.continue_changed(&self.simulation, &is_changed)?;
            return Ok(simulation);
        }
        if self.keeps_books {
            simulation.keep_energy_books();
        }
        for input in &self.early {
            // the entity can have been removed
            let _ = carry_out(&mut simulation, input);
        }
        Ok(simulation)
    }

    /// Applies an input that changes only the state.
    ///
    /// # Errors
    /// [`InputError`] if an entity cannot be placed.
    pub(super) fn act(&mut self, input: Input) -> Result<(), InputError> {
        carry_out(&mut self.simulation, &input)?;
        if self.steps() == 0 {
            self.early.retain(|before| !replaces(&input, before));
            self.early.push(input);
        }
        Ok(())
    }
}

/// Builds the simulation of a world.
fn simulation(
    description: &Description,
    options: &Options,
    seed: u64,
) -> Result<Simulation, Error> {
    let engine = simhost_engine::Options { seed, threads: options.threads.max(1) };
    let mut simulation = description.simulation(engine, Purpose::Session)?;
    simulation.set_limits(options.limits);
    options.gpu.install(&mut simulation)?;
    Ok(simulation)
}
