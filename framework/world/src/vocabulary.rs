//! The machinery of the vocabulary: what an element can contain, as tables.
//!
//! A [`Section`] describes one element and an [`Entry`] one name in it. Most of them are made from the
//! declarations of the concepts that they describe, see [`declare`](crate::reader::declare). Reading, hints, the
//! schemas and the reference follow from them: a reader cannot ask for a name that its section does not
//! list, and has to ask for every name that is listed.

mod build;
mod table;

pub(crate) use build::{
    count, element, field, fraction, integer, joined, non_negative, number, positive, section,
};
pub(crate) use table::{Default, Effect, Entry, Form, Quantity, Section, Value};

/// Layout of a point. Without Z, it lies on the ground.
pub(crate) const POINT: &[&str] = &["X Y Z", "X Y"];
/// Sides of a surface that are not drawn.
pub(crate) const CULLED: Value = Value::Choice(&["NONE", "BACK", "FRONT"]);
