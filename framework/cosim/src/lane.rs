//! An instance of an FMU as models use it, in this process or in a separate process.

use serde::{Deserialize, Serialize};

/// A call of a model: inputs are set, the FMU takes a step, and outputs are read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Advance {
    /// Variables by their indices in the description, with their values.
    pub sets: Vec<(usize, f64)>,
    /// Length of the step, s; `None` for a call without a step.
    pub step: Option<f64>,
    /// Variables to read.
    pub gets: Vec<usize>,
}

/// An instance of an FMU.
pub(crate) trait FmuLane {
    /// Sets inputs, takes a step, and writes the values of outputs.
    ///
    /// # Errors
    /// The function or the variable that failed, with the message of the FMU.
    fn advance(&mut self, advance: &Advance, results: &mut Vec<f64>) -> Result<(), String>;

    /// Returns the state, with the token of the FMU and its time.
    ///
    /// # Errors
    /// The function that failed, or the reason why the FMU has no state to save.
    fn save(&mut self) -> Result<Vec<u8>, String>;

    /// Returns to a state from [`Self::save`].
    ///
    /// # Errors
    /// As of [`Self::save`], and a state that another FMU has saved.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), String>;
}

/// The memory of a lane.
pub(crate) struct Memory {
    pub lane: Box<dyn FmuLane>,
    /// Values of the variables that phases recall, after the last step.
    pub kept: Vec<f64>,
}

impl Memory {
    /// Starts with the values of the variables that phases recall.
    ///
    /// # Errors
    /// A variable that cannot be read.
    pub fn new(mut lane: Box<dyn FmuLane>, kept: &[usize]) -> Result<Self, String> {
        let mut values = Vec::new();
        if !kept.is_empty() {
            let gets = kept.to_vec();
            lane.advance(&Advance { gets, ..Advance::default() }, &mut values)?;
        }
        Ok(Self { lane, kept: values })
    }
}
