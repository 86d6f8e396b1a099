//! A test that holds for every model: batches return the bits that single lanes return.

use std::ffi::c_void;
use std::ptr;

use simhost_abi::host::{Binding, Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{
    ArrayPort, Fault, Kind, MEMORY_ABILITY, Model, ParamDesc, ParamKind, Phase, Plugin, PortDesc,
    Scope, Slice, Str, Value, fault_code, model_flag, param_flag, port_flag,
};

use super::parameters::{self, Given};
use crate::Random;

/// Lanes of the columns, more than the largest batch.
const LANES: usize = 76;
/// Largest number of lanes of a batch.
const MOST: usize = 70;
/// Largest number of values of a reading.
const CAPACITY: usize = 5;
/// Values at which functions change their course.
const EDGES: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-5,
    1e-310,
    -5e-324,
    1e300,
    -1e300,
    709.0,
    -709.0,
    std::f64::consts::PI,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Checks that every friction model, dynamics class, controller and actuator of a plugin returns the same
/// bits in batches of 1 to 70 lanes as lane by lane, for ordinary and extreme inputs, with default
/// parameters and with all options on, and also with parameters that differ between lanes. Required
/// numbers are 1. Models with memory are left out.
///
/// # Panics
///
/// If a result differs, or if a model needs a parameter without a default.
pub fn assert_same_in_batches(plugin: &Plugin) {
    // SAFETY: descriptors are static.
    for model in unsafe { plugin.models.as_slice() } {
        // SAFETY: as above.
        let model = unsafe { &**model };
        // the lanes of an environment share one state, and the vehicles of a fleet see each other
        let others = [Kind::Sensor, Kind::Environment, Kind::Fleet];
        let other = others.iter().any(|kind| *kind as u32 == model.kind);
        if other || has_memory(model) {
            continue;
        }
        assert!(model.flags & model_flag::WHOLE_BATCH == 0, "lanes depend on each other");
        for options in [false, true] {
            let Some(instance) = Instance::new(model, options) else { continue };
            // SAFETY: as above.
            for phase in unsafe { model.phases.as_slice() } {
                (1..=MOST).for_each(|count| instance.compare(phase, count, false));
                // SAFETY: as above.
                let inputs = unsafe { phase.inputs.as_slice() };
                if inputs.iter().any(is_parameter) {
                    (1..=MOST).for_each(|count| instance.compare(phase, count, true));
                }
            }
        }
    }
}

fn has_memory(model: &Model) -> bool {
    // SAFETY: the text is static.
    model.ability.is_some_and(|find| unsafe { !find(Str::new(MEMORY_ABILITY)).is_null() })
}

/// An instance of a model.
struct Instance<'m> {
    model: &'m Model,
    handle: *mut c_void,
    wheels: usize,
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and is not used again.
        unsafe { (self.model.destroy)(self.handle) }
    }
}

impl<'m> Instance<'m> {
    /// Creates an instance with default parameters and required numbers of 1, or with all options on unless the model rejects
    /// that.
    fn new(model: &'m Model, options: bool) -> Option<Self> {
        // SAFETY: descriptors are static, here and below.
        let params = unsafe { model.params.as_slice() };
        let is_option = |desc: &&ParamDesc| {
            let is_number = desc.kind == ParamKind::Number as u32;
            options && desc.kind == ParamKind::Bool as u32
                || is_number && desc.flags & param_flag::REQUIRED != 0
        };
        let on = params.iter().filter(is_option);
        // SAFETY: as above.
        let on: Vec<_> = on.map(|d| (unsafe { d.key.as_str() }, Given::Number(1.0))).collect();
        let mut items = Vec::new();
        let values: Vec<Value> = parameters::read(params, &on, &mut items)
            .unwrap_or_else(|text| panic!("{}: {text}", name(model.id)));
        let (mut handle, mut fault) = (ptr::null_mut(), Fault::NONE);
        // SAFETY: the values live during the call.
        let code =
            unsafe { (model.create)(Slice::borrowed(&values), &raw mut handle, &raw mut fault) };
        assert!(options || code == fault_code::NONE, "{}: {}", name(model.id), fault.message());
        // SAFETY: as above.
        let wheels = unsafe { model.wheels.as_slice() }.len();
        (code == fault_code::NONE).then_some(Self { model, handle, wheels })
    }

    /// Compares a batch with calls of one lane each. With `varied`, the lanes have separate
    /// parameters.
    fn compare(&self, phase: &Phase, count: usize, varied: bool) {
        let first = count % (LANES - MOST);
        let columns = || self.columns(phase, count as u64, varied);
        let (mut whole, mut single) = (columns(), columns());
        let faulted = self.call(phase, &mut whole, first, count);
        let lane_by_lane =
            (first..first + count).find_map(|lane| self.call(phase, &mut single, lane, 1));
        // SAFETY: descriptors are static.
        let at = format!("{} {} of {count} lanes", name(self.model.id), name(phase.id));
        assert_eq!(faulted, lane_by_lane, "{at}: the faults differ");
        if faulted.is_some() {
            return;
        }
        assert_same(&whole.outputs, &single.outputs, &format!("{at}: output"));
        assert_same(&whole.states, &single.states, &format!("{at}: state"));
    }

