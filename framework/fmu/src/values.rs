//! Places and values of variables.

use std::ffi::CString;

use simhost::{Error, LiveQuantities, Session};
use simhost_fmi::{Interface, Role, StartValue};

/// A command whose values are inputs.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CommandState {
    pub values: Vec<f64>,
    /// Whether the importer has set a value that the next step has to send.
    pub is_new: bool,
}

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum ParameterValue {
    Truth(bool),
    Number(f64),
    Text(CString),
}

/// The quantities of all outputs.
pub struct OutputRow {
    quantities: LiveQuantities,
    /// Values at the present step.
    row: Vec<f64>,
    /// Whether `row` has the present values.
    is_fresh: bool,
}

/// Place of the value of a variable.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    Time,
    /// Index of the command and of its value.
    Input(usize, usize),
    /// Place in the row of outputs.
    Output(usize),
    /// Index among the parameters.
    Parameter(usize),
}

impl OutputRow {
    /// Finds the quantities of the outputs of an interface.
    pub fn new(session: &Session, interface: &Interface) -> Result<Self, Error> {
        let outputs = interface.variables.iter().filter_map(|variable| match &variable.role {
            Role::Output { quantity, .. } => Some(quantity.as_str()),
            _ => None,
        });
        let mut names: Vec<&str> = outputs.collect();
        names.dedup();
        let quantities = match names.is_empty() {
            true => LiveQuantities::default(),
            false => LiveQuantities::select(session, names)?,
        };
        Ok(Self { quantities, row: Vec::new(), is_fresh: false })
    }

    /// Returns the place of the first value of a quantity.
    fn place(&self, name: &str) -> Option<usize> {
        let mut place = 0;
        for info in self.quantities.infos() {
            if info.name == name {
                return Some(place);
            }
            place += info.count();
        }
        None
    }

    /// Notes that the state has changed.
    pub fn expire(&mut self) {
        self.is_fresh = false;
    }

    /// Returns the present value at a place.
    pub fn value(&mut self, session: &Session, place: usize) -> f64 {
        if !self.is_fresh {
            self.row.clear();
            self.quantities.read(session, &mut self.row);
            self.is_fresh = true;
        }
        self.row.get(place).copied().unwrap_or(f64::NAN)
    }
}

/// Returns the slots of all variables, and the values of commands and parameters at the start.
pub fn slots(
    interface: &Interface,
    outputs: &OutputRow,
) -> (Vec<Slot>, Vec<CommandState>, Vec<ParameterValue>) {
    let groups = interface.commands.iter();
    let mut commands: Vec<CommandState> = groups
        .map(|group| CommandState { values: vec![0.0; group.width], is_new: false })
        .collect();
    let mut parameters = Vec::new();
    let slot = |variable: &simhost_fmi::Variable| match &variable.role {
        Role::Time => Slot::Time,
        Role::Input { command, index } => {
            if let StartValue::Number(Some(start)) = variable.start {
                commands[*command].values[*index] = start;
            }
            Slot::Input(*command, *index)
        }
        Role::Output { quantity, index } => {
            Slot::Output(outputs.place(quantity).map_or(usize::MAX, |place| place + index))
        }
        Role::Parameter => {
            parameters.push(match &variable.start {
                StartValue::Truth(truth) => ParameterValue::Truth(*truth),
                StartValue::Number(number) => ParameterValue::Number(number.unwrap_or(f64::NAN)),
                StartValue::Text(text) => {
                    ParameterValue::Text(CString::new(text.as_str()).unwrap_or_default())
                }
            });
            Slot::Parameter(parameters.len() - 1)
        }
    };
    let slots = interface.variables.iter().map(slot).collect();
    (slots, commands, parameters)
}
