//! An instance of an FMU: a session with its variables.

use std::ffi::c_char;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use simhost::{Ended, Error, Options, Session};
use simhost_fmi::{INTERFACE_FILE, Interface, WORLD_FILE};

use crate::logger::{Logger, Status};
use crate::values::{CommandState, OutputRow, ParameterValue, Slot, slots};

/// Largest part of a time step by which a communication step may differ from a multiple of it.
const SIZE_TOLERANCE: f64 = 1e-6;
/// Largest part of a time step by which a communication point may differ: importers add up step sizes, with errors that grow.
const POINT_TOLERANCE: f64 = 1e-2;

/// An instance of an FMU.
pub struct Instance {
    pub interface: Interface,
    pub session: Session,
    pub logger: Logger,
    pub slots: Vec<Slot>,
    pub commands: Vec<CommandState>,
    pub parameters: Vec<ParameterValue>,
    pub outputs: OutputRow,
    /// Time of the importer at which the simulated time is 0, s.
    pub start: f64,
    /// Whether an observer of the world has ended the run.
    pub is_ended: bool,
}

impl Instance {
    /// Opens the world of an FMU.
    pub fn new(token: &str, location: &str, logger: Logger) -> Result<Self, (Logger, Failure)> {
        match open(token, &folder(location)) {
            Ok((interface, session, outputs)) => {
                let (slots, commands, parameters) = slots(&interface, &outputs);
                let (start, is_ended) = (0.0, false);
                Ok(Self {
                    interface,
                    session,
                    logger,
                    slots,
                    commands,
                    parameters,
                    outputs,
                    start,
                    is_ended,
                })
            }
            Err(failure) => Err((logger, failure)),
        }
    }

    /// Time of the importer, s.
    pub fn time(&self) -> f64 {
        self.start + self.session.time().0
    }

    /// Measures before the first step.
    pub fn initialize(&mut self) -> Result<(), Failure> {
        self.session.run_steps(0)?;
        self.outputs.expire();
        Ok(())
    }

    /// Takes the steps between two communication points. Returns whether an observer has ended the run.
    pub fn step(&mut self, point: f64, size: f64) -> Result<bool, Failure> {
        let dt = self.interface.dt;
        let now = self.time();
        if (point - now).abs() > POINT_TOLERANCE * dt {
            let text = format!("the communication point is {point} s; expected {now} s");
            return Err(Failure::error(text));
        }
        let steps = (size / dt).round();
        // also refuses what is not finite
        let fits = (size - steps * dt).abs() <= SIZE_TOLERANCE * dt && (1.0..9e15).contains(&steps);
        if !fits {
            let text = format!(
                "the communication step is {size} s; expected a multiple of the time step of the world, {dt} s"
            );
            return Err(Failure { status: Status::Discard, text });
        }
        self.send_inputs()?;
        self.outputs.expire();
        self.is_ended = matches!(self.session.run_steps(steps as u64)?, Ended::Observer(_));
        Ok(self.is_ended)
    }

    /// Sends the commands whose values the importer has set.
    fn send_inputs(&mut self) -> Result<(), Failure> {
        for (group, state) in self.interface.commands.iter().zip(&mut self.commands) {
            if std::mem::take(&mut state.is_new) {
                let (vehicle, kind) = (group.vehicle.clone(), group.kind.clone());
                let values = state.values.clone();
                let sent =
                    self.session.inputs().send(simhost::Input::Command { vehicle, kind, values });
                sent?;
            }
        }
        Ok(())
    }

    /// Returns to the state after instantiation.
    pub fn reset(&mut self) -> Result<(), Failure> {
        let seed = self.session.world().seed();
        self.session.edit().reset(seed)?;
        (self.slots, self.commands, self.parameters) = slots(&self.interface, &self.outputs);
        self.start = 0.0;
        self.is_ended = false;
        self.outputs.expire();
        Ok(())
    }
}

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

/// Reads the interface and opens the world.
fn open(token: &str, folder: &Path) -> Result<(Interface, Session, OutputRow), Failure> {
    let path = folder.join(INTERFACE_FILE);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::error(format!("failed to read {}: {error}", path.display())))?;
    let interface: Interface = serde_json::from_str(&text)
        .map_err(|error| Failure::error(format!("{}: {error}", path.display())))?;
    if token != interface.token {
        let expected = &interface.token;
        return Err(Failure::error(format!("the token is '{token}'; expected '{expected}'")));
    }
    let session = Session::open(folder.join(WORLD_FILE), Options::default())?;
    let outputs = OutputRow::new(&session, &interface)?;
    Ok((interface, session, outputs))
}

/// Returns the folder that an importer names: a path, or a URI with the scheme `file`.
///
/// FMI 2.0 prescribes a URI and FMI 3.0 a path, but importers mix them up.
fn folder(location: &str) -> PathBuf {
    let Some(rest) = location.strip_prefix("file:") else { return PathBuf::from(location) };
    let path = match rest.strip_prefix("//") {
        // after the host, which is empty or `localhost`
        Some(after) => after.find('/').map_or("", |start| &after[start..]),
        None => rest,
    };
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    // a drive of Windows
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => PathBuf::from(&path[1..]),
        _ => PathBuf::from(path),
    }
}

/// A call has failed.
pub(super) struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    pub fn error(text: impl Into<String>) -> Self {
        Self { status: Status::Error, text: text.into() }
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::error(error.into().to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::folder;

    #[test]
    fn uris_and_paths_are_folders() {
        for (location, expected) in [
            ("file:///tmp/a%20b/resources", "/tmp/a b/resources"),
            ("file://localhost/tmp/resources", "/tmp/resources"),
            ("file:/tmp/resources", "/tmp/resources"),
            ("file:///C:/fmu/resources", "C:/fmu/resources"),
            ("/tmp/50%25/resources/", "/tmp/50%25/resources/"),
        ] {
            assert_eq!(folder(location), PathBuf::from(expected));
        }
    }
}
