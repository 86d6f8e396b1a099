//! The loop over the lanes of a batch. A model handles one lane; the loop makes it fast.
//!
//! Lanes are computed in tiles of at most 16. Inputs are read in place. Results are staged for a
//! tile and copied out when the tile is complete, so that the compiler knows that writes do not
//! change inputs, and a panic leaves no lane half written. On x86-64 the loop is compiled for
//! AVX2 (vectors of 4 lanes) and single lanes, and for friction also for AVX-512 (8 lanes) and pairs of
//! lanes. None of them uses fused multiply-add, so all produce the same bits.

mod staged;
mod varied;

use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Range;

use simhost_abi::{Batch, Fault};

use crate::columns::{ports_of, state_of, step_of, store_wheels};
use crate::lanes::PerLane;
use crate::{Columns, Memory, State, Step, fault};
#[cfg(target_arch = "x86_64")]
use simhost_vectors::is_avx512;

pub(crate) use staged::{MAX_COLUMNS, Staged, copy};
pub(crate) use varied::{Own, Varied, are_varied, phase_of};

/// Number of lanes in a full tile.
const TILE: usize = 16;
/// A model whose lanes do not depend on each other.
pub(crate) trait Lanes: Varied {
    /// Inputs of a lane.
    type Inputs: Columns;
    /// Outputs of a lane.
    type Outputs: Columns;
    /// Outputs after those, which [`Self::more`] computes.
    type More: Columns;
    /// State of a lane.
    type State: State;
    /// Whether a lane draws random numbers.
    const RANDOM: bool;
    /// As [`Tiles::EVERY_WIDTH`].
    const EVERY_WIDTH: bool = false;
    /// Computes one lane.
    fn lane(&self, inputs: &Self::Inputs, step: &Step, state: &mut Self::State) -> Self::Outputs;

    /// Returns whether [`Self::simplified`] returns the same bits as [`Self::lane`].
    #[inline(always)]
    fn simplifies(&self, _inputs: &Self::Inputs) -> bool {
        false
    }

    /// Computes one lane without the terms that vanish.
    #[inline(always)]
    fn simplified(
        &self,
        inputs: &Self::Inputs,
        step: &Step,
        state: &mut Self::State,
    ) -> Self::Outputs {
        self.lane(inputs, step, state)
    }

    /// Computes the further outputs of a lane, if there are any, from its outputs and its new state.
    #[inline(always)]
    fn more(
        &self,
        inputs: &Self::Inputs,
        outputs: &Self::Outputs,
        step: &Step,
        state: &Self::State,
    ) -> Self::More {
        let _ = (inputs, outputs, step, state);
        Self::More::load(|_| 0.0)
    }
}

/// A phase of a model on the columns of a call.
pub(crate) trait Tiles: Varied {
    /// Whether a tile with several lanes is allowed. A model with memory computes its lanes one by
    /// one, because a panic must not leave the memory of an earlier lane changed.
    const WIDE: bool;
    /// Whether the loop is compiled for vectors of all widths, and not for AVX2 and single lanes only.
    /// The copies make a program larger, and pay where a phase is called most.
    const EVERY_WIDTH: bool;
    /// Number of the input at which the parameters begin that can differ between lanes.
    const PARAMETERS: usize;

    /// Computes `lanes` lanes from `first` on, at most `N`, and writes their results when all are
    /// complete. The number of lanes is not a constant so that the loop over them is vectorised
    /// instead of unrolled. With `VARIED`, each lane has separate parameters.
    ///
    /// # Safety
    /// The columns of `batch` belong to the phase, and the lanes are lanes of the call.
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    );
}

/// Runs a phase of a model lane by lane or in tiles, and contains its panics.
///
/// # Safety
/// `model` came from `create` of the type that `T` is transparent over, and `batch` is valid: its
/// columns belong to the phase and contain every lane of the call.
pub(crate) unsafe extern "C" fn phase<T: Tiles>(
    model: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    let (phase, batch) = unsafe { (&*model.cast::<T>(), &*batch) };
    // SAFETY: promised by the caller.
    fault::guard(batch, fault, &|batch, done| unsafe { dispatch(phase, batch, done) })
}

