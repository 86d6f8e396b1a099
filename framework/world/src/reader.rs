//! Reading of one element according to its section.
//!
//! An [`ElementReader`] matches the attributes and children of an element to the entries of its
//! section and reports everything that is unknown, duplicate, missing or without effect.

mod contents;
mod given;
mod unknown;
mod values;

pub(crate) use contents::{ElementReader, leaf_text};
pub(crate) use given::Given;
pub(crate) use unknown::{known_classes, place_of, report_without_effect};
