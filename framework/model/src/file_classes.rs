//! Classes whose models are declared by files, such as FMUs.

use std::path::Path;

use simhost_abi::Kind;

/// Connects a port to a variable of a file, if their names differ.
#[derive(Clone, Debug, PartialEq)]
pub struct PortMap {
    /// Name of the port; empty for a variable that is not a port.
    pub port: String,
    /// Name of the variable.
    pub variable: String,
    /// Factor from the value of the variable, after the conversion of its unit, to the value of the port.
    pub scale: f64,
    /// Unit of a variable for which the file gives none.
    pub unit: Option<String>,
}

/// Where the code of a file runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodePlace {
    /// In a separate process, so that a crash or an endless loop is a fault of the model.
    #[default]
    Separate,
    /// In this process.
    Here,
}

impl CodePlace {
    /// All places.
    pub const ALL: [Self; 2] = [Self::Separate, Self::Here];
}

/// A model that a file declares, as an element of a world asks for it.
#[derive(Clone, Copy, Debug)]
pub struct FileRequest<'a> {
    /// Kind of the model.
    pub kind: Kind,
    /// Name of the class, such as `fmu`.
    pub class: &'a str,
    /// Absolute path of the file.
    pub file: &'a Path,
    /// Connections of ports to variables.
    pub maps: &'a [PortMap],
    /// Where the code of the file runs.
    pub place: CodePlace,
}

/// The reason why a file does not lead to a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct FileClassError {
    /// The file, what was found, and what was expected.
    pub text: String,
    /// Advice, or empty.
    pub help: String,
    /// Index of the map that is wrong, if it is one.
    pub map: Option<usize>,
}

impl FileClassError {
    /// Returns an error without advice.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), help: String::new(), map: None }
    }

    /// Adds advice.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// Adds the index of the map that is wrong.
    pub fn at_map(self, map: Option<usize>) -> Self {
        Self { map, ..self }
    }
}
