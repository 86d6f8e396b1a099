//! Environments in snapshots, in result hashes, and in simulations that continue others.

use super::Environments;
use super::model::EnvironmentModel;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::model::MigrationError;
use crate::result_hash::Items;

impl Environments {
    /// Writes the state; nothing for a world without environments.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            models,
            gravity,
            // determined by the world file
            blown: _,
            base_gravity: _,
            // follows from the next step
            applied: _,
            points: _,
            winds: _,
        } = self;
        if models.is_empty() {
            return Ok(());
        }
        to.put(gravity)?;
        for model in models {
            model.columns.write(to)?;
            to.put(&model.disabled)?;
            model.stateful().write(to)?;
        }
        Ok(())
    }

    /// Reads the state of the same environments.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        if self.models.is_empty() {
            return Ok(());
        }
        self.applied = None;
        self.gravity = from.take()?;
        for model in &mut self.models {
            model.columns.read(from)?;
            model.disabled = from.take()?;
            model.stateful().read(from)?;
        }
        Ok(())
    }

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
