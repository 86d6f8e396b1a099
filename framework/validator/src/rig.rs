//! A model with columns for its lanes, called without a world.

use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use simhost_abi::host::{Circumstances, PhaseColumns, services};
use simhost_abi::{ArrayPort, Fault, Phase, PortDesc, Scope, StateDesc, WheelGeometry};
use simhost_model::lanes::is_parameter;
use simhost_model::ports::permitted;
use simhost_model::{Memories, ModelRig, ParamValue, PhaseCall, RigPhase, RigShape, View};
use simhost_sdk::Random;

use crate::draw;
pub(crate) use crate::draw::key;
use crate::instance::{Failure, Instance, Outcome, Stop, describe, fail, fail_for, refuses, skip};
use crate::surroundings::Surroundings;

/// Length of a step, s.
pub(crate) const DT: f64 = 0.005;

/// Simulated time at which the steps of this process begin, s, as bits.
static START: AtomicU64 = AtomicU64::new(0);

/// Number of the vehicle whose constants are the inputs of this process; 0 for constants that are drawn like all
/// other inputs.
static VEHICLE: AtomicU64 = AtomicU64::new(0);

/// Gives all lanes the constants of one vehicle, such as its mass and its wheelbase.
pub(crate) fn drive_vehicle(number: u64) {
    VEHICLE.store(number, Ordering::Relaxed);
}

/// Lets steps begin at a simulated time, s.
pub(crate) fn start_at(seconds: f64) {
    START.store(seconds.to_bits(), Ordering::Relaxed);
}

/// Returns the simulated time at the start of a step, s.
pub(crate) fn time_of(step: u64) -> f64 {
    time_after(step, DT)
}

/// Returns the simulated time after steps of `dt` s.
fn time_after(steps: u64, dt: f64) -> f64 {
    f64::from_bits(START.load(Ordering::Relaxed)) + steps as f64 * dt
}

/// An instance and columns for its lanes.
pub(crate) struct Rig {
    /// Instance, columns and memories.
    pub model: ModelRig,
    pub instance: Arc<Instance>,
    pub lanes: usize,
    pub wheels: Vec<WheelGeometry>,
    /// Number of values of all readings of a lane, and their age, s.
    pub readings: Readings,
    /// Key of all random inputs and streams.
    pub seed: u64,
    /// What a model that perceives can ask about.
    pub surroundings: Surroundings,
    /// Whether the wheels of the front axle steer, as a dynamics class declares it.
    pub steers: bool,
    /// Length of the steps that are counted, s.
    pub counted: f64,
    /// Whether models get the time that declare not to need it.
    pub tells_time: bool,
}

/// Time of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    /// Number of the step, from 0.
    pub step: u64,
    /// Length of the step, s.
    pub dt: f64,
}

/// The readings of sensors that the lanes of a rig read. All inputs of a lane have the same count and age.
pub(crate) struct Readings {
    /// Number of values of each lane.
    pub counts: Vec<f64>,
    /// Time since the reading of each lane was taken, s.
    pub ages: Vec<f64>,
}

impl Readings {
    /// Returns readings of lanes whose sensors have not been sampled.
    fn new(lanes: usize) -> Self {
        Self { counts: vec![0.0; lanes], ages: vec![f64::INFINITY; lanes] }
    }

    /// Gives all lanes readings of `count` values.
    pub fn set(&mut self, count: usize) {
        self.counts.fill(count as f64);
        self.ages.fill(if count == 0 { f64::INFINITY } else { 0.05 });
    }

    /// Draws counts and ages for a step.
    fn fill(&mut self, seed: u64, step: u64) {
        let lanes = self.counts.iter_mut().zip(&mut self.ages).enumerate();
        for (lane, (count, age)) in lanes {
            let mut random = Random::new(key(seed, &[step, u64::MAX - 1, lane as u64]));
            let number = random.bits() % (ARRAY_CAPACITY as u64 + 1);
            *count = number as f64;
            *age = if number == 0 { f64::INFINITY } else { 0.2 * random.uniform() };
        }
    }

    /// Returns a description per input of a phase, or nothing if it has no arrays. Only
    /// descriptions of arrays are read.
    pub fn ports(&self, phase: &'static View<Phase>) -> Vec<ArrayPort> {
        if !reads_sensors(phase) {
            return Vec::new();
        }
        let port = ArrayPort::new(ARRAY_CAPACITY, self.counts.as_ptr(), self.ages.as_ptr());
        vec![port; inputs(phase).len()]
    }
}

/// Returns whether a phase has inputs with readings of sensors.
pub(crate) fn reads_sensors(phase: &'static View<Phase>) -> bool {
    inputs(phase).iter().any(|port| port.scope == Scope::Array as u32)
}

