//! Errors with their places, and notes on what was not read.

use std::fmt;

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line in the file, from 1; `None` for the file as a whole.
    pub line: Option<u32>,
    /// What was found, and what was expected.
    pub problem: String,
    /// What to do.
    pub help: Option<String>,
}

impl ReadError {
    /// Creates an error at a line.
    pub fn new(line: u32, problem: impl Into<String>) -> Self {
        Self { line: Some(line), problem: problem.into(), help: None }
    }

    /// Creates an error of the file as a whole.
    pub fn of_file(problem: impl Into<String>) -> Self {
        Self { line: None, problem: problem.into(), help: None }
    }

    /// Adds what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

impl ReadError {
    /// Returns the message with a file and its line in front.
    pub fn in_file(&self, file: impl fmt::Display) -> String {
        let place = self.line.map_or(String::new(), |line| format!(":{line}"));
        let help = self.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        format!("{file}{place}: {}{help}", self.problem)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.problem)?,
            None => f.write_str(&self.problem)?,
        }
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ReadError {}

/// Something in a file that has no effect, or that was simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Line in the file, from 1.
    pub line: u32,
    /// What was found, and why it has no effect or what became of it.
    pub text: String,
}
