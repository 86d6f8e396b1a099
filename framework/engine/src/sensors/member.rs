//! A sensor as one lane of its group.

use crate::columns::Column;

/// Owner number of objects and sensors that belong to no vehicle.
pub(super) const NOBODY: u32 = u32::MAX;

/// A sensor of a group.
#[derive(Clone)]
pub(super) struct Member {
    /// Index of the sensor in the world.
    pub sensor: usize,
    /// Index of the vehicle, or [`NOBODY`].
    pub vehicle: u32,
    /// Table and lane of the vehicle; `None` for a sensor that is fixed in the world.
    pub host: Option<(usize, usize)>,
    /// Number of wheels of the vehicle, or 0 if the model does not read any.
    pub wheels: usize,
    /// Columns of the table from which the inputs of the group are copied.
    pub sources: Vec<Option<Column>>,
    /// Whether the model has faulted for this sensor, so that it is not called any more.
    pub disabled: bool,
}

impl Member {
    /// Creates a sensor on the vehicle in the lane `host`.
    pub fn new(sensor: usize, vehicle: u32, host: Option<(usize, usize)>, wheels: usize) -> Self {
        Self { sensor, vehicle, host, wheels, sources: Vec::new(), disabled: false }
    }

    /// Returns whether the sensor is fixed in the world.
    pub fn stands(&self) -> bool {
        self.host.is_none()
    }

    /// Returns whether the model has faulted for this sensor.
    pub fn is_disabled(&self) -> bool {
        self.disabled
    }
}
