//! Continuing with models that were rebuilt while the session was running.

use simhost_engine::Simulation;
use simhost_registry::Catalogue;
use simhost_world::Loaded;

use super::Session;
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
        let load = self.world.options.load.clone();
        let description = Description::new(loaded, load, catalogue.clone());
        let mut next = self.world.build(&description)?;
        std::mem::swap(&mut self.world.simulation, &mut next);
        let continued = self.continue_from(&next, &description);
        if continued.is_err() {
            self.world.simulation = next;
            return continued;
        }
        self.record.rebind_tables(&description.world, &self.world.simulation);
        if self.world.description.is_some() {
            self.replace_description(description);
        }
        self.world.catalogue = catalogue;
        self.outputs.follow(&self.world)
    }

    fn continue_from(&mut self, old: &Simulation, description: &Description) -> Result<(), Error> {
        let simulation = &mut self.world.simulation;
        self.intake.repeat_commands(simulation);
        simulation.take_over(old)?;
        simulation.start()?;
        self.outputs.rebind(description, simulation)
    }
}
