//! The wheels of a tile of vehicles: what a class reads of them, and what it sets.

use std::mem::MaybeUninit;

use simhost_abi::{Batch, wheel_flag};

use super::Dynamics;
use super::wheels::WheelMotion;
use crate::Columns;
use crate::batch::copy;
use crate::columns::ports_of;

/// Largest number of wheels whose outputs are staged.
pub(super) const MAX_STAGED_WHEELS: usize = 8;

/// Returns whether all vehicles of a class have the same, small number of wheels.
pub(super) const fn is_fixed<M: Dynamics>() -> bool {
    let mut wheel = 0;
    while wheel < M::WHEELS.len() {
        if M::WHEELS[wheel].flags & wheel_flag::REPEATED != 0 {
            return false;
        }
        wheel += 1;
    }
    wheel <= MAX_STAGED_WHEELS
}

/// Returns the number of wheels, as a constant where the class has a fixed one.
#[inline(always)]
fn wheels<M: Dynamics>(batch: &Batch) -> usize {
    if const { is_fixed::<M>() } { M::WHEELS.len() } else { batch.wheels as usize }
}

/// # Safety
/// The columns of `batch` belong to a phase with actuators, and `lane` is a lane of the call.
#[inline(always)]
pub(super) unsafe fn actuators<M: Dynamics>(batch: &Batch, lane: usize) -> M::Actuators {
    if M::Actuators::PER_WHEEL | M::Actuators::READINGS == 0 {
        // SAFETY: promised by the caller. Loops vectorise only with this form of the access.
        return M::Actuators::load(|k| unsafe { *(*batch.inputs.add(k)).add(lane) });
    }
    // SAFETY: promised by the caller.
    unsafe { ports_of::<M::Actuators>(batch, batch.inputs, lane) }
}

/// Returns the wheels of a lane, whose columns follow `skipped` others.
///
/// # Safety
/// The columns of `batch` belong to a phase with `skipped` inputs before the inputs of the wheels,
/// and `lane` is a lane of the call.
#[inline(always)]
pub(super) unsafe fn motion<M: Dynamics>(
    batch: &Batch,
    skipped: usize,
    lane: usize,
) -> WheelMotion<'_> {
    // SAFETY: promised by the caller.
    unsafe {
        let columns = batch.inputs.add(skipped);
        WheelMotion::new(batch, columns, M::WHEEL_INPUTS.len(), lane, wheels::<M>(batch))
    }
}

/// Wheel outputs of a tile, by column and wheel.
pub(super) struct StagedWheels<const N: usize, const COLUMNS: usize>(
    [[[MaybeUninit<f64>; N]; MAX_STAGED_WHEELS]; COLUMNS],
);

impl<const N: usize, const COLUMNS: usize> StagedWheels<N, COLUMNS> {
    #[inline(always)]
    pub const fn new() -> Self {
        Self([[[const { MaybeUninit::uninit() }; N]; MAX_STAGED_WHEELS]; COLUMNS])
    }

    /// Returns the first wheel of the first lane in a column.
    #[inline(always)]
    pub const fn column(&mut self, column: usize) -> *mut f64 {
        self.0[column].as_mut_ptr().cast()
    }

    /// Copies the wheels of a tile to the columns of the host.
    ///
    /// # Safety
    /// The first `columns` columns of the first `wheels` wheels were staged for `lanes` lanes.
    /// `outputs` has that many columns of scope wheel, and `first .. first + lanes` are lanes of the
    /// call.
    #[inline(always)]
    pub unsafe fn copy_out(
        &self,
        outputs: *const *mut f64,
        columns: usize,
        wheels: usize,
        stride: usize,
        first: usize,
        lanes: usize,
    ) {
        for (k, column) in self.0.iter().enumerate().take(columns) {
            for (wheel, staged) in column.iter().enumerate().take(wheels) {
                // SAFETY: promised by the caller.
                unsafe {
                    let to = (*outputs.add(k)).add(wheel * stride + first);
                    copy(staged.as_ptr().cast(), to, lanes, N);
                }
            }
        }
    }
}
