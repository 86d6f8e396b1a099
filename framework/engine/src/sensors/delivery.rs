//! Samples that are copied to the inputs of models, at once or after a latency.

use std::collections::VecDeque;

use crate::columns::Column;
use crate::table::SensorTarget;

/// An output of a sensor that an input of a model reads.
#[derive(Clone)]
pub(super) struct Delivery {
    /// Lane of the sensor in its group.
    pub sensor: usize,
    /// Column of the output, and its scope.
    pub output: (Column, u32),
    pub to: Recipient,
    pub target: SensorTarget,
    /// Samples that have not arrived, in the order of their arrival.
    pub late: VecDeque<Late>,
}

/// The lane of a model that reads a sensor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Recipient {
    /// Table and lane of the vehicle.
    Vehicle(usize, usize),
    /// Group and lane of the sensor.
    Sensor(usize, usize),
}

/// A sample that has not arrived at the model that reads it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Late {
    /// Time of the arrival, s.
    pub due: f64,
    /// Time of the sample, s.
    pub taken: f64,
    pub sample: Vec<f64>,
}
