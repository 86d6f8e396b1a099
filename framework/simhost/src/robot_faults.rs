//! Fault memories of the vehicles of a session.
//!
//! `<fault>` elements of the world add entries when they occur; programs add and clear them with inputs,
//! so that a repeated run has the same.

use simhost_streams::{Input, InputError};
use simhost_world::FaultSeverity;

use crate::vehicle::Vehicle;

impl Vehicle {
    /// Adds an entry to the fault memory before the next step, at the time at which that step starts.
    ///
    /// # Errors
    /// [`InputError`] if the vehicle has been removed, or the name of the sensor is empty.
    pub fn add_fault(
        &self,
        sensor: &str,
        severity: FaultSeverity,
        code: u32,
        text: &str,
    ) -> Result<(), InputError> {
        self.inputs.send(Input::AddFault {
            vehicle: self.name.clone(),
            sensor: sensor.to_owned(),
            severity: severity.name().to_owned(),
            code,
            text: text.to_owned(),
        })
    }

    /// Clears the fault memory before the next step. Faults that are present stay, with their effects.
    ///
    /// # Errors
    /// [`InputError`] if the vehicle has been removed.
    pub fn clear_faults(&self) -> Result<(), InputError> {
        self.inputs.send(Input::ClearFaults { vehicle: self.name.clone() })
    }
}
