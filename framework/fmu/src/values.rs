//! Places and values of variables.

use std::ffi::CString;

use simhost::{Error, LiveQuantities, Session};
use simhost_fmi::{Interface, Role, StartValue};

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum ParameterValue {
    Truth(bool),
    Number(f64),
    Text(CString),
}

/// The quantities of all outputs. Only those that an importer asks for are read.
#[derive(Default)]
pub struct OutputRow(Vec<OutputQuantity>);

/// A quantity of outputs.
struct OutputQuantity {
    name: String,
    quantity: LiveQuantities,
    /// Values at the present step; empty if they have not been read since the last step.
    row: Vec<f64>,
}

/// Place of the value of a variable.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    Time,
    /// Index among the parameters.
    Parameter(usize),
    /// The world or the model has the value.
    Simulated,
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
        let find = |name: &str| {
            let quantity = LiveQuantities::select(session, [name])?;
            Ok(OutputQuantity { name: name.to_owned(), quantity, row: Vec::new() })
        };
        names.into_iter().map(find).collect::<Result<_, Error>>().map(Self)
    }

    /// Returns the index of a quantity.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|one| one.name == name)
    }

    /// Notes that the state has changed.
    pub fn expire(&mut self) {
        self.0.iter_mut().for_each(|one| one.row.clear());
    }

    /// Returns a present value of the quantity with an index.
    pub fn value(&mut self, session: &Session, place: usize, index: usize) -> f64 {
        let Some(OutputQuantity { quantity, row, .. }) = self.0.get_mut(place) else {
            return f64::NAN;
        };
        if row.is_empty() {
            quantity.read(session, row);
        }
        row.get(index).copied().unwrap_or(f64::NAN)
    }
}

/// Returns the slots of all variables, and the values of parameters at the start.
pub fn slots(interface: &Interface) -> (Vec<Slot>, Vec<ParameterValue>) {
    let mut parameters = Vec::new();
    let slot = |variable: &simhost_fmi::Variable| match &variable.role {
        Role::Time => Slot::Time,
        role if role.is_parameter() => {
            parameters.push(match &variable.start {
                StartValue::Truth(truth) => ParameterValue::Truth(*truth),
                StartValue::Number(number) => ParameterValue::Number(number.unwrap_or(f64::NAN)),
                StartValue::Text(text) => {
                    ParameterValue::Text(CString::new(text.as_str()).unwrap_or_default())
                }
            });
            Slot::Parameter(parameters.len() - 1)
        }
        _ => Slot::Simulated,
    };
    let slots = interface.variables.iter().map(slot).collect();
    (slots, parameters)
}
