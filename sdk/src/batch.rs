//! The loop over the lanes of a batch. A model handles one lane; the loop makes it fast.
//!
//! Inputs are read in place. Results are staged for a tile of 16 lanes and copied out when the tile
//! is complete, so that the compiler knows that writes do not change inputs, and a panic leaves no
//! lane half written. On x86-64 the loop is compiled twice, for the baseline and for AVX2. Neither
//! uses fused multiply-add, so both produce the same bits.

use std::cell::Cell;
use std::mem::MaybeUninit;

use simhost_abi::{Batch, Fault};

use crate::columns::{attach_memory, step_of};
use crate::{Columns, State, Step, fault};

/// Number of lanes in a tile.
const TILE: usize = 16;
/// Batches of fewer lanes take the plain loop.
const FEW: usize = 4;
/// Largest number of inputs, of outputs and of state slots of a model.
pub(crate) const MAX_COLUMNS: usize = 32;

/// A model whose lanes do not depend on each other.
pub(crate) trait Lanes {
    /// Inputs of a lane.
    type Inputs: Columns;
    /// Outputs of a lane.
    type Outputs: Columns;
    /// State of a lane.
    type State: State;
    /// Whether a lane draws random numbers.
    const RANDOM: bool;
    /// Computes one lane.
    fn lane(&self, inputs: &Self::Inputs, step: &Step, state: &mut Self::State) -> Self::Outputs;
}

/// Runs a batch and contains its panics.
///
/// # Safety
/// `batch` is valid and its columns hold every lane of the call.
pub(crate) unsafe fn call<L: Lanes>(model: &L, batch: *const Batch, fault: *mut Fault) -> u32 {
    // SAFETY: promised by the caller.
    let batch = unsafe { &*batch };
    // SAFETY: promised by the caller.
    fault::guard(batch, fault, |batch, done| unsafe { dispatch(model, batch, done) })
}

/// # Safety
/// As for [`call`].
unsafe fn dispatch<L: Lanes>(model: &L, batch: &Batch, done: &Cell<usize>) {
    #[cfg(target_arch = "x86_64")]
    if batch.count >= FEW && std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2; the rest is promised by the caller.
        return unsafe { avx2(model, batch, done) };
    }
    // SAFETY: promised by the caller.
    unsafe { lanes(model, batch, done) }
}

/// # Safety
/// As for [`call`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<L: Lanes>(model: &L, batch: &Batch, done: &Cell<usize>) {
    // SAFETY: promised by the caller.
    unsafe { lanes(model, batch, done) }
}

/// # Safety
/// As for [`call`].
#[inline(always)]
unsafe fn lanes<L: Lanes>(model: &L, batch: &Batch, done: &Cell<usize>) {
    const {
        assert!(L::Inputs::COUNT <= MAX_COLUMNS, "more than 32 inputs");
        assert!(L::Outputs::COUNT <= MAX_COLUMNS, "more than 32 outputs");
        assert!(L::State::COUNT <= MAX_COLUMNS, "more than 32 state slots");
    }
    // SAFETY: the tables of pointers hold as many entries as the model declares.
    let columns = unsafe { Table::<L>::read(batch) };
    let end = batch.first + batch.count;
    let mut lane = batch.first;
    if batch.count >= FEW {
        while lane + TILE <= end {
            // SAFETY: the tile lies within the lanes of the call.
            unsafe { columns.tile::<TILE>(model, batch, lane) };
            lane += TILE;
            done.set(lane);
        }
    }
    while lane < end {
        // SAFETY: the lane is one of the call's.
        unsafe { columns.tile::<1>(model, batch, lane) };
        lane += 1;
        done.set(lane);
    }
}

/// The columns of one call.
struct Table<L> {
    inputs: [*const f64; MAX_COLUMNS],
    outputs: [*mut f64; MAX_COLUMNS],
    states: [*mut f64; MAX_COLUMNS],
    model: std::marker::PhantomData<L>,
}

impl<L: Lanes> Table<L> {
    /// # Safety
    /// The tables of pointers of `batch` hold as many entries as `L` declares.
    #[inline(always)]
    unsafe fn read(batch: &Batch) -> Self {
        let mut table = Self {
            inputs: [std::ptr::null(); MAX_COLUMNS],
            outputs: [std::ptr::null_mut(); MAX_COLUMNS],
            states: [std::ptr::null_mut(); MAX_COLUMNS],
            model: std::marker::PhantomData,
        };
        // SAFETY: promised by the caller.
        unsafe {
            for k in 0..L::Inputs::COUNT {
                table.inputs[k] = *batch.inputs.add(k);
            }
            for k in 0..L::Outputs::COUNT {
                table.outputs[k] = *batch.outputs.add(k);
            }
            for k in 0..L::State::COUNT {
                table.states[k] = *batch.states.add(k);
            }
        }
        table
    }

    /// # Safety
    /// `lane .. lane + N` are lanes of the call.
    #[inline(always)]
    unsafe fn tile<const N: usize>(&self, model: &L, batch: &Batch, lane: usize) {
        // only written columns are copied out, so nothing has to be cleared
        let mut outputs = [[const { MaybeUninit::<f64>::uninit() }; N]; MAX_COLUMNS];
        let mut states = [[const { MaybeUninit::<f64>::uninit() }; N]; MAX_COLUMNS];
        for i in 0..N {
            // SAFETY: the lane is one of the call's; inputs never alias what is written.
            let inputs = L::Inputs::load(|k| unsafe { *self.inputs[k].add(lane + i) });
            // SAFETY: as above.
            let mut state = L::State::load(|k| unsafe { *self.states[k].add(lane + i) });
            // SAFETY: as above.
            unsafe { attach_memory(&mut state, batch, lane + i) };
            // SAFETY: as above.
            let step = unsafe { step_of(batch, lane + i, L::RANDOM) };
            let output = model.lane(&inputs, &step, &mut state);
            output.store(|k, value| _ = outputs[k][i].write(value));
            state.store(|k, value| _ = states[k][i].write(value));
        }
        for (staged, column) in outputs.iter().zip(self.outputs).take(L::Outputs::COUNT) {
            // SAFETY: the lanes are the call's; `store` wrote every one of the first `COUNT` rows.
            unsafe { column.add(lane).copy_from_nonoverlapping(staged.as_ptr().cast(), N) };
        }
        for (staged, column) in states.iter().zip(self.states).take(L::State::COUNT) {
            // SAFETY: as above.
            unsafe { column.add(lane).copy_from_nonoverlapping(staged.as_ptr().cast(), N) };
        }
    }
}
