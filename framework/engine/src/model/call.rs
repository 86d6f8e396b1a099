//! Calls of a model's phase on columns.

use std::ops::Range;
use std::ptr::{self, slice_from_raw_parts};
use std::sync::Arc;

use simhost_abi::host::{Circumstances, LaneShape, PhaseColumns, services};
use simhost_abi::{ArrayPort, Fault, Phase, model_flag};
use simhost_model::breadcrumb::{CallLabel, LabelHandle};
use simhost_model::{
    Entities, Entity, Instance, Memories, ModelRef, ParamValue, PhaseCall, View, initial_states,
};

use super::array::ArrayColumns;
use super::capture::Capture;
use super::copies::MemoryCopies;
use super::examination::{Examination, is_examined};
use super::lanes::LaneValues;
use crate::columns::{Column, Columns, all_finite};
use crate::encoding::SnapshotError;
use crate::moment::Moment;

/// Columns and lane data of one phase.
pub(crate) struct CallColumns {
    /// In the order of the phase's inputs.
    pub inputs: Vec<Column>,
    /// For each input that is an array, its columns; empty if none is.
    pub arrays: Vec<Option<ArrayColumns>>,
    /// In the order of the phase's outputs.
    pub outputs: Vec<Column>,
    /// In the order of the model's state slots.
    pub states: Vec<Column>,
    /// Memories of the lanes.
    pub memories: Option<Arc<Memories>>,
    /// Vehicle, wheel or sensor of each lane.
    pub entities: Entities,
    /// Parameters of each lane if they differ.
    pub values: LaneValues,
}

/// A phase of an instance, bound to columns.
pub(crate) struct Call {
    call: PhaseCall,
    /// Descriptor of the phase.
    pub phase: &'static View<Phase>,
    inputs: Arc<[Column]>,
    arrays: Arc<[Option<ArrayColumns>]>,
    outputs: Arc<[Column]>,
    states: Arc<[Column]>,
    memories: Option<Arc<Memories>>,
    /// Whether the model asks about the world around its vehicle.
    perceives: bool,
    values: LaneValues,
    /// Request for the evidence of a call.
    capture: Option<Arc<Capture>>,
    /// Whether the model is not linked in, so that what it writes is examined in some steps.
    is_foreign: bool,
    /// Whether it has columns, as all but clones have.
    is_bound: bool,
}

/// A clone has no columns: it cannot be run before [`Call::bind`]. Nothing asks for its evidence.
impl Clone for Call {
    fn clone(&self) -> Self {
        Self {
            // SAFETY: the clone is not run.
            call: unsafe { self.call.on(self.phase, PhaseColumns::default()) },
            phase: self.phase,
            inputs: Arc::clone(&self.inputs),
            arrays: Arc::clone(&self.arrays),
            outputs: Arc::clone(&self.outputs),
            states: Arc::clone(&self.states),
            memories: self.memories.clone(),
            perceives: self.perceives,
            values: self.values.clone(),
            capture: None,
            is_foreign: self.is_foreign,
            is_bound: false,
        }
    }
}

impl Call {
    /// Binds a phase to columns. The columns must live as long as the call.
    pub fn new(
        instance: &Arc<Instance>,
        phase: &'static View<Phase>,
        bound: CallColumns,
        shape: LaneShape,
        columns: &Columns,
    ) -> Self {
        let CallColumns { inputs, arrays, outputs, states, memories, entities, values } = bound;
        let pointers = addresses(columns, [&inputs, &outputs, &states], &arrays);
        // models that are linked in are part of the program, and `plugin check` has checked them
        let is_foreign = !instance.class().is_linked_in();
        let checks_floats = is_foreign;
        let label = CallLabel::of(instance.class(), phase.id(), entities);
        let label = LabelHandle::new(CallLabel { checks_floats, ..label });
        // SAFETY: the columns are those that the phase declares and hold all lanes. They are owned by the
        // table or sensor group that owns the call, do not move, and are held exclusively by the caller of
        // `run`.
        let call = unsafe { PhaseCall::new(instance, phase, label, shape, pointers) };
        let perceives = instance.has_flag(model_flag::PERCEIVES);
        let capture = None;
        Self {
            call,
            phase,
            inputs: inputs.into(),
            arrays: arrays.into(),
            outputs: outputs.into(),
            states: states.into(),
            memories,
            perceives,
            values,
            capture,
            is_foreign,
            is_bound: true,
        }
    }

