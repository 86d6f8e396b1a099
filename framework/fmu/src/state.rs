//! The state of an instance, which importers save, restore and serialise.

use serde::{Deserialize, Serialize};
use simhost::Snapshot;

use crate::instance::{Failure, Instance};
use crate::values::{CommandState, ParameterValue};

/// Everything that changes in an instance.
pub struct InstanceState {
    snapshot: Snapshot,
    values: SavedValues,
}

/// Values that the importer has set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedValues {
    commands: Vec<CommandState>,
    parameters: Vec<ParameterValue>,
    start: f64,
    is_ended: bool,
}

impl Instance {
    /// Returns the state.
    pub fn save(&mut self) -> Result<InstanceState, Failure> {
        let values = SavedValues {
            commands: self.commands.clone(),
            parameters: self.parameters.clone(),
            start: self.start,
            is_ended: self.is_ended,
        };
        Ok(InstanceState { snapshot: self.session.snapshot()?, values })
    }

    /// Returns to a state of this FMU.
    pub fn restore(&mut self, state: &InstanceState) -> Result<(), Failure> {
        self.session.restore(&state.snapshot)?;
        let SavedValues { commands, parameters, start, is_ended } = state.values.clone();
        (self.commands, self.parameters) = (commands, parameters);
        (self.start, self.is_ended) = (start, is_ended);
        self.outputs.expire();
        Ok(())
    }
}

impl InstanceState {
    /// Returns the state as bytes: the length of the values, the values in JSON, and the snapshot.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Failure> {
        let values =
            serde_json::to_vec(&self.values).map_err(|error| Failure::error(error.to_string()))?;
        let mut bytes = (values.len() as u64).to_le_bytes().to_vec();
        bytes.extend(values);
        bytes.extend(self.snapshot.to_bytes());
        Ok(bytes)
    }

    /// Reads a state from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Failure> {
        let wrong = |text: String| Failure::error(format!("the bytes are not a state: {text}"));
        let short = || wrong("they end early".to_owned());
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (values, snapshot) = rest.split_at_checked(length).ok_or_else(short)?;
        let values = serde_json::from_slice(values).map_err(|error| wrong(error.to_string()))?;
        let snapshot = Snapshot::from_bytes(snapshot).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { snapshot, values })
    }
}

#[cfg(test)]
mod tests {
    use super::SavedValues;
    use crate::values::{CommandState, ParameterValue};

    #[test]
    fn values_of_all_types_are_read_as_they_were_written() {
        let values = SavedValues {
            commands: vec![CommandState { values: vec![0.1, -0.0, 1e300], is_new: true }],
            parameters: vec![
                ParameterValue::Truth(true),
                ParameterValue::Number(1.0),
                ParameterValue::Text(c"b\xc3\xa4r".to_owned()),
            ],
            start: 3.0,
            is_ended: false,
        };
        let bytes = serde_json::to_vec(&values).unwrap_or_default();
        let read: Option<SavedValues> = serde_json::from_slice(&bytes).ok();
        assert_eq!(read, Some(values));
    }
}
