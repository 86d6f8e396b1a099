//! The interface between the traits of models and their descriptors.

use simhost_abi::{ImagesTable, SpatialTable};

use crate::{Params, State};

/// The part of a model that its descriptor needs, whatever its kind.
pub(crate) trait Described {
    /// Struct that implements the model and holds its parameters.
    type Model: Params;
    /// State of a lane.
    type State: State;
    /// Table of a sensor that can cast rays in space.
    const SPATIAL: Option<&'static SpatialTable> = None;
    /// Table of a sensor that can give images.
    const IMAGES: Option<&'static ImagesTable> = None;
    /// Checks the parameters and computes derived values.
    fn prepare(model: &mut Self::Model) -> Result<(), String>;
    /// Returns the memory of a lane at the start of a run.
    fn memory(model: &Self::Model) -> <Self::State as State>::Memory;
}
