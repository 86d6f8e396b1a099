//! One interface to the world or the model that an FMU simulates.

use simhost::Error;

use crate::logger::Status;
use crate::saved::SimulatorState;

/// Largest part of a step by which a communication point may differ: importers add up step sizes, with errors that grow.
pub const POINT_TOLERANCE: f64 = 1e-2;

/// Why an importer cannot integrate states.
const NO_RATES: &str = "this FMU has no continuous states";

/// Simulates what an FMU contains. Variables are named by their value references.
pub trait Simulator {
    /// Returns the time of the importer, s.
    fn time(&self) -> f64;
    /// Sets the time of the importer, s.
    fn set_time(&mut self, time: f64);
    /// Computes the outputs before the first step.
    fn initialize(&mut self) -> Result<(), Failure>;
    /// Returns an input, an output, a state or a rate.
    fn number(&mut self, reference: usize) -> Result<f64, Failure>;
    /// Sets an input, or a state before the end of the initialisation. Returns whether the variable can be set.
    fn set_number(&mut self, reference: usize, value: f64) -> bool;
    /// Sets a parameter to a value as in a world file.
    fn set_parameter(&mut self, reference: usize, text: &str) -> Result<(), Failure>;
    /// Takes the steps from one communication point to the next. Returns whether an observer has ended the run.
    fn step(&mut self, point: f64, size: f64) -> Result<bool, Failure>;
    /// Returns to the state after instantiation.
    fn reset(&mut self) -> Result<(), Failure>;
    /// Returns the state.
    fn save(&mut self) -> Result<SimulatorState, Failure>;
    /// Returns to a state.
    fn restore(&mut self, state: &SimulatorState) -> Result<(), Failure>;
    /// Returns the states that an importer integrates.
    fn continuous_states(&self) -> Vec<f64> {
        Vec::new()
    }
    /// Sets the states that an importer integrates.
    fn set_continuous_states(&mut self, _states: &[f64]) -> Result<(), Failure> {
        Err(Failure::error(NO_RATES))
    }
    /// Sets an input or a continuous state at any time. Returns whether the variable is one of them.
    fn set_known(&mut self, _reference: usize, _value: f64) -> bool {
        false
    }
    /// Returns the rates of the states.
    fn rates(&mut self) -> Result<Vec<f64>, Failure> {
        Err(Failure::error(NO_RATES))
    }
}

/// A call has failed.
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    pub fn error(text: impl Into<String>) -> Self {
        Self { status: Status::Error, text: text.into() }
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::error(error.into().to_string())
    }
}
