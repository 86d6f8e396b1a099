//! Continuing with models that were rebuilt while the session was running.

use simhost_registry::Catalogue;
use simhost_world::Loaded;

use super::{Session, open};
use crate::description::Description;
use crate::error::Error;

impl Session {
    /// Continues with the same world, loaded again with other versions of its models. Their states are
    /// taken over by name. A run that does this cannot be repeated.
    ///
    /// # Errors
    /// [`Error`] if the world cannot be simulated with the new models, or a model rejects the state of its
    /// predecessor. The session then continues with the old models.
    pub fn reload(&mut self, loaded: Loaded, catalogue: Catalogue) -> Result<(), Error> {
        let load = self.options.load.clone();
        let description = Description::new(loaded, load, catalogue.clone());
        let mut next = open::simulation(&description, &self.options, self.seed)?;
        if self.keeps_books {
            next.keep_energy_books();
        }
        std::mem::swap(&mut self.simulation, &mut next);
        let continued = self.continue_from(&mut next, &description);
        if continued.is_err() {
            self.simulation = next;
            return continued;
        }
        if let Some(tables) = &mut self.tables {
            tables.rebind(&description.world, &self.simulation);
        }
        if self.description.is_some() {
            self.replace_description(description);
        }
        self.catalogue = catalogue;
        self.continue_sinks()
    }

    fn continue_from(
        &mut self,
        old: &mut simhost_engine::Simulation,
        description: &Description,
    ) -> Result<(), Error> {
        self.repeat_commands();
        self.simulation.take_over(old)?;
        self.simulation.start()?;
        let bound = self.observers.rebind(&description.world, &self.simulation);
        bound.map_err(|error| description.observer_error(error))
    }
}
