//! Replay of a faulted call.

use std::sync::Arc;

use simhost_abi::host::LaneShape;
use simhost_abi::{Fault, Kind, PortDesc, StateDesc, end_reason, fault_code};
use simhost_model::ports::permitted;
use simhost_model::{
    Beginning, Classes, Entities, Instance, Instant, Memories, ModelRef, ObservedQuantity,
    Observer, ObserverRun, View,
};
use simhost_world::{ModelUse, Span};

use super::evidence;
use super::evidence::{EVIDENCE_VERSION, Evidence, EvidenceValue};
use crate::clock::Clock;
use crate::columns::{Column, Columns, Layout};
use crate::fault::report::verb;
use crate::ground::Ground;
use crate::model::{Call, CallColumns, create_instance};
use crate::moment::Moment;
use crate::readings::Units;

/// Largest number of lanes of a call that is replayed.
const MOST_LANES: usize = 1_000_000;
/// Largest number of values of a reading of all lanes.
const MOST_VALUES: usize = 1 << 28;

/// A call that can be replayed repeatedly. States and memory continue from call to call. What an
/// observer has kept of samples before the fault is not repeated.
pub struct Replay(Repeated);

enum Repeated {
    Phase(Box<PhaseReplay>),
    Observer(ObserverReplay),
}

impl Replay {
    /// Creates the model and sets its inputs, states and memory.
    ///
    /// # Errors
    /// [`ReplayError`] if the class is missing or has changed.
    pub fn new(evidence: &Evidence, classes: &dyn Classes) -> Result<Self, ReplayError> {
        if evidence.evidence != EVIDENCE_VERSION {
            return Err(ReplayError::Format { found: evidence.evidence });
        }
        let model = find(evidence, classes)?;
        let values = evidence.parameters.iter().map(|(_, value)| value.clone()).collect();
        let wanted = ModelUse {
            model,
            values,
            set_points: Arc::default(),
            connects: Arc::default(),
            rays: 0,
            span: Span::default(),
        };
        Ok(Self(match wanted.model.model.kind() {
            Some(Kind::Observer) => Repeated::Observer(ObserverReplay::new(evidence, &wanted)?),
            _ => Repeated::Phase(Box::new(PhaseReplay::new(evidence, &wanted)?)),
        }))
    }

    /// Returns the start of the step, s.
    pub fn time(&self) -> f64 {
        match &self.0 {
            Repeated::Phase(phase) => phase.time,
            Repeated::Observer(observer) => observer.time(),
        }
    }

    /// Returns whether the model asks about the world around its vehicle, where nothing is in a replay.
    pub fn perceives(&self) -> bool {
        matches!(&self.0, Repeated::Phase(phase) if phase.call.perceives())
    }

    /// Repeats the call.
    pub fn step(&mut self) -> Replayed {
        match &mut self.0 {
            Repeated::Phase(phase) => phase.step(),
            Repeated::Observer(observer) => observer.step(),
        }
    }
}

/// A call of a phase.
struct PhaseReplay {
    call: Call,
    columns: Columns,
    instance: Arc<Instance>,
    outputs: Vec<Column>,
    states: Vec<Column>,
    lanes: usize,
    stream: Vec<u64>,
    clock: Clock,
    time: f64,
    ground: Ground,
}

impl PhaseReplay {
    /// Creates the model and sets its inputs, states and memory.
    fn new(evidence: &Evidence, wanted: &ModelUse) -> Result<Self, ReplayError> {
        let instance =
            create_instance(wanted).map_err(|error| ReplayError::Rejected(error.to_string()))?;
        let changed = |what: &str| ReplayError::Changed { what: what.to_owned() };
        let phase =
            instance.phase(&evidence.phase).ok_or_else(|| changed("the phase is missing"))?;
        let shape = LaneShape { wheels: evidence.wheels, wheel_stride: 1, rays: evidence.rays };
        let lanes = evidence.lanes;
        check_sizes(evidence, phase, shape).map_err(|what| changed(&what))?;
        let mut layout = Layout::default();
        let arrays = evidence.arrays(phase.inputs(), &mut layout);
        let mut fill = |quantities: &[EvidenceValue]| -> Vec<Column> {
            quantities.iter().map(|quantity| layout.add(quantity.values.clone())).collect()
        };
        let (mut inputs, states) = (fill(&evidence.inputs), fill(&evidence.states));
        for (input, array) in inputs.iter_mut().zip(&arrays) {
            if let Some(array) = array {
                *input = array.values;
            }
        }
        let outputs =
            phase.outputs().iter().map(|port| layout.fill(lanes * shape.count(port.scope), 0.0));
        let outputs: Vec<Column> = outputs.collect();
        let rejected = |fault: Fault| ReplayError::Rejected(fault.message());
        let memories = Memories::new(std::slice::from_ref(&instance), lanes).map_err(rejected)?;
        let saved = evidence.memory.iter().chain(&evidence.memories).take(lanes);
        for (lane, text) in saved.enumerate() {
            let Some(memories) = &memories else { break };
            let bytes = evidence::bytes(text)
                .ok_or_else(|| changed("the memory is not a sequence of hexadecimal digits"))?;
            memories.load(lane, instance.model().schema, &bytes).map_err(rejected)?;
        }
        let bound = CallColumns {
            inputs,
            arrays,
            outputs: outputs.clone(),
            states: states.clone(),
            memories,
            entities: Entities::owners(vec![evidence.entity.clone(); lanes]),
            values: Arc::default(),
        };
        let columns = layout.finish();
        let call = Call::new(&instance, phase, bound, shape, &columns);
        let clock = Clock { steps: (evidence.time / evidence.dt).round() as u64, dt: evidence.dt };
        let stream = evidence.stream.into_iter().chain(evidence.streams.iter().copied()).collect();
        let (time, ground) = (evidence.time, Ground::level());
        Ok(Self { call, columns, instance, outputs, states, lanes, stream, clock, time, ground })
    }