    /// Binds a clone to copies of its columns, with memories of its own.
    ///
    /// # Errors
    /// [`SnapshotError::Memory`] if the model fails to save a memory.
    pub fn bind(
        &mut self,
        columns: &Columns,
        copies: &mut MemoryCopies,
    ) -> Result<(), SnapshotError> {
        let fail = |lane, fault: &_| self.memory_error(lane, fault);
        let memories = self.memories.as_ref().map(|own| copies.of(own, fail)).transpose()?;
        let pointers =
            addresses(columns, [&self.inputs, &self.outputs, &self.states], &self.arrays);
        // SAFETY: as in `new`.
        let call = unsafe { self.call.on(self.phase, pointers) };
        (self.call, self.memories, self.is_bound) = (call, memories, true);
        Ok(())
    }

    /// Asks for the evidence of a call.
    pub fn set_capture(&mut self, capture: Arc<Capture>) {
        self.capture = Some(capture);
    }

    /// Returns the request for the evidence of a call.
    pub fn capture(&self) -> Option<&Capture> {
        self.capture.as_deref()
    }

    /// Returns whether the model asks about the world around its vehicle.
    pub fn perceives(&self) -> bool {
        self.perceives
    }

    /// Returns whether the model computes the same at any time.
    pub fn is_time_invariant(&self) -> bool {
        self.instance().has_flag(model_flag::TIME_INVARIANT)
    }

    /// Returns the sizes that all lanes share.
    pub fn shape(&self) -> LaneShape {
        self.call.shape()
    }

