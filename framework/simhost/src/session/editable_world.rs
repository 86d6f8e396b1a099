//! The world of a session: its simulation, and the description with all edits from which it was built.

use std::sync::Arc;

use simhost_engine::Simulation;
use simhost_registry::Catalogue;
use simhost_world::World;

use crate::description::Description;
use crate::error::Error;
use crate::options::Options;
use crate::streams;
use crate::tables::Observed;

/// The world of a session.
pub(super) struct EditableWorld {
    pub simulation: Simulation,
    /// Description of the world, unless it has been forgotten.
    pub description: Option<Description>,
    pub catalogue: Catalogue,
    pub options: Options,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of times that the simulation has been built again.
    pub revision: u64,
    /// Whether the simulation has measured before the first step, or has been restored.
    pub is_measured: bool,
    /// Whether energy books are kept.
    pub keeps_books: bool,
}

impl EditableWorld {
    /// Builds the simulation of a description.
    ///
    /// # Errors
    /// [`Error::Build`] if a model rejects its parameters or a body cannot exist.
    pub fn open(
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
            keeps_books: false,
        })
    }

    /// Returns the description of the world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if it has been dropped.
    pub fn described(&self) -> Result<&Description, Error> {
        self.description.as_ref().ok_or(Error::Forgotten)
    }

    /// Returns the number of completed steps.
    pub fn steps(&self) -> u64 {
        self.simulation.clock().steps
    }

    /// Returns the world with its edits, unless its description has been dropped.
    pub fn edited(&self) -> Option<&Arc<World>> {
        self.description.as_ref().map(|description| &description.world)
    }

    /// Returns what tables are written from.
    pub fn observed(&self) -> Observed<'_> {
        let Self { simulation, description, revision, .. } = self;
        Observed { simulation, description: description.as_ref(), revision: *revision }
    }

    /// Builds the simulation of another description of the world.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn build(&self, description: &Description) -> Result<Simulation, Error> {
        let mut built = simulation(description, &self.options, self.seed)?;
        if self.keeps_books {
            built.keep_energy_books();
        }
        Ok(built)
    }

    /// Builds the simulation of an edited world, which continues from the present state.
    ///
    /// # Errors
    /// As [`Self::open`], and [`Error::TakeOver`] if a model rejects its state.
    pub fn continued(&self, next: &Description) -> Result<Simulation, Error> {
        let before = self.described()?;
        let mut simulation = simulation(next, &self.options, self.seed)?;
        if let Some(error) = streams::check(&next.world, &simulation) {
            return Err(next.world_error(error));
        }
        if self.is_measured {
            let is_changed = |vehicle: &str| next.changes_vehicle(before, vehicle);
            simulation.continue_changed(&self.simulation, &is_changed)?;
        } else if self.keeps_books {
            simulation.keep_energy_books();
        }
        Ok(simulation)
    }
}

/// Builds the simulation of a world.
fn simulation(
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
