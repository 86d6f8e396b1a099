//! All lanes of a call at once, for models whose lanes depend on each other.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Deref;

use simhost_abi::{Batch, Fault, fault_code};

use crate::columns::{ports_of, state_of, step_of, store_wheels};
use crate::{Columns, State, Step, fault};

/// The lanes of a model with `const WHOLE_BATCH: bool = true`: all wheels (for a friction model) or all
/// vehicles (for a controller) in the world that share the model and its parameters, or all vehicles of
/// a fleet, in the order of the world file; of wheels, the first one of all vehicles comes first.
pub struct Group<'a, I, O, S> {
    batch: &'a Batch,
    random: bool,
    types: PhantomData<(I, O, S)>,
}

/// The inputs of a lane during a call. They dereference to the struct with the ports.
pub struct LaneInputs<'a, I> {
    inputs: I,
    /// Ports with several values refer to columns of the call.
    call: PhantomData<&'a Batch>,
}

impl<I> Deref for LaneInputs<'_, I> {
    type Target = I;
    #[inline(always)]
    fn deref(&self) -> &I {
        &self.inputs
    }
}

/// The step of a lane during a call, with its random stream. It dereferences to the [`Step`].
pub struct LaneStep<'a> {
    step: Step,
    /// The services of a step end with the call.
    call: PhantomData<&'a Batch>,
}

impl Deref for LaneStep<'_> {
    type Target = Step;
    #[inline(always)]
    fn deref(&self) -> &Step {
        &self.step
    }
}

impl<'a, I: Columns, O: Columns, S: State> Group<'a, I, O, S> {
    /// # Safety
    /// The columns of `batch` belong to `I`, to `O` and possibly further outputs, and to `S`.
    pub(crate) unsafe fn new(batch: &'a Batch, random: bool) -> Self {
        Self { batch, random, types: PhantomData }
    }

    /// Returns the number of lanes.
    #[expect(clippy::len_without_is_empty, reason = "a call has at least one lane")]
    pub fn len(&self) -> usize {
        self.batch.count
    }

    /// Returns the inputs of a lane.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn inputs(&self, lane: usize) -> LaneInputs<'a, I> {
        let lane = self.index(lane);
        // SAFETY: promised in `new`, and the lane is one of the call's; the life of the result is that of
        // the call.
        let inputs = unsafe { ports_of(self.batch, self.batch.inputs, lane) };
        LaneInputs { inputs, call: PhantomData }
    }

    /// Returns the state of a lane. If it has memory, the memory is borrowed until the state is dropped.
    ///
    /// # Panics
    ///
    /// If there is no such lane, or if a state of this lane with memory still exists.
    #[inline(always)]
    pub fn state(&self, lane: usize) -> S {
        let lane = self.index(lane);
        // SAFETY: as above.
        unsafe { state_of(self.batch, lane) }
    }

    /// Returns the step, with the random stream of a lane if the model draws random numbers.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn step(&self, lane: usize) -> LaneStep<'a> {
        let lane = self.index(lane);
        // SAFETY: as above.
        let step = unsafe { step_of(self.batch, lane, self.random) };
        LaneStep { step, call: PhantomData }
    }

    /// Sets the outputs and the state of a lane. The host requires the outputs of all lanes.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, outputs: &O, state: &S) {
        let lane = self.index(lane);
        // SAFETY: as above, here and below.
        outputs.store(|k, value| unsafe { *(*self.batch.outputs.add(k)).add(lane) = value });
        // SAFETY: as above.
        unsafe { store_wheels(outputs, self.batch, 0, lane) };
        // SAFETY: as above.
        state.store(|k, value| unsafe { *(*self.batch.states.add(k)).add(lane) = value });
    }

    /// Returns the outputs that have been set for a lane.
    #[inline(always)]
    pub(crate) fn outputs(&self, lane: usize) -> O {
        let lane = self.index(lane);
        // SAFETY: as above.
        O::load(|k| unsafe { *(*self.batch.outputs.add(k)).add(lane) })
    }

    /// Stores further outputs of a lane, which follow the outputs of `O`.
    #[inline(always)]
    pub(crate) fn set_more(&mut self, lane: usize, more: &impl Columns) {
        let lane = self.index(lane);
        let first = O::COUNT;
        // SAFETY: as above.
        more.store(|k, value| unsafe { *(*self.batch.outputs.add(first + k)).add(lane) = value });
    }

    /// Returns the index of a lane in the columns.
    #[inline(always)]
    fn index(&self, lane: usize) -> usize {
        assert!(lane < self.batch.count, "lane {lane} of {}", self.batch.count);
        self.batch.first + lane
    }
}

/// A phase that computes all lanes of a call at once. It is transparent over the model.
pub(crate) trait Whole {
    /// Inputs of a lane.
    type Inputs: Columns;
    /// Outputs of a lane.
    type Outputs: Columns;
    /// State of a lane.
    type State: State;
    /// Whether a lane draws random numbers.
    const RANDOM: bool;
    /// Computes all lanes.
    fn all(&self, lanes: &mut Group<'_, Self::Inputs, Self::Outputs, Self::State>);
}

/// Runs a phase over all lanes of a call, which fault together.
///
/// # Safety
/// `model` came from `create` of the type that `W` is transparent over. `batch` is valid, and its
/// columns belong to the phase.
pub(crate) unsafe extern "C" fn phase<W: Whole>(
    model: *const c_void,
    batch: *const Batch,
    to: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    let (phase, batch) = unsafe { (&*model.cast::<W>(), &*batch) };
    // SAFETY: promised by the caller.
    match fault::contain(|| phase.all(&mut unsafe { Group::new(batch, W::RANDOM) })) {
        Ok(()) => fault_code::NONE,
        Err(caught) => caught.report(to, batch.first as u64),
    }
}
