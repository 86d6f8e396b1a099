//! Reading of one element according to its section.
//!
//! An [`ElementReader`] matches the attributes and children of an element to the entries of its
//! section and reports everything that is unknown, duplicate, missing or without effect.

mod class_values;
mod contents;
mod declare;
mod field;
mod given;
mod scalars;
mod unknown;
mod values;

pub(crate) use class_values::ClassValues;
pub(crate) use contents::{ElementReader, leaf_text};
pub(crate) use declare::{computed, declare, places};
pub(crate) use field::{Field, Fields, FromElement, FromEntry};
pub(crate) use given::Given;
pub(crate) use scalars::{Words, words};
pub(crate) use unknown::{known_classes, place_of, report_without_effect};
