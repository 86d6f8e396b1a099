//! `hash.csv`: the state hash at regular times.

use simhost_engine::{Clock, Period, Simulation};
use simhost_record::HashRow;

use crate::exit::{Code, Failure};

/// Computes the rows of `hash.csv`.
pub struct Hashes {
    every: f64,
    period: Period,
}

impl Hashes {
    /// Creates rows every `every` seconds. Those of a resumed run start after the snapshot.
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
    pub fn observe(&mut self, simulation: &Simulation) -> Result<Option<HashRow>, Failure> {
        let clock = simulation.clock();
        if !self.period.is_due(clock) {
            return Ok(None);
        }
        let hash = state_hash(simulation)?;
        Ok(Some(HashRow { time: clock.time(), step: clock.steps, hash }))
    }
}

/// Returns the result hash of a simulation as 32 hexadecimal digits.
pub fn of_results(simulation: &Simulation) -> String {
    format!("{:032x}", simulation.result_hash())
}

/// Returns the state hash of a simulation as 32 hexadecimal digits.
///
/// # Errors
/// Fails if a model cannot save its memory.
pub fn of(simulation: &Simulation) -> Result<String, Failure> {
    Ok(format!("{:032x}", state_hash(simulation)?))
}

fn state_hash(simulation: &Simulation) -> Result<u128, Failure> {
    simulation.state_hash().map_err(|error| Failure::new(Code::PluginFault, error))
}
