//! The state of an instance, which importers save, restore and serialise.

use serde::{Deserialize, Serialize};
use simhost::Snapshot;

use crate::instance::Instance;
use crate::saved::{CommandState, ModelState, SimulatorState};
use crate::simulator::Failure;
use crate::values::ParameterValue;

/// Everything that changes in an instance.
pub struct InstanceState {
    values: SavedValues,
    simulator: SimulatorState,
}

/// Values of an instance of either kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedValues {
    /// Token of the FMU.
    token: String,
    parameters: Vec<ParameterValue>,
    is_initialized: bool,
    is_ended: bool,
}

/// Fields before the snapshot in the bytes of a state.
#[derive(Serialize, Deserialize)]
struct Head {
    values: SavedValues,
    simulator: SimulatorHead,
}

#[derive(Serialize, Deserialize)]
enum SimulatorHead {
    World { commands: Vec<CommandState>, start: f64 },
    Model(ModelState),
}

impl Instance {
    /// Returns the state.
    pub fn save(&mut self) -> Result<InstanceState, Failure> {
        let values = SavedValues {
            token: self.interface.token.clone(),
            parameters: self.parameters.clone(),
            is_initialized: self.is_initialized,
            is_ended: self.is_ended,
        };
        Ok(InstanceState { values, simulator: self.simulator.save()? })
    }

    /// Returns to a state of this FMU.
    pub fn restore(&mut self, state: &InstanceState) -> Result<(), Failure> {
        let SavedValues { token, parameters, is_initialized, is_ended } = &state.values;
        if *token != self.interface.token {
            let expected = &self.interface.token;
            let text =
                format!("the state is of the FMU with the token {token}; expected {expected}");
            return Err(Failure::error(text));
        }
        self.simulator.restore(&state.simulator)?;
        self.parameters.clone_from(parameters);
        (self.is_initialized, self.is_ended) = (*is_initialized, *is_ended);
        Ok(())
    }
}

impl InstanceState {
    /// Returns the state as bytes: the length of the values, the values in JSON, and the snapshot of a world.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Failure> {
        let (simulator, snapshot) = match &self.simulator {
            SimulatorState::World { snapshot, commands, start } => {
                let head = SimulatorHead::World { commands: commands.clone(), start: *start };
                (head, snapshot.to_bytes())
            }
            SimulatorState::Model(model) => (SimulatorHead::Model(model.clone()), Vec::new()),
        };
        let head = Head { values: self.values.clone(), simulator };
        let head = serde_json::to_vec(&head).map_err(|error| Failure::error(error.to_string()))?;
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head);
        bytes.extend(snapshot);
        Ok(bytes)
    }

    /// Reads a state from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Failure> {
        let wrong = |text: String| Failure::error(format!("the bytes are not a state: {text}"));
        let short = || wrong("they end early".to_owned());
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (head, snapshot) = rest.split_at_checked(length).ok_or_else(short)?;
        let Head { values, simulator } =
            serde_json::from_slice(head).map_err(|error| wrong(error.to_string()))?;
        let simulator = match simulator {
            SimulatorHead::Model(model) => SimulatorState::Model(model),
            SimulatorHead::World { commands, start } => {
                let snapshot = Snapshot::from_bytes(snapshot);
                let snapshot = snapshot.map_err(|error| wrong(error.to_string()))?;
                SimulatorState::World { snapshot, commands, start }
            }
        };
        Ok(Self { values, simulator })
    }
}

#[cfg(test)]
mod tests {
    use super::{InstanceState, SavedValues};
    use crate::saved::{ModelState, SimulatorState};
    use crate::values::ParameterValue;

    #[test]
    fn values_of_all_types_are_read_as_they_were_written() {
        let values = SavedValues {
            token: "{1}".to_owned(),
            parameters: vec![
                ParameterValue::Truth(true),
                ParameterValue::Number(0.1),
                ParameterValue::Text(c"b\xc3\xa4r".to_owned()),
            ],
            is_initialized: true,
            is_ended: false,
        };
        let model = ModelState {
            numbers: [0.1, -0.0, f64::NAN, f64::INFINITY].map(f64::to_bits).to_vec(),
            memory: Some(vec![1, 2]),
            parameters: vec![("mu".to_owned(), "0.5".to_owned())],
            seed: u64::MAX,
            steps: 3,
            time: 1e-3,
            is_initialized: true,
        };
        let state = InstanceState {
            values: values.clone(),
            simulator: SimulatorState::Model(model.clone()),
        };
        let bytes = state.to_bytes().unwrap_or_else(|failure| panic!("{}", failure.text));
        let read = InstanceState::from_bytes(&bytes).ok();
        let read = read.map(|read| (read.values, read.simulator));
        assert!(
            matches!(read, Some((own, SimulatorState::Model(of))) if own == values && of == model)
        );
        for short in [4, 20, bytes.len() - 1] {
            assert!(InstanceState::from_bytes(&bytes[..short]).is_err());
        }
    }
}