    /// Calls a phase, and returns the code and the lane of a fault.
    fn call(
        &self,
        phase: &Phase,
        columns: &mut BatchColumns,
        first: usize,
        count: usize,
    ) -> Option<(u32, u64)> {
        let array = ArrayPort::new(CAPACITY, columns.counts.as_ptr(), columns.ages.as_ptr());
        let arrays = vec![array; phase.inputs.len];
        let bound = PhaseColumns::of(&columns.inputs, &mut columns.outputs, &mut columns.states);
        let shape = LaneShape { wheels: self.wheels, wheel_stride: LANES, rays: 0 };
        let binding = Binding::new(phase, self.handle, shape, bound.with_arrays(arrays));
        let streams = columns.streams.as_ptr();
        let at = Circumstances { streams, ..Circumstances::of_step(1.0, 0.005) };
        let mut fault = Fault::NONE;
        // SAFETY: the columns follow the declaration of the phase and hold all lanes.
        let code = unsafe { binding.call(&(first..first + count), &at, &raw mut fault) };
        (code != fault_code::NONE).then_some((code, fault.lane))
    }

    /// Returns columns with numbers that depend on `seed`; columns of parameters exist only with
    /// `varied`. A third of the batches has ordinary values, a third extreme values, and a third
    /// extreme values on ground without a friction coefficient.
    fn columns(&self, phase: &Phase, seed: u64, varied: bool) -> BatchColumns {
        let mut random = Random::new(seed);
        let mut fill = |scope: u32, default: f64, ordinary: bool| {
            let count = match Scope::from_u32(scope) {
                Scope::Wheel => self.wheels,
                Scope::Array => CAPACITY,
                _ => 1,
            };
            let value = |_| if ordinary { default + random.uniform() } else { wild(&mut random) };
            (0..count * LANES).map(value).collect::<Vec<f64>>()
        };
        // SAFETY: descriptors are static, here and below.
        let (inputs, outputs, states) = unsafe {
            (phase.inputs.as_slice(), phase.outputs.as_slice(), self.model.states.as_slice())
        };
        let style = seed % 3;
        let plain =
            |port: &simhost_abi::PortDesc| style == 2 && name(port.name).ends_with("_override");
        let inputs = inputs.iter().map(|port| {
            // a parameter is within its range
            let values = fill(port.scope, port.default, style == 0 || is_parameter(port));
            match port {
                _ if is_parameter(port) && !varied => Vec::new(),
                _ if plain(port) => vec![port.default; values.len()],
                _ => values,
            }
        });
        let inputs = inputs.collect();
        let states = states.iter().map(|slot| fill(slot.scope, slot.initial, style == 0)).collect();
        let outputs = outputs.iter().map(|port| fill(port.scope, 0.0, true)).collect();
        let streams = (0..LANES as u64).collect();
        let counts: Vec<f64> =
            (0..LANES).map(|lane| ((lane as u64 + seed) % (CAPACITY as u64 + 1)) as f64).collect();
        let age = |(lane, count): (usize, &f64)| {
            if *count == 0.0 { f64::INFINITY } else { 0.01 * lane as f64 }
        };
        let ages = counts.iter().enumerate().map(age).collect();
        BatchColumns { inputs, outputs, states, streams, counts, ages }
    }
}

/// Columns of a call.
struct BatchColumns {
    inputs: Vec<Vec<f64>>,
    outputs: Vec<Vec<f64>>,
    states: Vec<Vec<f64>>,
    streams: Vec<u64>,
    /// Number of values of each reading, and their ages, s.
    counts: Vec<f64>,
    ages: Vec<f64>,
}

/// Returns whether an input has the values of a parameter.
fn is_parameter(port: &PortDesc) -> bool {
    port.flags & port_flag::PARAMETER != 0
}

/// Returns a number of any magnitude, or one of [`EDGES`].
fn wild(random: &mut Random) -> f64 {
    match random.bits() % 4 {
        0 => EDGES[(random.bits() % EDGES.len() as u64) as usize],
        1 => random.uniform() * 0.02 - 0.01,
        2 => random.uniform() * 20.0 - 10.0,
        _ => (random.uniform() - 0.5) * crate::math::pow(10.0, random.uniform() * 40.0 - 20.0),
    }
}

/// Compares columns bit by bit, except that one NaN is as good as another.
fn assert_same(ours: &[Vec<f64>], theirs: &[Vec<f64>], what: &str) {
    for (column, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        for (index, (a, b)) in ours.iter().zip(theirs).enumerate() {
            let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(same, "{what} {column}, index {index}: {a:e} in the batch, {b:e} alone");
        }
    }
}

/// Returns the text of a descriptor.
fn name(text: Str) -> &'static str {
    // SAFETY: descriptors are static.
    unsafe { text.as_str() }
}
