//! `hash.csv`: the state hash at regular times.

use simhost_engine::{Clock, Period, Simulation, SnapshotError};
use simhost_record::HashRow;

/// Computes the rows of `hash.csv`.
pub(super) struct Hashes {
    every: f64,
    period: Period,
}

impl Hashes {
    /// Creates rows every `every` seconds. The rows of a resumed run start after the snapshot.
    pub fn new(every: f64, resumed: Option<Clock>) -> Self {
        let period = match resumed {
            Some(clock) => Period::after(every, clock),
            None => Period::new(every),
        };
        Self { every, period }
    }

    /// Begins again, after time has gone back.
    #[must_use]
    pub fn again(self) -> Self {
        Self::new(self.every, None)
    }

    /// Returns a row if one is due.
    ///
    /// # Errors
    /// Fails if a model cannot save its memory.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<Option<HashRow>, SnapshotError> {
        let clock = simulation.clock();
        if !self.period.is_due(clock) {
            return Ok(None);
        }
        let hash = simulation.state_hash()?;
        Ok(Some(HashRow { time: clock.time(), step: clock.steps, hash }))
    }
}
