//! A model that was made: its handle, and calls of its phases.

mod state;

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use simhost_abi::{Batch, Fault, Model, Phase, Scope, fault_code, model_flag};
use simhost_model::{Instance, ModelRef, ParamValue, View};
use simhost_world::ModelUse;

use crate::breadcrumb::{self, Label};
use crate::columns::{Column, Columns};
use crate::error::BuildError;
use crate::memory::Memories;
use crate::moment::Moment;

/// A model that was made.
#[derive(Debug)]
pub(crate) struct Made {
    /// The class.
    pub class: ModelRef,
    /// Its parameters, as it was given them.
    pub values: Vec<ParamValue>,
    instance: Instance,
}

impl Made {
    /// Makes the model that a world file asks for.
    pub fn new(wanted: &ModelUse) -> Result<Arc<Self>, BuildError> {
        let class = wanted.model.full_name.to_string();
        let span = wanted.span;
        match Instance::new(wanted.model.model, &wanted.values) {
            Ok(instance) => Ok(Arc::new(Self {
                class: wanted.model.clone(),
                values: wanted.values.clone(),
                instance,
            })),
            Err(fault) => {
                let text = fault.message();
                Err(match fault.code {
                    fault_code::PANIC => BuildError::Panicked { class, text, span },
                    _ => BuildError::Refused { class, text, span },
                })
            }
        }
    }

    /// The descriptor.
    pub fn model(&self) -> &'static View<Model> {
        self.class.model
    }

    /// What `create` handed over.
    pub fn handle(&self) -> *mut c_void {
        self.instance.handle()
    }

    /// A table by its id, or null.
    pub fn ability(&self, id: &str) -> *const c_void {
        self.instance.ability(id)
    }

    /// Whether the model has said so, with a bit of [`simhost_abi::model_flag`].
    pub fn says(&self, flag: u32) -> bool {
        self.model().flags & flag != 0
    }

    /// A phase by its id.
    pub fn phase(&self, id: &str) -> Option<&'static View<Phase>> {
        self.model().phase(id)
    }

    /// Lets a dynamics class place its wheels.
    pub fn arrange(&self, wheels: &mut [simhost_abi::WheelGeometry]) -> Result<(), String> {
        self.instance.arrange(wheels).map_err(|fault| fault.message())
    }

    /// Number of rays of a sensor.
    pub fn rays(&self) -> usize {
        self.instance.rays()
    }
}

/// The columns of one phase, wired.
pub(crate) struct Wired {
    /// In the order of the phase's inputs.
    pub inputs: Vec<Column>,
    /// In the order of the phase's outputs.
    pub outputs: Vec<Column>,
    /// In the order of the model's states.
    pub states: Vec<Column>,
    /// What the lanes remember beside their states.
    pub memories: Option<Arc<Memories>>,
    /// Name of each lane's vehicle, wheel or sensor.
    pub entities: Vec<String>,
}

/// What the lanes of a call have in common.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// Wheels of a vehicle.
    pub wheels: usize,
    /// Distance between the wheels of a vehicle in a column.
    pub wheel_stride: usize,
    /// Rays of a sensor.
    pub rays: usize,
}

impl Shape {
    /// Number of values of a lane in a column.
    pub fn count(&self, scope: u32) -> usize {
        match Scope::from_u32(scope) {
            Scope::Instance => 1,
            Scope::Wheel => self.wheels,
            Scope::Ray => self.rays,
        }
    }

    /// The values of a lane in a column.
    pub fn of_lane(&self, scope: u32, column: &[f64], lane: usize) -> Vec<f64> {
        match Scope::from_u32(scope) {
            Scope::Instance => vec![column[lane]],
            Scope::Wheel => {
                (0..self.wheels).map(|wheel| column[wheel * self.wheel_stride + lane]).collect()
            }
            Scope::Ray => column[lane * self.rays..(lane + 1) * self.rays].to_vec(),
        }
    }
}

