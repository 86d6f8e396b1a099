//! The catalogue of models: linked-in families and plugin directories.
//!
//! Linked-in models come first and keep their short names. Then come the directories, in the order
//! given, their files in the order of their names. A library is never unloaded.

mod catalogue;
mod library;
mod scan;

pub use catalogue::{Catalogue, Entry, Options};
pub use library::Refusal;
pub use scan::{ScanError, Skipped};
