//! Return of a table to an earlier step.

use super::kept::Kept;
use super::models::Trial;
use super::step::Table;
use crate::physics::RigidBody;

impl Table {
    /// Returns whether [`Self::return_to`] restores everything that a step can change.
    pub fn can_return(&self) -> bool {
        !self.vehicles.any_disabled && self.books.is_none() && !self.blueprint.has_memory
    }

    /// Begins or ends steps that are retraced one by one if a model faults.
    pub fn set_trial(&mut self, is_trial: bool) {
        self.models.trial = is_trial.then(Trial::default);
    }

    /// Returns whether a model has faulted in a trial, of which the table has no report.
    pub fn has_failed(&self) -> bool {
        self.models.trial.is_some_and(|trial| trial.has_failed)
    }

    /// Returns to a state that [`Kept::fill`] has saved.
    pub fn return_to(&mut self, kept: &Kept, bodies: &mut [RigidBody]) {
        kept.restore(&mut self.vehicles.columns, bodies);
        self.vehicles.is_tipping = true;
        self.vehicles.read_bodies(bodies);
        if self.has_faults() {
            // before the fault, no vehicle was disabled
            self.faults.iter_mut().for_each(Vec::clear);
            for lane in &mut self.vehicles.lanes {
                (lane.disabled, lane.uses_fallback) = (false, false);
            }
            self.vehicles.any_disabled = false;
        }
        self.is_sound = true;
    }
}