/// A phase that is ready to be called.
pub(crate) struct Call {
    made: Arc<Made>,
    /// The phase.
    pub phase: &'static View<Phase>,
    shape: Shape,
    label: &'static Label,
    inputs: Vec<Column>,
    outputs: Vec<Column>,
    states: Vec<Column>,
    input_pointers: Vec<*const f64>,
    output_pointers: Vec<*mut f64>,
    state_pointers: Vec<*mut f64>,
    memories: Option<Arc<Memories>>,
}

// SAFETY: the pointers lead into columns that are owned by the table or sensor group that owns the
// call, and do not move.
unsafe impl Send for Call {}
// SAFETY: as above; a call writes only columns that nothing else reads meanwhile.
unsafe impl Sync for Call {}

/// Fewer lanes than this are not worth a thread of their own.
const LANES_PER_THREAD: usize = 512;

impl Call {
    /// Wires a phase of a model to columns.
    pub fn new(
        made: &Arc<Made>,
        phase: &'static View<Phase>,
        wired: Wired,
        shape: Shape,
        columns: &Columns,
    ) -> Self {
        let pointer = |column: &Column| columns.pointer(*column);
        let label = Label {
            class: made.class.full_name.to_string(),
            source: made.class.source.to_string(),
            phase: phase.id(),
            entities: wired.entities,
        };
        Self {
            made: made.clone(),
            // a handler may read it at any time; there are as many as calls in a world
            label: Box::leak(Box::new(label)),
            phase,
            shape,
            input_pointers: wired.inputs.iter().map(|c| pointer(c).cast_const()).collect(),
            output_pointers: wired.outputs.iter().map(pointer).collect(),
            state_pointers: wired.states.iter().map(pointer).collect(),
            inputs: wired.inputs,
            outputs: wired.outputs,
            states: wired.states,
            memories: wired.memories,
        }
    }

    /// What the lanes of a call have in common.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The columns that it reads.
    pub fn inputs(&self) -> &[Column] {
        &self.inputs
    }

    /// The parameters of its model.
    pub fn values(&self) -> &[ParamValue] {
        &self.made.values
    }

    /// Name of a lane's vehicle, wheel or sensor.
    pub fn entity(&self, lane: usize) -> &str {
        self.label.entities.get(lane).map_or("", String::as_str)
    }

    /// What its lanes remember now.
    pub fn remembered(&self, columns: &Columns) -> Vec<Vec<f64>> {
        self.states.iter().map(|column| columns.get(*column).to_vec()).collect()
    }

    /// The columns of its states.
    pub fn states(&self) -> &[Column] {
        &self.states
    }

    /// Version of what its lanes remember.
    pub fn schema(&self) -> u32 {
        self.made.model().schema
    }

    /// A table of its model by id, or null.
    pub fn ability(&self, id: &str) -> *const c_void {
        self.made.ability(id)
    }

    /// What the model's `create` handed over.
    pub fn handle(&self) -> *const c_void {
        self.made.handle()
    }

    /// Replaces what a lane remembers beside its states; nothing for a model without memory.
    ///
    /// # Errors
    /// What the model says of the bytes.
    pub fn remember(&self, lane: usize, schema: u32, bytes: &[u8]) -> Result<(), String> {
        self.memories.as_ref().map_or(Ok(()), |memories| memories.load(lane, schema, bytes))
    }

    /// The bytes of what a lane remembers beside its states.
    pub fn memory(&self, lane: usize) -> Option<Vec<u8>> {
        self.memories.as_ref()?.save(lane).ok()
    }

    /// Whether its lanes remember something beside their states.
    pub fn has_memory(&self) -> bool {
        self.memories.is_some()
    }

    /// Whether its lanes draw random numbers.
    pub fn draws(&self) -> bool {
        self.made.says(model_flag::RANDOM)
    }

    /// Whether its lanes depend on each other.
    pub fn is_whole(&self) -> bool {
        self.made.says(model_flag::WHOLE_BATCH)
    }

    /// The class whose phase it is.
    pub fn class(&self) -> &ModelRef {
        &self.made.class
    }