/// # Safety
/// As for [`phase`].
#[inline(never)]
unsafe fn dispatch<T: Tiles>(phase: &T, batch: &Batch, done: &Cell<usize>) {
    // SAFETY: promised by the caller.
    unsafe {
        if are_varied::<T>(batch, T::PARAMETERS) {
            return varied(phase, batch, done);
        }
    }
    let end = batch.first + batch.count;
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
    let mut lane = batch.first;
    let is_wide = T::WIDE && batch.count > 1;
    // vectors of 8, 4 and 2 lanes
    #[cfg(target_arch = "x86_64")]
    if is_wide {
        if T::EVERY_WIDTH && batch.count >= 8 && is_avx512() {
            let lanes = lane..end - batch.count % 8;
            lane = lanes.end;
            // SAFETY: the processor has AVX-512; the rest is promised by the caller.
            unsafe { avx512(phase, batch, lanes, done) };
        }
        if lane < end && std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2; the rest is promised by the caller.
            return unsafe { avx2(phase, batch, lane..end, done) };
        }
    }
    // x86-64 processors without AVX2 are old, and a copy for their vectors would be large
    if is_wide && T::EVERY_WIDTH && !cfg!(target_arch = "x86_64") {
        // SAFETY: promised by the caller.
        return unsafe { tiles::<T, TILE, false>(phase, batch, lane..end, done) };
    }
    // SAFETY: promised by the caller.
    unsafe { tiles::<T, 1, false>(phase, batch, lane..end, done) }
}

/// Runs a batch whose lanes have separate parameters. The loop is compiled for AVX2 and single
/// lanes, because further copies would make a program larger.
///
/// # Safety
/// As for [`phase`]; the inputs from [`Tiles::PARAMETERS`] on are columns.
#[inline(never)]
unsafe fn varied<T: Tiles>(phase: &T, batch: &Batch, done: &Cell<usize>) {
    let lanes = batch.first..batch.first + batch.count;
    #[cfg(target_arch = "x86_64")]
    if T::WIDE && batch.count > 1 && std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2; the rest is promised by the caller.
        return unsafe { avx2_varied(phase, batch, lanes, done) };
    }
    // SAFETY: promised by the caller.
    unsafe { tiles::<T, 1, true>(phase, batch, lanes, done) }
}

/// # Safety
/// As for [`phase`], on a processor with these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
unsafe fn avx512<T: Tiles>(phase: &T, batch: &Batch, lanes: Range<usize>, done: &Cell<usize>) {
    // SAFETY: promised by the caller.
    unsafe { tiles::<T, TILE, false>(phase, batch, lanes, done) }
}

/// # Safety
/// As for [`varied`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2_varied<T: Tiles>(phase: &T, batch: &Batch, lanes: Range<usize>, done: &Cell<usize>) {
    // SAFETY: promised by the caller.
    unsafe { tiles::<T, TILE, true>(phase, batch, lanes, done) }
}

/// # Safety
/// As for [`phase`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<T: Tiles>(phase: &T, batch: &Batch, lanes: Range<usize>, done: &Cell<usize>) {
    let rest = if T::EVERY_WIDTH { lanes.end - lanes.len() % 4 } else { lanes.end };
    // SAFETY: promised by the caller.
    unsafe {
        tiles::<T, TILE, false>(phase, batch, lanes.start..rest, done);
        if T::EVERY_WIDTH {
            tiles::<T, 2, false>(phase, batch, rest..lanes.end, done);
        }
    }
}

/// Computes these lanes in tiles of at most `N`.
///
/// # Safety
/// As for [`phase`]; the lanes are lanes of the call.
#[inline(always)]
unsafe fn tiles<T: Tiles, const N: usize, const VARIED: bool>(
    phase: &T,
    batch: &Batch,
    lanes: Range<usize>,
    done: &Cell<usize>,
) {
    let mut lane = lanes.start;
    while lane < lanes.end {
        let count = N.min(lanes.end - lane);
        // SAFETY: the tile lies within the lanes of the call.
        unsafe { phase.tile::<N, VARIED>(batch, lane, count) };
        lane += count;
        done.set(lane);
    }
}

/// A model whose lanes do not depend on each other, as a phase.
///
/// It wraps the model instead of a reference, so that the compiler knows that parameters can be
/// read at any time, and turns branches around them into selections.
#[repr(transparent)]
pub(crate) struct Independent<L>(L);

impl<L: Lanes> Varied for Independent<L> {
    const PER_LANE: PerLane = L::PER_LANE;
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        self.0.set_lane(get);
    }
}

