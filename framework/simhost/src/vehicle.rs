//! A vehicle of a session.

use simhost_streams::{Input, InputError, RecordingAction};
use simhost_world::FaultSeverity;

use crate::inputs::Inputs;
use crate::records::CommandRecord;

/// A vehicle of a session. It can be sent to another thread, and borrows nothing of the session.
#[derive(Clone)]
pub struct Vehicle {
    pub(crate) name: String,
    pub(crate) inputs: Inputs,
}

impl Vehicle {
    /// Returns the name of the vehicle.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets the setpoints of the controller from the next step on.
    ///
    /// # Errors
    /// [`InputError`] if the controller does not accept the kind of command, or a number is not finite.
    pub fn command(&self, command: impl CommandRecord) -> Result<(), InputError> {
        let kind = command.kind().to_owned();
        let values = command.values();
        self.inputs.send(Input::Command { vehicle: self.name.clone(), kind, values })
    }

    /// Switches the log of the vehicle before the next step, if a sink of the session writes one.
    ///
    /// # Errors
    /// [`InputError`] if the vehicle has been removed.
    pub fn record(&self, action: RecordingAction) -> Result<(), InputError> {
        self.inputs.send(Input::Recording { vehicle: self.name.clone(), action })
    }
}

// `<fault>` elements of the world add entries when they occur; programs add and clear them with inputs,
// so that a repeated run has the same.
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
