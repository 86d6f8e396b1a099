//! An instance of an FMU: a world or a model with its variables.

use std::ffi::c_char;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use simhost::Catalogue;
use simhost_fmi::{INTERFACE_FILE, Interface, Simulated, sha256};
use simhost_registry::{FolderSource, Options, PluginFolder};

use crate::logger::Logger;
use crate::model::ModelSimulator;
use crate::simulator::{Failure, Simulator};
use crate::values::{ParameterValue, Slot, slots};
use crate::world::WorldSimulator;

/// An instance of an FMU.
pub struct Instance {
    pub interface: Interface,
    pub logger: Logger,
    pub slots: Vec<Slot>,
    pub parameters: Vec<ParameterValue>,
    pub simulator: Box<dyn Simulator>,
    /// Whether the initialisation has ended.
    pub is_initialized: bool,
    /// Whether an observer of the world has ended the run.
    pub is_ended: bool,
    /// Whether the importer integrates the states.
    is_exchange: bool,
}

impl Instance {
    /// Opens the resources of an FMU.
    pub fn new(
        token: &str,
        location: &str,
        is_exchange: bool,
        logger: Logger,
    ) -> Result<Self, (Logger, Failure)> {
        match open(token, &folder(location), is_exchange) {
            Ok((interface, simulator)) => {
                let (slots, parameters) = slots(&interface);
                let (is_initialized, is_ended) = (false, false);
                Ok(Self {
                    interface,
                    logger,
                    slots,
                    parameters,
                    simulator,
                    is_initialized,
                    is_ended,
                    is_exchange,
                })
            }
            Err(failure) => Err((logger, failure)),
        }
    }

    /// Time of the importer, s.
    pub fn time(&self) -> f64 {
        self.simulator.time()
    }

    /// Computes the outputs before the first step.
    pub fn initialize(&mut self) -> Result<(), Failure> {
        self.simulator.initialize()?;
        self.is_initialized = true;
        Ok(())
    }

    /// Takes the steps between two communication points. Returns whether an observer has ended the run.
    pub fn step(&mut self, point: f64, size: f64) -> Result<bool, Failure> {
        if self.is_exchange {
            return Err(Failure::error(
                "this instance is one for model exchange; it takes no steps",
            ));
        }
        self.is_ended = self.simulator.step(point, size)?;
        Ok(self.is_ended)
    }

    /// Returns the model whose states the importer integrates.
    pub fn exchange(&mut self) -> Result<&mut dyn Simulator, Failure> {
        match self.is_exchange {
            true => Ok(&mut *self.simulator),
            false => Err(Failure::error("this instance is not one for model exchange")),
        }
    }

    /// Returns to the state after instantiation.
    pub fn reset(&mut self) -> Result<(), Failure> {
        self.simulator.reset()?;
        (self.slots, self.parameters) = slots(&self.interface);
        (self.is_initialized, self.is_ended) = (false, false);
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
        match self.slot(reference)? {
            Slot::Time => Ok(self.time()),
            Slot::Simulated => self.simulator.number(reference as usize),
            Slot::Parameter(index) => match self.parameters[index] {
                ParameterValue::Number(number) => Ok(number),
                _ => Err(self.wrong_type(reference, "a number")),
            },
        }
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

    /// Returns the error of a variable that is of another type than a call asks for.
    pub fn wrong_type(&self, reference: u32, asked: &str) -> Failure {
        Failure::error(format!("the variable '{}' is not {asked}", self.name(reference)))
    }

    /// Sets a number. An input acts from the next step on.
    pub fn set_number(&mut self, reference: u32, value: f64) -> Result<(), Failure> {
        let is_set = match self.slot(reference)? {
            _ if !value.is_finite() => {
                let name = self.name(reference);
                return Err(Failure::error(format!("{name} is {value}; expected a finite number")));
            }
            Slot::Parameter(index)
                if matches!(self.parameters[index], ParameterValue::Number(_)) =>
            {
                self.set_parameter(reference, index, ParameterValue::Number(value))?;
                true
            }
            Slot::Simulated => self.simulator.set_number(reference as usize, value),
            _ => false,
        };
        match is_set {
            true => Ok(()),
            false => Err(self.wrong_type(reference, "a number that can be set now")),
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
        if self.is_initialized && self.interface.variables[reference as usize].role.is_fixed() {
            let text = "a parameter that can change after the initialisation";
            return Err(self.wrong_type(reference, text));
        }
        let text = match &value {
            ParameterValue::Truth(truth) => truth.to_string(),
            ParameterValue::Number(number) => number.to_string(),
            ParameterValue::Text(text) => text.to_string_lossy().into_owned(),
        };
        self.simulator.set_parameter(reference as usize, &text)?;
        self.parameters[index] = value;
        Ok(())
    }
}

/// Reads the interface and opens what it describes.
fn open(
    token: &str,
    folder: &Path,
    is_exchange: bool,
) -> Result<(Interface, Box<dyn Simulator>), Failure> {
    let path = folder.join(INTERFACE_FILE);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::error(format!("failed to read {}: {error}", path.display())))?;
    let interface: Interface = serde_json::from_str(&text)
        .map_err(|error| Failure::error(format!("{}: {error}", path.display())))?;
    if token != interface.token {
        let expected = &interface.token;
        return Err(Failure::error(format!("the token is '{token}'; expected '{expected}'")));
    }
    let has_rates = matches!(&interface.simulated, Simulated::Model(model) if model.has_rates);
    if is_exchange && !has_rates {
        return Err(Failure::error("this FMU supports co-simulation only"));
    }
    let catalogue = catalogue(&interface, folder)?;
    let simulator: Box<dyn Simulator> = match &interface.simulated {
        Simulated::World(commands) => {
            Box::new(WorldSimulator::new(commands.clone(), &interface, folder, catalogue)?)
        }
        Simulated::Model(source) => {
            Box::new(ModelSimulator::new(source, &interface, folder, catalogue, is_exchange)?)
        }
    };
    Ok((interface, simulator))
}

/// Returns the models of the library and of the plugins in an FMU, whose files must not have changed.
fn catalogue(interface: &Interface, folder: &Path) -> Result<Catalogue, Failure> {
    let mut folders = Vec::new();
    for plugin in &interface.plugins {
        let path = folder.join(&plugin.path);
        let bytes = std::fs::read(&path).map_err(|error| {
            Failure::error(format!("failed to read {}: {error}", path.display()))
        })?;
        let (found, expected) = (sha256(&bytes), &plugin.sha256);
        if found != *expected {
            let path = path.display();
            let text = format!("{path} has the SHA-256 {found}; expected {expected}");
            return Err(Failure::error(text));
        }
        let path = path.parent().unwrap_or(folder).to_owned();
        folders.push(PluginFolder { path, source: FolderSource::PluginDir });
    }
    let options = Options { folders, ..Options::default() };
    Catalogue::collect(options).map_err(|error| Failure::error(error.to_string()))
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
