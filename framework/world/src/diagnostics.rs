//! Errors and warnings about a world file.

mod diagnostic;
mod hints;
mod render;
mod report;

pub use diagnostic::{Diagnostic, LoadError, Severity};
pub(crate) use hints::{MAX_COMPARED, did_you_mean};
pub(crate) use report::Report;