    /// Returns what an examined call may write.
    fn examination(&self) -> Examination<'_> {
        Examination {
            phase: self.phase,
            slots: self.instance().model().states(),
            shape: self.shape(),
            inputs: &self.inputs,
            outputs: &self.outputs,
            states: &self.states,
            shares_states: self.call.label().entities.are_shared(),
        }
    }

    /// Returns the columns of the inputs.
    pub fn inputs(&self) -> &[Column] {
        &self.inputs
    }

    /// Returns the columns of an input that is an array.
    pub fn array(&self, input: usize) -> Option<ArrayColumns> {
        self.arrays.get(input).copied().flatten()
    }

    /// Returns the columns of the outputs.
    pub fn outputs(&self) -> &[Column] {
        &self.outputs
    }

    /// Returns the column of an input.
    pub fn input(&self, name: &str) -> Option<Column> {
        let number = self.phase.inputs().iter().position(|port| port.name() == name)?;
        self.inputs.get(number).copied()
    }

    /// Returns the column of an output.
    pub fn output(&self, name: &str) -> Option<Column> {
        let number = self.phase.outputs().iter().position(|port| port.name() == name)?;
        self.outputs.get(number).copied()
    }

    /// Returns the columns of the state slots.
    pub fn states(&self) -> &[Column] {
        &self.states
    }

    /// Returns the parameters of a lane.
    pub fn values(&self, lane: usize) -> &[ParamValue] {
        match self.values.len() {
            0 => self.instance().values(),
            count => &self.values[lane % count],
        }
    }

    /// Replaces the parameters of a vehicle, of `count`, for evidence. The columns have those that models read.
    pub fn set_values(&mut self, vehicle: usize, count: usize, values: &Arc<[ParamValue]>) {
        let mut all: Vec<_> = (0..count)
            .map(|lane| match self.values.len() {
                0 => Arc::clone(self.instance().values()),
                known => Arc::clone(&self.values[lane % known]),
            })
            .collect();
        all[vehicle] = Arc::clone(values);
        self.values = all.into();
    }

    /// Returns the lane whose state a lane has: that of the world, or its own.
    pub fn state_lane(&self, lane: usize) -> usize {
        if self.call.label().entities.are_shared() { 0 } else { lane }
    }

    /// Returns the vehicle, wheel or sensor of a lane.
    pub fn entity(&self, lane: usize) -> Entity<'_> {
        self.call.label().entities.get(lane)
    }

    /// Copies the state columns to `saved`, for [`Self::saved_state`].
    pub fn save_states(&self, columns: &Columns, saved: &mut Vec<f64>) {
        // the state slots of a model are added one after the other
        let (Some(first), Some(last)) = (self.states.first(), self.states.last()) else { return };
        saved.clear();
        saved.extend_from_slice(columns.between(*first, *last));
    }

    /// Returns the values of a state slot among those that [`Self::save_states`] has copied.
    pub fn saved_state<'s>(&self, saved: &'s [f64], slot: usize) -> &'s [f64] {
        let (first, column) = (self.states[0], self.states[slot]);
        &saved[column.offset_from(first)..][..column.len()]
    }

    /// Returns the version of the model's states and memory.
    pub fn schema(&self) -> u32 {
        self.instance().model().schema
    }

    /// Returns the instance.
    pub fn instance(&self) -> &Instance {
        self.call.instance()
    }

    /// Returns the memories of the lanes, or `None` for a model without memory.
    pub fn memories(&self) -> Option<&Memories> {
        self.memories.as_deref()
    }

    /// Returns the saved memory of a lane, or `None` for a model without memory or that fails.
    pub fn saved_memory(&self, lane: usize) -> Option<Vec<u8>> {
        self.memories.as_ref()?.save(lane).ok()
    }

    /// Returns whether the model draws random numbers.
    pub fn is_random(&self) -> bool {
        self.instance().has_flag(model_flag::RANDOM)
    }

    /// Returns whether lanes depend on each other, so that all must be in one call.
    pub fn needs_whole_batch(&self) -> bool {
        self.instance().has_flag(model_flag::WHOLE_BATCH)
    }

    /// Returns the class of the model.
    pub fn class(&self) -> &ModelRef {
        self.instance().class()
    }

    /// Returns kind, name, version and origin of the model, as messages show them.
    pub fn description(&self) -> String {
        let class = self.class();
        let (kind, version) = (class.model.kind_tag(), class.model.version());
        format!("{kind} {} {version} ({})", class.full_name, class.source)
    }

    /// Calls the phase for a range of lanes. Returns a fault with the lanes that have not been
    /// reached; lanes before the faulted one are complete.
    #[expect(clippy::result_large_err, reason = "a fault contains its text, as at the boundary")]
    pub fn run(
        &self,
        columns: &mut Columns,
        lanes: Range<usize>,
        moment: &Moment,
        streams: &[u64],
    ) -> Option<(Fault, Range<usize>)> {
        if lanes.is_empty() {
            return None;
        }
        assert!(self.is_bound, "a call has columns");
        let entities = &self.call.label().entities;
        let inquiry = if self.perceives { moment.inquiry(entities) } else { None };
        let asked = inquiry.as_ref().map(services);
        let at = Circumstances {
            time: moment.time(),
            dt: moment.clock.dt,
            streams: if streams.is_empty() { ptr::null() } else { streams.as_ptr() },
            memories: Memories::pointers_of(self.memories()),
            services: Some(asked.as_ref().unwrap_or_else(|| moment.services())),
        };
        // SAFETY: streams and memories hold all lanes.
        let call = || unsafe { self.call.run(lanes.clone(), &at) };
        let called = match self.is_foreign && is_examined(moment.clock.steps) {
            true => self.examination().examined(columns, &lanes, call),
            false => call(),
        };
        let fault = checked(called.err()?, &lanes, at.dt);
        let rest = fault.lane as usize + 1..lanes.end;
        Some((fault, rest))
    }

    /// Returns whether [`Self::try_run`] does all that a call needs: the model draws no random numbers, and nothing asks for
    /// the evidence of a call.
    pub fn is_plain(&self) -> bool {
        !self.is_random() && self.capture.is_none()
    }

    /// Calls the phase for all lanes, of `lanes`. Returns whether it has succeeded and all outputs are finite.
    pub fn try_run(&self, columns: &mut Columns, lanes: usize, moment: &Moment) -> bool {
        self.run(columns, 0..lanes, moment, &[]).is_none() && self.has_finite_outputs(columns)
    }

    /// Returns whether all outputs are finite.
    fn has_finite_outputs(&self, columns: &Columns) -> bool {
        // the outputs of a phase are added one after the other, with finite numbers between them
        let (Some(first), Some(last)) = (self.outputs.first(), self.outputs.last()) else {
            return true;
        };
        all_finite(columns.between(*first, *last))
    }

    /// Returns the index of the first output that has a value that is not finite, and the index of
    /// that value.
    pub fn first_non_finite(&self, columns: &Columns) -> Option<(usize, usize)> {
        if self.has_finite_outputs(columns) {
            return None;
        }
        self.outputs.iter().enumerate().find_map(|(output, column)| {
            let values = columns.get(*column);
            if all_finite(values) {
                return None;
            }
            values.iter().position(|value| !value.is_finite()).map(|index| (output, index))
        })
    }

    /// Returns the values of the state slots of a lane at the start of a run.
    pub fn initial_states(&self, lane: usize) -> Vec<f64> {
        initial_states(self.instance().model(), self.values(lane))
    }

    /// Returns the columns of the state slots whose initial value is finite.
    pub fn finite_states(&self) -> impl Iterator<Item = Column> {
        let slots = self.instance().initial_states().iter().zip(&*self.states);
        slots.filter(|(initial, _)| initial.is_finite()).map(|(_, column)| *column)
    }

    /// Returns the name of the first state slot that has a value that is not finite, and the index
    /// of that value. Skips slots whose initial value is not finite, and values for which `ignored`
    /// returns true.
    pub fn first_non_finite_state(
        &self,
        columns: &Columns,
        ignored: impl Fn(usize) -> bool,
    ) -> Option<(&'static str, usize)> {
        let slots = self.instance().model().states().iter().zip(self.instance().initial_states());
        slots.zip(&*self.states).find_map(|((slot, initial), column)| {
            let values = columns.get(*column);
            if all_finite(values) || !initial.is_finite() {
                return None;
            }
            let bad = |(index, value): (usize, &f64)| !value.is_finite() && !ignored(index);
            values.iter().enumerate().position(bad).map(|index| (slot.name(), index))
        })
    }

    /// Sets the outputs at all indices for which `selected` returns true to zero.
    pub fn zero_outputs(&self, columns: &mut Columns, selected: impl Fn(usize) -> bool) {
        for column in &*self.outputs {
            for (i, value) in columns.get_mut(*column).iter_mut().enumerate() {
                if selected(i) {
                    *value = 0.0;
                }
            }
        }
    }
}

