//! Access of the importer to variables by their references.

use std::ffi::c_char;

use crate::failure::Failure;
use crate::instance::Instance;
use crate::values::{ParameterValue, Slot};

impl Instance {
    fn slot(&self, reference: u32) -> Result<Slot, Failure> {
        self.slots.get(reference as usize).copied().ok_or_else(|| {
            let most = self.slots.len() - 1;
            Failure::error(format!("unknown value reference {reference}; expected 0 to {most}"))
        })
    }

    fn name(&self, reference: u32) -> &str {
        &self.interface.variables[reference as usize].name
    }

    /// Returns a number.
    pub fn number(&mut self, reference: u32) -> Result<f64, Failure> {
        Ok(match self.slot(reference)? {
            Slot::Time => self.time(),
            Slot::Input(command, index) => self.commands[command].values[index],
            Slot::Output(place) => self.outputs.value(&self.session, place),
            Slot::Parameter(index) => match self.parameters[index] {
                ParameterValue::Number(number) => number,
                _ => return Err(self.wrong_type(reference, "a number")),
            },
        })
    }

    /// Returns the value of a parameter; `None` for other variables.
    fn parameter(&self, reference: u32) -> Result<Option<&ParameterValue>, Failure> {
        Ok(match self.slot(reference)? {
            Slot::Parameter(index) => Some(&self.parameters[index]),
            _ => None,
        })
    }

    /// Returns a truth value.
    pub fn truth(&mut self, reference: u32) -> Result<bool, Failure> {
        match self.parameter(reference)? {
            Some(ParameterValue::Truth(truth)) => Ok(*truth),
            _ => Err(self.wrong_type(reference, "a truth value")),
        }
    }

    /// Returns a text, which is valid until the variable is set.
    pub fn text(&mut self, reference: u32) -> Result<*const c_char, Failure> {
        match self.parameter(reference)? {
            Some(ParameterValue::Text(text)) => Ok(text.as_ptr()),
            _ => Err(self.wrong_type(reference, "a text")),
        }
    }

    fn wrong_type(&self, reference: u32, asked: &str) -> Failure {
        Failure::error(format!("the variable '{}' is not {asked}", self.name(reference)))
    }

    /// Sets a number. An input acts from the next step on.
    pub fn set_number(&mut self, reference: u32, value: f64) -> Result<(), Failure> {
        match self.slot(reference)? {
            _ if !value.is_finite() => {
                let name = self.name(reference);
                Err(Failure::error(format!("{name} is {value}; expected a finite number")))
            }
            Slot::Input(command, index) => {
                let command = &mut self.commands[command];
                command.values[index] = value;
                command.is_new = true;
                Ok(())
            }
            Slot::Parameter(index)
                if matches!(self.parameters[index], ParameterValue::Number(_)) =>
            {
                self.set_parameter(reference, index, ParameterValue::Number(value))
            }
            _ => Err(self.wrong_type(reference, "a number that can be set")),
        }
    }

    /// Sets a parameter that is a truth value or a text.
    pub fn set_other(&mut self, reference: u32, value: ParameterValue) -> Result<(), Failure> {
        match self.slot(reference)? {
            Slot::Parameter(index)
                if std::mem::discriminant(&self.parameters[index])
                    == std::mem::discriminant(&value) =>
            {
                self.set_parameter(reference, index, value)
            }
            _ => Err(self.wrong_type(reference, "a parameter of this type")),
        }
    }

    fn set_parameter(
        &mut self,
        reference: u32,
        index: usize,
        value: ParameterValue,
    ) -> Result<(), Failure> {
        if self.parameters[index] == value {
            return Ok(());
        }
        let text = match &value {
            ParameterValue::Truth(truth) => truth.to_string(),
            ParameterValue::Number(number) => number.to_string(),
            ParameterValue::Text(text) => text.to_string_lossy().into_owned(),
        };
        let name = &self.interface.variables[reference as usize].name;
        self.session.edit().set_parameter(name, &text)?;
        self.parameters[index] = value;
        self.outputs.expire();
        Ok(())
    }
}
