//! Errors as exceptions of `simhost.errors`.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use simhost::{EnsembleError, Error, InputError, StepError};

/// The last exceptions of models in Python, with the texts of their faults.
static KEPT: Mutex<Vec<(String, PyErr)>> = Mutex::new(Vec::new());

/// Number of exceptions that are kept: of several members that fail at once, each error finds its own.
const MOST_KEPT: usize = 16;

/// Keeps the exception with which a model has failed, for an error whose text contains the text of
/// the fault.
pub fn keep_exception(text: String, error: PyErr) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let place = kept.iter().position(|(known, _)| *known == text);
    let oldest = (kept.len() == MOST_KEPT).then_some(0);
    let dropped = place.or(oldest).map(|place| kept.remove(place));
    kept.push((text, error));
    drop(kept);
    // an object can have a destructor in Python, which calls whatever it likes
    drop(dropped);
}

/// Takes the exception of a model whose fault an error reports.
fn exception_in(text: &str) -> Option<PyErr> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let place = kept.iter().rposition(|(known, _)| text.contains(&**known))?;
    Some(kept.remove(place).1)
}

/// A call from Python has failed.
pub enum Failure {
    /// Another call is stepping.
    Busy,
    /// The session or the ensemble has been closed.
    Closed,
    /// An error of the library.
    Library(Box<Error>),
    /// An exception that has been raised.
    Raised(PyErr),
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Library(Box::new(error.into()))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Busy => raise(
                "BusyError",
                "another call is in progress; expected one call at a time; help: a hook or a progress function \
                 cannot step, and another thread needs a session of its own",
            ),
            Failure::Closed => raise("ClosedError", "it has been closed; help: open it again"),
            Failure::Library(error) => of_library(&error),
            Failure::Raised(error) => error,
        }
    }
}

/// Returns an exception of a class of `simhost.errors`.
pub fn raise(class: &str, text: impl Display) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("simhost.errors")
            .and_then(|module| module.getattr(class)?.call1((text.to_string(),)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// Returns the exception of an error of the library, with the text that the command line shows.
fn of_library(error: &Error) -> PyErr {
    let text = simhost_cli::error_text(error);
    let made = raise(class_of(error), &text);
    let set = Python::attach(|py| {
        let value = made.value(py);
        if let Error::Step(StepError::Fault(report)) = error {
            for word in ["vehicle", "wheel", "sensor"] {
                value.setattr(word, named(&report.entity, word))?;
            }
            value.setattr("time", report.time)?;
            value.setattr("model", &*report.class)?;
            value.setattr("phase", &*report.phase)?;
        }
        // that of a model in Python, with its traceback
        match exception_in(&text) {
            Some(cause) => value.setattr("__cause__", cause.into_value(py)),
            None => Ok(()),
        }
    });
    set.map_or_else(|error| error, |()| made)
}

/// Returns the name after a word of a text such as `vehicle 'car', wheel fl`.
fn named<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut parts = text.split(", ").filter_map(|part| part.strip_prefix(word)?.strip_prefix(' '));
    parts.next().map(|name| name.trim_matches('\''))
}

/// Returns the name of the class in `simhost.errors`.
fn class_of(error: &Error) -> &'static str {
    match error {
        Error::Load(_)
        | Error::Build { .. }
        | Error::Observer { .. }
        | Error::Edits { .. }
        | Error::Placement(_) => "WorldError",
        Error::Plugins(_) => "PluginError",
        Error::Quantity { .. } | Error::Input(InputError::Unknown { .. }) => "UnknownNameError",
        Error::Ensemble(EnsembleError::Member { .. }) => "MemberError",
        Error::Ensemble(EnsembleError::Memory { .. }) => "MemberMemoryError",
        Error::Ensemble(EnsembleError::Shape { .. }) => "ShapeError",
        Error::Input(_)
        | Error::Ensemble(_)
        | Error::Commands(_)
        | Error::CommandFile(_)
        | Error::Past { .. } => "InputError",
        Error::Variation(_) => "VariationError",
        Error::Step(StepError::Fault(_)) => "ModelFault",
        Error::Step(StepError::Diverged(_)) => "DivergedError",
        Error::Snapshot(_) | Error::Restore(_) | Error::TakeOver(_) => "SnapshotError",
        Error::Output(_) | Error::Sink(_) => "OutputError",
        _ => "SimhostError",
    }
}