/// Returns the addresses of inputs, outputs, states and arrays.
fn addresses(
    columns: &Columns,
    [inputs, outputs, states]: [&[Column]; 3],
    arrays: &[Option<ArrayColumns>],
) -> PhaseColumns {
    let pointer = |column: &Column| columns.pointer(*column);
    let input = |column: &Column| slice_from_raw_parts(pointer(column).cast_const(), column.len());
    let array =
        |array: &Option<ArrayColumns>| array.map_or(ArrayPort::NONE, |array| array.port(columns));
    PhaseColumns {
        inputs: inputs.iter().map(input).collect(),
        arrays: arrays.iter().map(array).collect(),
        outputs: outputs.iter().map(pointer).collect(),
        states: states.iter().map(pointer).collect(),
    }
}

/// Returns a fault whose lane is one of the call, and whose step is shorter than the present one or 0. A
/// model that names another lane has not reported which lanes are complete, so its first lane is at
/// fault, and the others are called again.
fn checked(fault: Fault, lanes: &Range<usize>, dt: f64) -> Fault {
    let is_shorter = fault.suggested_dt > 0.0 && fault.suggested_dt < dt;
    let suggested_dt = if is_shorter { fault.suggested_dt } else { 0.0 };
    if (lanes.start as u64..lanes.end as u64).contains(&fault.lane) {
        return Fault { suggested_dt, ..fault };
    }
    let note = format!(
        "the fault names lane {}, expected one of {} to {}: {}",
        fault.lane,
        lanes.start,
        lanes.end - 1,
        fault.message()
    );
    let lane = lanes.start as u64;
    Fault { lane, suggested_dt, ..Fault::new(fault.code, &note) }
}