    /// Repeats the call.
    fn step(&mut self) -> Replayed {
        let moment = Moment::new(self.clock, 0, &self.ground);
        let fault = self.call.run(&mut self.columns, 0..self.lanes, &moment, &self.stream);
        let mut fault = fault
            .map_or((fault_code::NONE, String::new()), |(fault, _)| (fault.code, fault.message()));
        let shown = self.shown(&self.outputs, self.call.phase.outputs());
        if fault.0 == fault_code::NONE
            && let ports = self.call.phase.outputs().iter()
            && let Some((output, _)) = shown.iter().zip(ports).find(|(one, port)| {
                let is_permitted = permitted(self.call.phase, port);
                one.values.iter().any(|value| !is_permitted(*value))
            })
        {
            let text = format!("output `{}` is not finite", output.name);
            fault = (fault_code::NON_FINITE, text);
        }
        let slots = self.instance.model().states();
        let states = self.states.iter().zip(slots).map(|(column, slot)| {
            EvidenceValue::of(slot.name(), slot.unit(), self.columns.get(*column).to_vec())
        });
        Replayed { fault, outputs: shown, states: states.collect() }
    }

    fn shown(&self, columns: &[Column], ports: &'static [View<PortDesc>]) -> Vec<EvidenceValue> {
        let quantity = |(column, port): (&Column, &'static View<PortDesc>)| {
            EvidenceValue::of(port.name(), port.unit(), self.columns.get(*column).to_vec())
        };
        columns.iter().zip(ports).map(quantity).collect()
    }
}

/// The class with the ports, states and parameters that were there.
fn find(evidence: &Evidence, classes: &dyn Classes) -> Result<ModelRef, ReplayError> {
    let Evidence { kind, class, source, phase, .. } = evidence;
    let missing = || ReplayError::NoClass {
        kind: kind.clone(),
        class: class.clone(),
        origin: source.clone(),
    };
    let of_kind = Kind::ALL.into_iter().find(|one| one.tag() == kind).ok_or_else(missing)?;
    let variants = classes.find(of_kind, class).map_err(|_| missing())?;
    let mut differences = Vec::new();
    for variant in variants {
        match difference(evidence, &variant, phase) {
            None => return Ok(variant),
            Some(what) => differences.push(what),
        }
    }
    Err(ReplayError::Changed { what: differences.join("; ") })
}

/// Checks that there are values for all lanes, which the model reads.
fn check_sizes(
    evidence: &Evidence,
    phase: &'static View<simhost_abi::Phase>,
    shape: LaneShape,
) -> Result<(), String> {
    let Evidence { lanes, inputs, .. } = evidence;
    if !(1..=MOST_LANES).contains(lanes) {
        return Err(format!("the evidence has {lanes} lanes, expected 1 to {MOST_LANES}"));
    }
    let room = |capacity: usize| capacity.checked_mul(*lanes).filter(|room| *room <= MOST_VALUES);
    if let Some(reading) = evidence.readings.iter().find(|one| room(one.capacity).is_none()) {
        return Err(format!("input `{}` has a capacity of {}", reading.input, reading.capacity));
    }
    let short = phase.inputs().iter().zip(inputs).find_map(|(port, quantity)| {
        let (expected, found) = (lanes * shape.count(port.scope), quantity.values.len());
        // a parameter that is equal in all lanes has no column
        let is_constant = found == 0 && simhost_model::lanes::is_parameter(port);
        (found < expected && !is_constant)
            .then(|| format!("input `{}` has {found} values, expected {expected}", quantity.name))
    });
    short.map_or(Ok(()), Err)
}

