//! Names that refer to other parts of the world. They are looked up once the whole world has been
//! read.

use crate::sources::Span;

/// Names that have to exist somewhere in the world.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// Names of vehicles, for cameras.
    pub vehicles: Vec<(String, Span)>,
    /// Names of objects with a pose.
    pub objects: Vec<(String, Span)>,
    /// The first sensor that needs a georeference.
    pub georeference: Option<Span>,
}
