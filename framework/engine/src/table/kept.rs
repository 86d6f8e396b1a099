//! State of a table from before steps, to which it can return.

use crate::columns::Columns;
use crate::physics::RigidBody;

/// The state of a table before steps that are taken back where they cannot be made.
#[derive(Default)]
pub(crate) struct Kept {
    pub columns: Vec<f64>,
    pub bodies: Vec<RigidBody>,
    /// All columns, to check that what is not kept does not matter.
    #[cfg(test)]
    all: Vec<f64>,
}

/// A copy of a table takes other steps back.
impl Clone for Kept {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Kept {
    /// Replaces the state.
    pub fn fill(&mut self, columns: &Columns, bodies: &[RigidBody]) {
        columns.save(&mut self.columns);
        self.bodies.clear();
        self.bodies.reserve_exact(bodies.len());
        self.bodies.extend_from_slice(bodies);
        #[cfg(test)]
        {
            self.all = columns.all();
        }
    }

    /// Returns to the state.
    pub fn restore(&self, columns: &mut Columns, bodies: &mut [RigidBody]) {
        columns.load(&self.columns);
        bodies.copy_from_slice(&self.bodies);
        #[cfg(test)]
        columns.spoil_unsaved(&self.all);
    }
}
