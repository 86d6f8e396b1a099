//! The live state of tables.

use super::models::Models;
use super::step::Table;
use super::vehicles::{Lane, Vehicles};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::{LiveState, live_state};
use crate::model::{Call, MemoryCopies};

live_state! {
    Table {
        state { vehicles, models }
        world {
            blueprint,
            // their columns are written with the others, and the faults of the world know which are present
            port_faults,
        }
        step { extrapolation, faults, kept, stopped, leaves_search, is_sound }
        report { books }
    }
}

live_state! {
    Vehicles {
        state { columns, any_disabled, lanes }
        world { wheels, any_springs, level_loads, host, bodies, environment }
        step { is_tipping }
    } after read |vehicles| vehicles.is_tipping = true
}

live_state! {
    Lane {
        state { disabled, uses_fallback, tilt, normal, fall }
        // seed and steps of the run of a member of a batch are inputs of the run
        world { vehicle, fixed, run, body }
        step { keeps_velocity, ride }
        report { tipped }
    }
}

/// The memories of the models.
impl LiveState for Models {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.stateful().try_for_each(|call| call.write(to))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.stateful().try_for_each(|call| call.read(from))
    }
}

impl Table {
    /// Returns the calls that hold the states and memories of all models, one call per model.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.models.stateful()
    }

    /// Returns a table in the same state, which shares what never changes with this one.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let mut copy = self.clone();
        let columns = &copy.vehicles.columns;
        copy.models.all_mut().try_for_each(|call| call.bind(columns, copies))?;
        Ok(copy)
    }
}