impl<L: Lanes> Tiles for Independent<L> {
    const WIDE: bool = !<L::State as State>::Memory::PRESENT;
    const EVERY_WIDTH: bool = L::EVERY_WIDTH;
    const PARAMETERS: usize = L::Inputs::COUNT;

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        const {
            assert!(L::Inputs::COUNT <= MAX_COLUMNS, "more than 32 inputs");
            assert!(L::Outputs::COUNT <= MAX_COLUMNS, "more than 32 outputs");
            assert!(L::More::COUNT <= MAX_COLUMNS, "more than 32 published outputs");
            assert!(L::State::COUNT <= MAX_COLUMNS, "more than 32 state slots");
            assert!(
                L::More::COUNT == 0 || L::Outputs::PER_WHEEL == 0,
                "outputs per wheel and published outputs"
            );
            assert!(
                L::Outputs::READINGS | L::More::READINGS == 0,
                "an output cannot be a `Reading`"
            );
        }
        let mut own = Own::new();
        own.copy(self, VARIED);
        let mut simplifies = |lane| {
            // SAFETY: promised by the caller.
            unsafe {
                let model = own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane);
                model.0.simplifies(&Self::inputs(batch, lane))
            }
        };
        let mut simple = N > 1 && simplifies(first);
        if const { N > 1 } && simple {
            // all lanes are looked at, because a loop that ends early does not vectorise
            for i in 0..lanes.min(N) {
                simple &= simplifies(first + i);
            }
        }
        // SAFETY: promised by the caller.
        unsafe {
            if const { N > 1 } && simple {
                self.compute::<N, VARIED, true>(batch, first, lanes);
            } else {
                self.compute::<N, VARIED, false>(batch, first, lanes);
            }
        }
    }
}

impl<L: Lanes> Independent<L> {
    /// # Safety
    /// As for [`Tiles::tile`].
    #[inline(always)]
    unsafe fn inputs(batch: &Batch, lane: usize) -> L::Inputs {
        if L::Inputs::PER_WHEEL | L::Inputs::READINGS == 0 {
            // SAFETY: promised by the caller; inputs never alias what is written. Loops vectorise only
            // with this form of the access.
            return L::Inputs::load(|k| unsafe { *(*batch.inputs.add(k)).add(lane) });
        }
        // SAFETY: as above.
        unsafe { ports_of::<L::Inputs>(batch, batch.inputs, lane) }
    }

    /// Computes a tile with [`Lanes::lane`] or [`Lanes::simplified`].
    ///
    /// # Safety
    /// As for [`Tiles::tile`].
    #[inline(always)]
    unsafe fn compute<const N: usize, const VARIED: bool, const SIMPLIFIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        let (mut outputs, mut states) = (Staged::<N>::new(), Staged::<N>::new());
        let mut more = Staged::<N>::new();
        let mut own = Own::new();
        own.copy(self, VARIED);
        for i in 0..lanes.min(N) {
            let lane = first + i;
            // SAFETY: promised by the caller, here and below.
            let Self(model) = unsafe { own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane) };
            // SAFETY: as above.
            let inputs = unsafe { Self::inputs(batch, lane) };
            // SAFETY: as above.
            let mut state = unsafe { state_of::<L::State>(batch, lane) };
            // SAFETY: as above.
            let step = unsafe { step_of(batch, lane, L::RANDOM) };
            let output = if SIMPLIFIED {
                model.simplified(&inputs, &step, &mut state)
            } else {
                model.lane(&inputs, &step, &mut state)
            };
            outputs.put(&output, i);
            // SAFETY: as above.
            unsafe { store_wheels(&output, batch, 0, lane) };
            // a loop with an empty struct in it does not vectorise as well
            if const { L::More::COUNT > 0 && !Self::WIDE } {
                more.put(&model.more(&inputs, &output, &step, &state), i);
            }
            states.put(&state, i);
        }
        if const { L::More::COUNT > 0 && Self::WIDE } {
            // in a loop of its own, in which calls do not keep that of the outputs from being vectorised
            for i in 0..lanes.min(N) {
                let lane = first + i;
                // SAFETY: as above; output and state have been staged.
                unsafe {
                    let Self(model) = own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane);
                    let (inputs, step) =
                        (Self::inputs(batch, lane), step_of(batch, lane, L::RANDOM));
                    let (output, state) = (outputs.get(i), states.get(i));
                    more.put(&model.more(&inputs, &output, &step, &state), i);
                }
            }
        }
        // SAFETY: promised by the caller; all lanes are staged.
        unsafe {
            outputs.copy_out::<L::Outputs>(batch.outputs, first, lanes);
            more.copy_out::<L::More>(batch.outputs.add(L::Outputs::COUNT), first, lanes);
            states.copy_out::<L::State>(batch.states, first, lanes);
        }
    }
}
