//! Visuals: how a body looks, and the outline that follows from it.

mod appearance;
mod mesh;
mod shape;

pub(crate) use appearance::ENTRY;
pub use appearance::Visual;
pub(crate) use shape::{Shape, report_placeholder, shape_of};
