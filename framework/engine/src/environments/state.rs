//! The live state of environments, in snapshots, result hashes, and simulations that continue others.

use super::Environments;
use super::model::EnvironmentModel;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::LiveState;
use crate::model::MigrationError;
use crate::result_hash::Items;

/// Nothing for a world without environments.
impl LiveState for Environments {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // the points and winds are those of a step
        let Self { models, gravity, blown: _, base_gravity: _, applied: _, points: _, winds: _ } =
            self;
        if models.is_empty() {
            return Ok(());
        }
        gravity.write(to)?;
        models.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        if self.models.is_empty() {
            return Ok(());
        }
        self.applied = None;
        self.gravity.read(from)?;
        self.models.read(from)
    }
}

impl Environments {
    /// Copies the states of the environments of the same names of another simulation.
    ///
    /// # Errors
    /// [`MigrationError`] if a model rejects the state of its predecessor.
    pub fn take_over(&mut self, old: &Self) -> Result<(), MigrationError> {
        (self.gravity, self.applied) = (old.gravity, None);
        for model in &mut self.models {
            let named = |old: &&EnvironmentModel| old.name == model.name;
            if let Some(old) = old.models.iter().find(named) {
                model.take_over(old)?;
            }
        }
        Ok(())
    }

    /// Continues without the models that are no longer called in another simulation.
    pub fn keep_disabled(&mut self, old: &Self) {
        for model in &mut self.models {
            let is_same = |old: &&EnvironmentModel| old.name == model.name;
            model.disabled |= old.models.iter().find(is_same).is_some_and(|old| old.disabled);
        }
    }

    /// Adds the states to the items of a result hash.
    pub fn add_results(&self, items: &mut Items) {
        for model in &self.models {
            let label = format!("environment/{}", model.name);
            items.add_states(&label, model.stateful(), &model.columns, 0);
        }
    }
}