/// Returns the inputs of a phase.
pub(crate) fn inputs(phase: &'static View<Phase>) -> &'static [View<PortDesc>] {
    phase.inputs()
}

/// Returns the outputs of a phase.
pub(crate) fn outputs(phase: &'static View<Phase>) -> &'static [View<PortDesc>] {
    phase.outputs()
}

/// Capacity of the readings that a model reads in tests.
pub const ARRAY_CAPACITY: usize = 24;

impl Deref for Rig {
    type Target = ModelRig;

    fn deref(&self) -> &ModelRig {
        &self.model
    }
}

impl DerefMut for Rig {
    fn deref_mut(&mut self) -> &mut ModelRig {
        &mut self.model
    }
}

impl Rig {
    /// Creates columns for `lanes` lanes, with states as at the start of a run.
    pub fn new(instance: &Arc<Instance>, lanes: usize, seed: u64) -> Outcome<Self> {
        if instance.phases().is_empty() {
            return skip("the model has no phases");
        }
        let (wheels, rays) = (instance.wheels()?, instance.rays());
        let shape = RigShape { lanes, wheels: wheels.len(), rays, capacity: ARRAY_CAPACITY };
        let mut model = ModelRig::new(instance.inner(), instance.labels(), shape)
            .or_else(|fault| memory_failed(&fault))?;
        model.streams.fill(0);
        Ok(Self {
            model,
            instance: instance.clone(),
            lanes,
            wheels,
            readings: Readings::new(lanes),
            seed,
            surroundings: Surroundings::Absent,
            steers: false,
            counted: DT,
            tells_time: false,
        })
    }

    /// Creates columns for lanes with separate parameters: lane `n` has `values[n]`, with which
    /// instance and states of `own[n]` were created. The phases of the first instance are called.
    pub fn varied(own: &[Self], values: &[&[ParamValue]], seed: u64) -> Outcome<Self> {
        let mut rig = Self::new(&own[0].instance, own.len(), seed)?;
        let instances: Vec<_> = own.iter().map(|own| own.instance.inner().clone()).collect();
        rig.model.memories =
            Memories::new(&instances, own.len()).or_else(|fault| memory_failed(&fault))?;
        let slots = slots(&rig.instance);
        for (lane, own) in own.iter().enumerate() {
            for (slot, desc) in slots.iter().enumerate() {
                for place in own.places(desc.scope, lane) {
                    rig.states[slot][place] = own.states[slot][place];
                }
            }
        }
        let number = |place: usize, lane: usize| match values[lane][place] {
            ParamValue::Number(number) => number,
            _ => f64::NAN,
        };
        rig.set_parameters(number);
        Ok(rig)
    }

    /// Gives all parameters that can differ between lanes columns with the values of the instance.
    pub fn with_columns(mut self, values: &[ParamValue]) -> Self {
        self.set_parameters(|place, _| match values[place] {
            ParamValue::Number(number) => number,
            _ => f64::NAN,
        });
        self
    }

    /// Sets the columns of the parameters that can differ between lanes: `value(place, lane)`.
    fn set_parameters(&mut self, value: impl Fn(usize, usize) -> f64) {
        let params = self.instance.model().params();
        for bound in &mut self.model.phases {
            for (port, column) in inputs(bound.phase).iter().zip(&mut bound.inputs) {
                let place = params.iter().position(|param| param.key() == port.name());
                if let Some(place) = place.filter(|_| is_parameter(port)) {
                    *column = (0..self.lanes).map(|lane| value(place, lane)).collect();
                }
            }
        }
    }

    /// Copies the inputs of a lane from a rig with as many lanes, except its parameters.
    pub fn copy_inputs(&mut self, from: &Self, lane: usize) {
        for phase in 0..self.phases.len() {
            for (place, port) in inputs(self.phases[phase].phase).iter().enumerate() {
                if !is_parameter(port) {
                    for at in self.places(port.scope, lane).collect::<Vec<_>>() {
                        let value = from.phases[phase].inputs[place][at];
                        self.phases[phase].inputs[place][at] = value;
                    }
                }
            }
        }
    }

    /// Returns the places of the values of a lane in a column.
    pub fn places(&self, scope: u32, lane: usize) -> impl Iterator<Item = usize> + use<> {
        self.shape.places(scope, lane)
    }

    /// Draws the inputs of all phases for a step. The inputs of a lane do not depend on the number
    /// of lanes.
    pub fn fill(&mut self, step: u64) {
        let shape = self.shape;
        for (number, bound) in self.model.phases.iter_mut().enumerate() {
            for (place, (port, column)) in
                inputs(bound.phase).iter().zip(&mut bound.inputs).enumerate()
            {
                if is_parameter(port) {
                    continue;
                }
                let scope = Scope::from_u32(port.scope);
                for (index, value) in column.iter_mut().enumerate() {
                    let (lane, item) = shape.owner(port.scope, index);
                    let parts = [step, number as u64, place as u64, lane as u64, item as u64];
                    *value = match (scope, port.name()) {
                        (Scope::Wheel, "wheel_x") => self.wheels[item].x,
                        (Scope::Wheel, "wheel_y") => self.wheels[item].y,
                        (Scope::Wheel, "steers") => {
                            f64::from(u8::from(self.steers && self.wheels[item].x > 0.0))
                        }
                        _ => match draw::constant(port, VEHICLE.load(Ordering::Relaxed)) {
                            Some(constant) => constant,
                            None => draw::input(port, &mut Random::new(key(self.seed, &parts))),
                        },
                    };
                }
            }
        }
        self.readings.fill(self.seed, step);
        for (lane, stream) in self.model.streams.iter_mut().enumerate() {
            *stream = key(self.seed, &[step, u64::MAX, lane as u64]);
        }
    }

    /// Sets an input of a phase for all lanes, if the phase has it.
    pub fn set(&mut self, phase: usize, name: &str, value: f64) {
        if let Some(column) = self.phases[phase].input(name) {
            column.fill(value);
        }
    }

    /// Returns an output of a phase.
    pub fn output(&self, phase: usize, name: &str) -> Option<&[f64]> {
        self.phases[phase].output(name)
    }

    /// Calls a phase for some lanes.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn call(&mut self, phase: usize, lanes: Range<usize>, when: When) -> Result<(), Fault> {
        self.call_on(phase, &[lanes], when)
    }

    /// Calls a phase for several ranges of lanes, each on a separate thread if there are several.
    ///
    /// # Errors
    ///
    /// The first fault of the model.
    pub fn call_on(
        &mut self,
        phase: usize,
        ranges: &[Range<usize>],
        when: When,
    ) -> Result<(), Fault> {
        let this = self.bound(phase);
        if let [lanes] = ranges {
            let _watch = crate::allocations::Watch::begin();
            return this.call(lanes, when);
        }
        std::thread::scope(|scope| {
            let this = &this;
            let threads = ranges.iter().map(|lanes| scope.spawn(move || this.call(lanes, when)));
            let threads: Vec<_> = threads.collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a call does not panic"))
        })
    }

    /// Calls a phase for all lanes, `batch` at a time.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn sweep(&mut self, phase: usize, batch: usize, rounds: usize) -> Result<(), Fault> {
        let this = self.bound(phase);
        let when = When { step: 0, dt: DT };
        for _ in 0..rounds {
            for first in (0..this.rig.lanes).step_by(batch) {
                this.call(&(first..(first + batch).min(this.rig.lanes)), when)?;
            }
        }
        Ok(())
    }

    /// Binds a phase to the columns of the rig.
    fn bound(&mut self, phase: usize) -> BoundPhase<'_> {
        let RigPhase { phase: desc, inputs, outputs, .. } = &mut self.model.phases[phase];
        let columns = PhaseColumns::of(inputs, outputs, &mut self.model.states);
        let columns = columns.with_arrays(self.readings.ports(desc));
        let streams = self.streams.as_ptr();
        // SAFETY: the columns are those of the rig, which is borrowed exclusively; threads get lanes that do
        // not overlap.
        unsafe { self.bound_to(phase, columns, streams) }
    }

    /// Binds a phase to other columns of the same lengths, with the key of the random stream of each lane.
    ///
    /// # Safety
    /// The columns and streams have these lengths, and nothing else accesses the lanes of a call.
    pub unsafe fn bound_to(
        &self,
        phase: usize,
        columns: PhaseColumns,
        streams: *const u64,
    ) -> BoundPhase<'_> {
        // SAFETY: promised by the caller.
        let call = unsafe { self.model.bound_to(phase, columns) };
        let call = if self.tells_time { call.telling_time() } else { call };
        let lanes = self.instance.lanes_of(self.phases[phase].phase, self.lanes);
        BoundPhase { rig: self, lanes, call, streams }
    }

    /// Runs a step: draws inputs, calls all phases, and integrates rates.
    ///
    /// # Errors
    ///
    /// The fault of the model.
    pub fn step(&mut self, when: When) -> Result<(), Fault> {
        self.fill(when.step);
        self.phases_of_step(when)
    }

    /// Calls all phases with the current inputs.
    ///
    /// # Errors
    ///
    /// The fault of the model.
    pub fn phases_of_step(&mut self, when: When) -> Result<(), Fault> {
        for phase in 0..self.phases.len() {
            self.call(phase, 0..self.lanes, when)?;
            self.integrate(phase, when.dt);
        }
        Ok(())
    }

    /// Runs steps that must not fault, and returns the bits of everything written.
    pub fn trace(&mut self, steps: Range<u64>) -> Outcome<Vec<u64>> {
        let mut bits = Vec::new();
        for step in steps {
            self.sound(When { step, dt: DT })?;
            bits.extend(self.bits());
        }
        Ok(bits)
    }

    /// Runs a step that must not fault.
    pub fn sound(&mut self, when: When) -> Outcome {
        let result = self.step(when);
        result.or_else(|fault| self.blame(&fault, when))
    }

    /// Turns a fault into a failure.
    pub fn blame<T>(&self, fault: &Fault, when: When) -> Outcome<T> {
        let lane = (fault.lane as usize).min(self.lanes - 1);
        if self.instance.knows_vehicle() && refuses(fault) {
            return Err(Stop::Unsuited(Failure {
                what: format!("a step returned {} with every vehicle", describe(fault)),
                input: Some(self.inputs_of(lane, when)),
                ..Failure::default()
            }));
        }
        fail_for(format!("a step returned {}", describe(fault)), self.inputs_of(lane, when))
    }

    /// Returns the bits of all outputs and states.
    pub fn bits(&self) -> Vec<u64> {
        let outputs = self.phases.iter().flat_map(|bound| &bound.outputs);
        outputs.chain(&self.states).flatten().map(|value| value.to_bits()).collect()
    }

    /// Returns the name of the first output or state that is not finite.
    pub fn first_not_finite(&self) -> Option<(String, usize, f64)> {
        for bound in &self.phases {
            for (port, column) in outputs(bound.phase).iter().zip(&bound.outputs) {
                let is_permitted = permitted(bound.phase, port);
                let bad = |value: &f64| !is_permitted(*value);
                if let Some(index) = column.iter().position(bad) {
                    return Some((format!("output {}", port.name()), index, column[index]));
                }
            }
        }
        slots(&self.instance).iter().zip(&self.states).find_map(|(slot, column)| {
            let index = column.iter().position(|value| !value.is_finite())?;
            Some((format!("state {}", slot.name()), index, column[index]))
        })
    }

    /// Describes the inputs of a lane for a message.
    pub fn inputs_of(&self, lane: usize, when: When) -> String {
        let mut words = vec![format!("step {} dt={}", when.step, when.dt)];
        for bound in &self.phases {
            if bound.inputs.is_empty() {
                continue;
            }
            words.push(format!("{}:", bound.phase.id()));
            for (port, column) in inputs(bound.phase).iter().zip(&bound.inputs) {
                if column.is_empty() {
                    continue;
                }
                let value = match Scope::from_u32(port.scope) {
                    Scope::Instance => column[lane].to_string(),
                    Scope::Wheel => {
                        let wheels = (0..self.wheels.len()).map(|w| column[w * self.lanes + lane]);
                        short(wheels)
                    }
                    Scope::Ray => {
                        let rays = self.shape.rays;
                        short(column[lane * rays..].iter().copied().take(rays))
                    }
                    Scope::Array => {
                        let count = self.readings.counts[lane] as usize;
                        short(column[lane * ARRAY_CAPACITY..].iter().copied().take(count))
                    }
                };
                words.push(format!("{}={value}", port.name()));
            }
        }
        words.join(" ")
    }
}

