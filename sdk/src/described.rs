//! The interface between the traits of models and their descriptors.

use simhost_abi::{ImagesTable, SpatialTable};

use crate::batch::{Lanes, Varied};
use crate::lanes::PerLane;
use crate::{Columns, Params, State, Step};

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

/// Declares the type that builds the descriptors of a kind of model, with further items of
/// [`Described`].
macro_rules! described {
    ($name:ident<$kind:ident>, $doc:literal $($more:tt)*) => {
        #[doc = $doc]
        #[doc(hidden)]
        pub struct $name<M>(std::marker::PhantomData<M>);

        impl<M: $kind> $crate::described::Described for $name<M> {
            type Model = M;
            type State = M::State;
            fn prepare(model: &mut M) -> Result<(), String> {
                model.prepare()
            }
            fn memory(model: &M) -> <M::State as $crate::State>::Memory {
                model.memory()
            }
            $($more)*
        }
    };
}
pub(crate) use described;

/// Declares the methods of a trait of models with which a model starts. `once` and `lane` complete the
/// sentences that say how often they are called.
macro_rules! starting_methods {
    (once: $once:literal, lane: $lane:literal) => {
        /// Checks the parameters against each other and computes derived values, like
        /// [`crate::Friction::prepare`], which has an example.
        #[doc = concat!("Called once per ", $once, ", on the thread that")]
        /// loads the world, before any other method. It can allocate.
        ///
        /// # Errors
        ///
        /// A message for the user that says which parameters do not fit together.
        fn prepare(&mut self) -> Result<(), String> {
            Ok(())
        }

        #[doc = concat!("Returns the memory of ", $lane, " at the start of a run,")]
        /// like [`crate::Friction::memory`], which has an example.
        /// Called once for each while the world is loaded. It can allocate.
        fn memory(&self) -> <Self::State as State>::Memory {
            Default::default()
        }
    };
}
pub(crate) use starting_methods;

/// A model whose states change continuously.
pub(crate) trait Integrated: Described {
    /// Inputs of a lane.
    type Inputs: Columns;
    /// Whether the states do so. The phase exists for every model, and most do not export it.
    const CONTINUOUS: bool;
    /// Returns the rates of change of the states of a lane.
    fn rates(model: &Self::Model, inputs: &Self::Inputs, state: &Self::State) -> Self::State;
}

/// The phase that returns the rates of change of the states.
#[repr(transparent)]
pub(crate) struct Rates<D: Described>(D::Model);

impl<D: Integrated> Varied for Rates<D> {
    const PER_LANE: PerLane =
        if D::CONTINUOUS { <D::Model as Params>::PER_LANE } else { PerLane::NONE };
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        Params::set_lane(&mut self.0, get);
    }
}

impl<D: Integrated> Lanes for Rates<D> {
    type Inputs = D::Inputs;
    type Outputs = D::State;
    type More = ();
    type State = D::State;
    const RANDOM: bool = false;
    #[inline(always)]
    fn lane(&self, inputs: &D::Inputs, _: &Step, state: &mut D::State) -> D::State {
        D::rates(&self.0, inputs, state)
    }
}
