//! Models whose parameters differ between the lanes of a call.

use std::mem::MaybeUninit;
use std::ptr;

use simhost_abi::Batch;

use crate::Params;
use crate::lanes::PerLane;

/// A copy of a model with the parameters of one lane. It only lends references, and does not own
/// the data of the model.
pub(crate) struct Own<M>(MaybeUninit<M>);

/// A model, or the phase of one, with parameters that can differ between lanes.
pub(crate) trait Varied: Sized {
    /// Number of these parameters, and the safety of copies.
    const PER_LANE: PerLane;
    /// Sets these parameters, in order.
    fn set_lane(&mut self, get: impl Fn(usize) -> f64);
}

impl<M: Params> Varied for M {
    const PER_LANE: PerLane = M::PER_LANE;
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        Params::set_lane(self, get);
    }
}

/// Declares a phase of a kind of model. It is transparent over the model and has its parameters.
macro_rules! phase_of {
    ($(#[$doc:meta])* $vis:vis $phase:ident<$kind:ident>) => {
        $(#[$doc])*
        #[repr(transparent)]
        $vis struct $phase<M>(M);

        impl<M: $kind> $crate::batch::Varied for $phase<M> {
            const PER_LANE: $crate::lanes::PerLane = <M as $crate::Params>::PER_LANE;
            #[inline(always)]
            fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
                $crate::Params::set_lane(&mut self.0, get);
            }
        }
    };
}
pub(crate) use phase_of;

impl<M: Varied> Own<M> {
    /// Returns a place for a copy of a model.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(MaybeUninit::uninit())
    }

    /// Copies the model if the lanes of a call have separate parameters.
    #[inline(always)]
    pub const fn copy(&mut self, model: &M, varied: bool) {
        if varied {
            // SAFETY: one is a model and the other has its size, and they do not overlap.
            unsafe { ptr::copy_nonoverlapping(model, self.0.as_mut_ptr(), 1) };
        }
    }

    /// Returns the model with the parameters of a lane, whose columns begin at number `first` of the
    /// inputs.
    ///
    /// # Safety
    /// `varied` is what [`Self::copy`] got. If it is true, `batch` has these columns, and `lane` is one
    /// of the call's.
    #[inline(always)]
    pub unsafe fn of_lane<'a>(
        &'a mut self,
        model: &'a M,
        varied: bool,
        batch: &Batch,
        first: usize,
        lane: usize,
    ) -> &'a M {
        if !varied {
            return model;
        }
        // SAFETY: `copy` has written it. `PerLane` promises that only numbers are written, and that the
        // copy can be read.
        let own = unsafe { self.0.assume_init_mut() };
        // SAFETY: promised by the caller.
        own.set_lane(|k| unsafe { *(*batch.inputs.add(first + k)).add(lane) });
        own
    }
}

/// Returns whether the lanes of a call have separate parameters, whose columns begin at number
/// `first` of the inputs.
///
/// # Safety
/// `batch` is valid, and has the columns of the phase.
#[inline(always)]
pub(crate) unsafe fn are_varied<M: Varied>(batch: &Batch, first: usize) -> bool {
    // all of these columns are null, or none
    // SAFETY: promised by the caller.
    M::PER_LANE.count() > 0 && unsafe { !(*batch.inputs.add(first)).is_null() }
}