fn short(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    match values.as_slice() {
        [first, second, third, fourth, _, ..] => format!("[{first} {second} {third} {fourth} …]"),
        few => format!("[{}]", few.join(" ")),
    }
}

/// Returns the state slots of a model.
pub(crate) fn slots(instance: &Instance) -> &'static [View<StateDesc>] {
    instance.model().states()
}

fn memory_failed<T>(fault: &Fault) -> Outcome<T> {
    fail(format!("`create` of a memory returned {}", describe(fault)))
}

/// A phase of a rig that is bound to columns, shared between threads during a call.
pub(crate) struct BoundPhase<'r> {
    rig: &'r Rig,
    /// Number of lanes of the phase.
    lanes: usize,
    call: PhaseCall,
    /// Key of the random stream of each lane.
    streams: *const u64,
}

// SAFETY: the streams are only read.
unsafe impl Sync for BoundPhase<'_> {}

impl BoundPhase<'_> {
    /// Calls the phase for some lanes.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn call(&self, lanes: &Range<usize>, when: When) -> Result<(), Fault> {
        let Self { rig, call, .. } = self;
        let lanes = lanes.start..lanes.end.min(self.lanes);
        if lanes.is_empty() {
            return Ok(());
        }
        let asked = rig.surroundings.inquiry(rig.seed, when.step);
        let services = (rig.surroundings != Surroundings::Absent).then(|| services(&asked));
        let at = Circumstances {
            streams: if rig.instance.draws() { self.streams } else { std::ptr::null() },
            memories: Memories::pointers_of(rig.memories.as_deref()),
            services: services.as_ref(),
            ..Circumstances::of_step(time_after(when.step, rig.counted), when.dt)
        };
        // SAFETY: streams and memories hold all lanes.
        unsafe { call.run(lanes, &at) }
    }
}
