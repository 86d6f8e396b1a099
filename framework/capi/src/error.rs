//! Codes and texts of errors.

use std::ffi::{CString, c_char};

use simhost::{EnsembleError, Error, InputError, StepError};
use simhost_world::{Diagnostic, Severity, Sources, Span};

/// Result of a call, as `SIMHOST_OK` and the following constants in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    Argument = 1,
    Handle = 2,
    ShortBuffer = 3,
    Busy = 4,
    Panic = 5,
    NotOpen = 6,
    World = 7,
    Plugin = 8,
    UnknownName = 9,
    Input = 10,
    Variation = 11,
    Shape = 12,
    Member = 13,
    Memory = 14,
    Fault = 15,
    Diverged = 16,
    Snapshot = 17,
    Output = 18,
    Failed = 19,
}

/// Codes with their names, which end with a zero byte, in the order of the codes.
const NAMES: [&str; 20] = [
    "ok\0",
    "invalid argument\0",
    "invalid handle\0",
    "short buffer\0",
    "another call uses the handle\0",
    "panic\0",
    "not open\0",
    "invalid world\0",
    "invalid plugin\0",
    "unknown name\0",
    "value not accepted\0",
    "invalid variation\0",
    "wrong shape\0",
    "unknown member\0",
    "too many members for the memory\0",
    "fault of a model\0",
    "diverged\0",
    "invalid snapshot\0",
    "output not written\0",
    "failed\0",
];

/// Returns the name of a code as a static text, for codes that have no last error.
pub extern "C" fn code_name(code: i32) -> *const c_char {
    let name = usize::try_from(code).ok().and_then(|code| NAMES.get(code));
    name.map_or("unknown code\0", |name| name).as_ptr().cast()
}

/// A call that has failed.
#[derive(Debug)]
pub struct CallError {
    pub code: Status,
    pub text: String,
    /// File, line and column, counted from 1.
    pub place: Option<(String, u32, u32)>,
}

impl CallError {
    pub fn new(code: Status, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), place: None }
    }

    /// Returns the error of an argument that is not accepted.
    pub fn argument(text: impl Into<String>) -> Self {
        Self::new(Status::Argument, text)
    }
}

impl<E: Into<Error>> From<E> for CallError {
    fn from(error: E) -> Self {
        let error = error.into();
        let (text, place) = text_and_place(&error);
        Self { code: code_of(&error), text, place }
    }
}

/// Returns the code of an error, as the Python package chooses the class of an exception.
fn code_of(error: &Error) -> Status {
    match error {
        Error::Load(_)
        | Error::Build { .. }
        | Error::Observer { .. }
        | Error::Edits { .. }
        | Error::Placement(_) => Status::World,
        Error::Plugins(_) => Status::Plugin,
        Error::Quantity { .. } | Error::Input(InputError::Unknown { .. }) => Status::UnknownName,
        Error::Ensemble(EnsembleError::Member { .. }) => Status::Member,
        Error::Ensemble(EnsembleError::Memory { .. }) => Status::Memory,
        Error::Ensemble(EnsembleError::Shape { .. }) => Status::Shape,
        Error::Input(_)
        | Error::Ensemble(_)
        | Error::Commands(_)
        | Error::CommandFile(_)
        | Error::Past { .. } => Status::Input,
        Error::Variation(_) => Status::Variation,
        Error::Step(StepError::Fault(_)) => Status::Fault,
        Error::Step(StepError::Diverged(_)) => Status::Diverged,
        Error::Snapshot(_) | Error::Restore(_) | Error::TakeOver(_) => Status::Snapshot,
        Error::Output(_) | Error::Sink(_) => Status::Output,
        _ => Status::Failed,
    }
}

/// Position of an error: file, line and column.
type Place = Option<(String, u32, u32)>;

/// Returns the text of an error, with all diagnostics, and the position of the first one.
fn text_and_place(error: &Error) -> (String, Place) {
    match error {
        Error::Load(found) => {
            let mut errors = found.diagnostics.iter().filter(|one| one.severity == Severity::Error);
            let place = errors.find_map(|one| one.span);
            (error.to_string(), place_of(place, &found.sources))
        }
        Error::Build { error, sources } => at(error, error.span(), sources),
        Error::Observer { error, sources } => at(error, error.span(), sources),
        Error::Quantity { error, span, sources } => at(error, *span, sources),
        _ => (error.to_string(), None),
    }
}

/// Returns the text of an error at a position, with the line of the file, and the position.
fn at(error: &impl ToString, span: Option<Span>, sources: &Sources) -> (String, Place) {
    let text = error.to_string();
    match span {
        None => (text, None),
        Some(span) => {
            let text = Diagnostic::error(text).at(span).render(sources, false);
            (text, place_of(Some(span), sources))
        }
    }
}

fn place_of(span: Option<Span>, sources: &Sources) -> Place {
    let (path, line, column) = sources.position(span?);
    Some((path.display().to_string(), line as u32, column as u32))
}

/// The last error of a handle, as texts of C.
pub struct LastError {
    pub code: Status,
    pub text: CString,
    pub file: Option<CString>,
    pub line: u32,
    pub column: u32,
}

impl From<CallError> for LastError {
    fn from(CallError { code, text, place }: CallError) -> Self {
        let (file, line, column) = match place {
            Some((file, line, column)) => (Some(c_text(&file)), line, column),
            None => (None, 0, 0),
        };
        Self { code, text: c_text(&text), file, line, column }
    }
}

/// Returns a text of C, which ends at the first zero byte of `text`.
pub fn c_text(text: &str) -> CString {
    let before_zero = text.split('\0').next().unwrap_or_default();
    CString::new(before_zero).unwrap_or_default()
}
