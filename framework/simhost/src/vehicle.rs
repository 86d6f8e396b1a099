//! A vehicle of a session.

use simhost_streams::{Input, InputError, RecordingAction};

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