    /// Name of the phase.
    pub fn name(&self) -> &'static str {
        self.phase.id()
    }

    /// Calls the phase for a range of lanes. Each fault comes with the lanes of its thread that
    /// were not reached; lanes before a faulted one are complete.
    pub fn run(
        &self,
        _columns: &mut Columns,
        lanes: Range<usize>,
        moment: &Moment,
        streams: &[u64],
    ) -> Vec<(Fault, Range<usize>)> {
        let run = |lanes: Range<usize>| {
            let end = lanes.end;
            let fault = self.call(lanes, moment, streams)?;
            Some((fault, (fault.lane as usize + 1).min(end)..end))
        };
        let threads = rayon::current_num_threads();
        if threads < 2 || lanes.len() < 2 * LANES_PER_THREAD || self.is_whole() {
            return run(lanes).into_iter().collect();
        }
        // whole tiles for each thread
        let chunk = lanes.len().div_ceil(threads).next_multiple_of(16).max(LANES_PER_THREAD);
        let starts: Vec<usize> = lanes.clone().step_by(chunk).collect();
        starts.par_iter().filter_map(|&start| run(start..(start + chunk).min(lanes.end))).collect()
    }

    fn call(&self, lanes: Range<usize>, moment: &Moment, streams: &[u64]) -> Option<Fault> {
        if lanes.is_empty() {
            return None;
        }
        let batch = Batch {
            size: size_of::<Batch>() as u32,
            wheels: self.shape.wheels as u32,
            first: lanes.start,
            count: lanes.len(),
            wheel_stride: self.shape.wheel_stride,
            rays: self.shape.rays,
            time: moment.clock.time(),
            dt: moment.clock.dt,
            inputs: self.input_pointers.as_ptr(),
            outputs: self.output_pointers.as_ptr(),
            states: self.state_pointers.as_ptr(),
            streams: if streams.is_empty() { std::ptr::null() } else { streams.as_ptr() },
            memories: self.memories.as_ref().map_or(std::ptr::null(), |all| all.pointers()),
            services: moment.services(),
        };
        let mut fault = Fault::NONE;
        // SAFETY: the columns are those that the phase declares, hold all lanes, and are ours
        // alone: `run` holds them exclusively, and threads get lanes that do not overlap.
        let call =
            || unsafe { (self.phase.call)(self.made.handle(), &raw const batch, &raw mut fault) };
        let code = breadcrumb::leave(self.label, lanes.start, lanes.len(), &moment.clock, call);
        (code != fault_code::NONE).then_some(Fault { code, ..fault })
    }

    /// Looks for the first output that is not finite: index of the output and of the number.
    pub fn first_non_finite(&self, columns: &Columns) -> Option<(usize, usize)> {
        self.outputs.iter().enumerate().find_map(|(output, column)| {
            let values = columns.get(*column);
            // zero times anything finite is zero
            let sum: f64 = values.iter().map(|value| value * 0.0).sum();
            if sum == 0.0 {
                return None;
            }
            values.iter().position(|value| !value.is_finite()).map(|index| (output, index))
        })
    }

    /// Looks for a state that is not finite: name of the slot and index of the number. Slots that begin
    /// so may be so, and numbers that are `out` do not count.
    pub fn first_lost_state(
        &self,
        columns: &Columns,
        out: impl Fn(usize) -> bool,
    ) -> Option<(&'static str, usize)> {
        let slots = self.made.model().states();
        slots.iter().zip(&self.states).find_map(|(slot, column)| {
            let values = columns.get(*column);
            // zero times anything finite is zero
            let sum: f64 = values.iter().map(|value| value * 0.0).sum();
            if sum == 0.0 || !slot.initial.is_finite() {
                return None;
            }
            let lost = |(index, value): (usize, &f64)| !value.is_finite() && !out(index);
            let name = slot.name();
            values.iter().enumerate().position(lost).map(|index| (name, index))
        })
    }

    /// Number of values of an output.
    pub fn outputs_of(&self, columns: &Columns, output: usize) -> usize {
        columns.get(self.outputs[output]).len()
    }

    /// Sets every output of a lane to zero.
    pub fn silence(&self, columns: &mut Columns, index: impl Fn(usize) -> bool) {
        for column in &self.outputs {
            for (i, value) in columns.get_mut(*column).iter_mut().enumerate() {
                if index(i) {
                    *value = 0.0;
                }
            }
        }
    }
}
