//! Inputs of models that read sensors.

use simhost_abi::Kind;

/// An input of a model that reads an output of a sensor of its vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingUse {
    /// Kind of the model.
    pub reader: Kind,
    /// Name of the input.
    pub input: &'static str,
    /// Index of the sensor in [`Vehicle::sensors`](crate::Vehicle::sensors).
    pub sensor: usize,
    /// Index of the output among the outputs of the phase `read` of the sensor.
    pub output: usize,
    /// Largest number of values; `None` for an input that is a single number.
    pub capacity: Option<usize>,
    /// Value of a single number before the first sample.
    pub default: f64,
}

impl ReadingUse {
    /// Returns whether vehicles with these readings can share their models: the inputs are the same, and
    /// have the same capacities.
    pub fn is_like(&self, other: &Self) -> bool {
        self.reader == other.reader && self.input == other.input && self.capacity == other.capacity
    }
}