fn difference(evidence: &Evidence, model: &ModelRef, phase: &str) -> Option<String> {
    let model = model.model;
    if model.kind() == Some(Kind::Observer) {
        let keys: Vec<&str> = model.params().iter().map(|param| param.key()).collect();
        let was: Vec<&str> = evidence.parameters.iter().map(|(key, _)| key.as_str()).collect();
        return (keys != was).then(|| {
            format!("its parameters were [{}] and are [{}]", was.join(", "), keys.join(", "))
        });
    }
    let Some(found) = model.phase(phase) else {
        return Some(format!("it has no phase `{phase}`"));
    };
    let names = |quantities: &[EvidenceValue]| -> Vec<String> {
        quantities.iter().map(|quantity| quantity.name.clone()).collect()
    };
    let port = |port: &'static View<PortDesc>| port.name().to_owned();
    let slot = |slot: &'static View<StateDesc>| slot.name().to_owned();
    let keys = model.params().iter().map(|param| param.key().to_owned());
    let was: Vec<String> = evidence.parameters.iter().map(|(key, _)| key.clone()).collect();
    let same = [
        ("inputs", names(&evidence.inputs), found.inputs().iter().map(port).collect()),
        ("states", names(&evidence.states), model.states().iter().map(slot).collect::<Vec<_>>()),
        ("parameters", was, keys.collect()),
    ];
    same.into_iter().find(|(_, was, is)| was != is).map(|(what, was, is)| {
        format!("its {what} were [{}] and are [{}]", was.join(", "), is.join(", "))
    })
}

/// A run of an observer that begins with the sample of the fault. What the observer had kept of earlier
/// samples is not known.
struct ObserverReplay {
    run: ObserverRun,
    /// Whether the end of the run is repeated, not a sample.
    is_end: bool,
    values: Vec<f64>,
    time: f64,
    dt: f64,
    /// Number of repeated calls.
    calls: u64,
}

impl ObserverReplay {
    /// Creates the observer and begins a run without a folder for files.
    pub fn new(evidence: &Evidence, wanted: &ModelUse) -> Result<Self, ReplayError> {
        let rejected = |text: String| ReplayError::Rejected(text);
        let instance = create_instance(wanted).map_err(|error| rejected(error.to_string()))?;
        let observer = Observer::new(instance, &evidence.entity).map_err(rejected)?;
        let quantities: Vec<ObservedQuantity> = evidence.inputs.iter().map(observed).collect();
        let run = Arc::clone(&observer).start(&Beginning {
            quantities: &quantities,
            name: "replay",
            folder: "",
            time: evidence.time,
            dt: evidence.dt,
            period: 0.0,
            seed: 0,
        });
        let run = run.map_err(|fault| rejected(fault.message()))?;
        let values = evidence.inputs.iter().flat_map(|input| input.values.iter().copied());
        let (values, is_end) = (values.collect(), evidence.phase == "end");
        Ok(Self { run, is_end, values, time: evidence.time, dt: evidence.dt, calls: 0 })
    }

    /// Returns the time of the sample, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Repeats the call.
    pub fn step(&mut self) -> Replayed {
        let step = (self.time / self.dt).round() as u64 + self.calls;
        let time = self.time + self.calls as f64 * self.dt;
        self.calls += 1;
        let at = Instant { step, time, values: &self.values };
        let fault = match self.is_end {
            true => self.run.end(end_reason::DURATION, "", &at).1,
            false => self.run.step(&at).err(),
        };
        let fault = fault.map(|fault| (fault.code, fault.message()));
        let fault = fault.unwrap_or((fault_code::NONE, String::new()));
        Replayed { fault, outputs: Vec::new(), states: Vec::new() }
    }
}

/// Returns the quantity of an input of evidence.
fn observed(input: &EvidenceValue) -> ObservedQuantity {
    let several =
        [Units::Pose, Units::Twist].into_iter().find(|units| units.to_string() == input.unit);
    let unit = |index: usize| match several {
        Some(units) => units.of(index).into(),
        None => input.unit.clone().into(),
    };
    ObservedQuantity {
        name: input.name.clone(),
        units: (0..input.values.len()).map(unit).collect(),
    }
}

/// A call cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The evidence has another format.
    #[error("the evidence has format {found}, expected format {EVIDENCE_VERSION}")]
    Format {
        /// Format of the evidence.
        found: u32,
    },
    /// The class is missing.
    #[error("missing {kind} class `{class}`, which came from {origin} (--plugin-dir DIR)")]
    NoClass {
        /// Kind of the class.
        kind: String,
        /// Full name of the class.
        class: String,
        /// File of the plugin, or "linked in".
        origin: String,
    },
    /// The class has changed since.
    #[error("the class has changed since: {what}")]
    Changed {
        /// Description of the change.
        what: String,
    },
    /// The model cannot be created.
    #[error("{0}")]
    Rejected(String),
}

/// Result of a replayed call.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// Code and message of the fault; the code is [`fault_code::NONE`] if there was none.
    pub fault: (u32, String),
    /// Outputs of the call.
    pub outputs: Vec<EvidenceValue>,
    /// State slots after the call.
    pub states: Vec<EvidenceValue>,
}

impl Replayed {
    /// Returns whether the call faulted with the same code as before.
    pub fn is_same(&self, evidence: &Evidence) -> bool {
        self.fault.0 == evidence.code
    }

    /// Describes the fault as a verb phrase.
    pub fn verb(&self) -> &'static str {
        verb(self.fault.0)
    }
}
