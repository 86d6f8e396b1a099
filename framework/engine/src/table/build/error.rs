//! Errors of the construction of tables.

use crate::model::ModelError;
use crate::physics::BodyError;

/// A table cannot be built.
#[derive(Debug)]
pub(crate) enum TableError {
    /// A model cannot be used.
    Model(ModelError),
    /// The body of a vehicle cannot exist.
    Body(BodyError),
}

impl From<ModelError> for TableError {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<BodyError> for TableError {
    fn from(error: BodyError) -> Self {
        Self::Body(error)
    }
}
