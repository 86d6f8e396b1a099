//! Evidence of a fault: the data to repeat the call.

use simhost_abi::{Fault, PortDesc, Scope, StateDesc};
use simhost_model::{ParamValue, View};

use crate::columns::{Columns, Layout};
use crate::model::{ArrayColumns, Call};
use crate::moment::Moment;

/// A faulted call, for one lane or for all lanes of a fleet. Numbers that JSON cannot express are the texts `nan`, `inf` and
/// `-inf`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Evidence {
    /// Version of this format.
    pub evidence: u32,
    /// Full name of the class.
    pub class: String,
    /// Tag of the kind in a world file.
    pub kind: String,
    /// Version of the model.
    pub version: String,
    /// File of the plugin, or "linked in".
    pub source: String,
    /// Vehicle, with the wheel or sensor where there is one, or fleet.
    pub entity: String,
    /// Phase of the call.
    pub phase: String,
    /// Start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f64,
    /// Parameters in the order of their declaration, in the units of the model.
    pub parameters: Vec<(String, ParamValue)>,
    /// Inputs of the phase.
    pub inputs: Vec<EvidenceValue>,
    /// The inputs among them that are readings of sensors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Reading>,
    /// State slots before the call.
    pub states: Vec<EvidenceValue>,
    /// Key of the random stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<u64>,
    /// Memory after the call, two hexadecimal digits per byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Number of lanes of the call. Values of several lanes follow each other.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub lanes: usize,
    /// Keys of the random streams of several lanes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<u64>,
    /// Memories of several lanes after the call, as in `memory`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<String>,
    /// Outputs of a call without a fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<EvidenceValue>,
    /// Wheels of the vehicle.
    pub wheels: usize,
    /// Rays of the sensor.
    pub rays: usize,
    /// One of [`simhost_abi::fault_code`].
    pub code: u32,
    /// Step that the model supports, s; 0 if unknown.
    pub suggested_dt: f64,
    /// Message of the model or the host.
    pub text: String,
}

/// Values of one port or state slot: one value per lane, wheel or ray.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EvidenceValue {
    /// Name of the port or state slot.
    pub name: String,
    /// SI unit.
    pub unit: String,
    /// The values.
    #[serde(with = "exact")]
    pub values: Vec<f64>,
}

/// A reading of a sensor that a phase had as an input.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reading {
    /// Name of the input.
    pub input: String,
    /// Largest number of values.
    pub capacity: usize,
    /// Time since the reading of each lane was taken, s, which is infinite before the first reading.
    #[serde(with = "exact")]
    pub age: Vec<f64>,
    /// Number of values of each of several lanes, which follow each other in the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<usize>,
}

/// Number of values of one quantity that are printed.
const MAX_SHOWN: usize = 8;

/// The version of [`Evidence`] that this program writes.
pub const EVIDENCE_VERSION: u32 = 1;

impl Evidence {
    /// Gathers the evidence for one lane. `states` holds the state columns before the call, as saved
    /// by [`Call::save_states`], `streams` the random stream of each lane or nothing.
    pub(crate) fn gather(
        call: &Call,
        columns: &Columns,
        states: &[f64],
        lane: usize,
        moment: &Moment,
        fault: &Fault,
        streams: &[u64],
    ) -> Self {
        let class = call.class();
        let model = class.model;
        let shape = call.shape();
        let of_lane = |scope: u32, column: &[f64]| shape.of_lane(scope, column, lane);
        let input = |(place, port): (usize, &'static View<PortDesc>)| {
            let column = call.inputs()[place];
            let values = match call.array(place) {
                Some(array) => array.of_lane(columns, lane).to_vec(),
                // a parameter that is equal in all lanes has no column
                None if column.len() == 0 => Vec::new(),
                None => of_lane(port.scope, columns.get(column)),
            };
            EvidenceValue::of(port.name(), port.unit(), values)
        };
        let reading = |(place, port): (usize, &'static View<PortDesc>)| {
            let array = call.array(place)?;
            let (input, age) = (port.name().to_owned(), vec![array.age(columns, lane)]);
            Some(Reading { input, capacity: array.capacity, age, counts: Vec::new() })
        };
        let inputs = || call.phase.inputs().iter().enumerate();
        let state = |(number, slot): (usize, &'static View<StateDesc>)| {
            let values = call.saved_state(states, number);
            let values = shape.of_lane(slot.scope, values, call.state_lane(lane));
            EvidenceValue::of(slot.name(), slot.unit(), values)
        };
        let keys = model.params().iter().map(|desc| desc.key().to_owned());
        Self {
            evidence: EVIDENCE_VERSION,
            class: class.full_name.to_string(),
            kind: model.kind_tag().to_owned(),
            version: model.version().to_owned(),
            source: class.source.to_string(),
            entity: call.entity(lane).to_string(),
            phase: call.phase.id().to_owned(),
            time: moment.clock.time(),
            dt: moment.clock.dt,
            parameters: keys.zip(call.values(lane).iter().cloned()).collect(),
            inputs: inputs().map(input).collect(),
            readings: inputs().filter_map(reading).collect(),
            states: model.states().iter().enumerate().map(state).collect(),
            stream: streams.get(lane).copied(),
            memory: call.saved_memory(call.state_lane(lane)).map(|bytes| hex(&bytes)),
            lanes: 1,
            streams: Vec::new(),
            memories: Vec::new(),
            outputs: Vec::new(),
            wheels: shape.wheels,
            rays: shape.rays,
            code: fault.code,
            suggested_dt: fault.suggested_dt,
            text: fault.message(),
        }
    }
}

impl Evidence {
    /// Returns the content of an evidence file.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("evidence has string keys, and numbers that are not finite are strings")
    }

    /// Adds the outputs of a lane after the call.
    pub(crate) fn with_outputs(self, call: &Call, columns: &Columns, lane: usize) -> Self {
        let ports = call.phase.outputs().iter().zip(call.outputs());
        let outputs = ports.map(|(port, column)| {
            let values = call.shape().of_lane(port.scope, columns.get(*column), lane);
            EvidenceValue::of(port.name(), port.unit(), values)
        });
        Self { outputs: outputs.collect(), ..self }
    }

    /// Gathers the evidence for all lanes of a fleet, each with one value per port and state slot.
    pub(crate) fn of_all(
        call: &Call,
        columns: &Columns,
        states: &[f64],
        moment: &Moment,
        fault: &Fault,
        streams: &[u64],
    ) -> Self {
        let of_first = Self::gather(call, columns, states, 0, moment, fault, streams);
        let model = call.class().model;
        let lanes = call.shape().wheel_stride;
        let ports = || call.phase.inputs().iter().enumerate();
        let inputs = ports().map(|(place, port)| {
            let values = match call.array(place) {
                Some(array) => {
                    let values = (0..lanes).flat_map(|lane| array.of_lane(columns, lane));
                    values.copied().collect()
                }
                None => columns.get(call.inputs()[place]).to_vec(),
            };
            EvidenceValue::of(port.name(), port.unit(), values)
        });
        let readings = ports().filter_map(|(place, port)| {
            let (input, array) = (port.name().to_owned(), call.array(place)?);
            let age = (0..lanes).map(|lane| array.age(columns, lane)).collect();
            let counts = (0..lanes).map(|lane| array.of_lane(columns, lane).len()).collect();
            Some(Reading { input, capacity: array.capacity, age, counts })
        });
        let slots = model.states().iter().enumerate().map(|(number, slot)| {
            let values = call.saved_state(states, number).to_vec();
            EvidenceValue::of(slot.name(), slot.unit(), values)
        });
        let memories = (0..lanes).filter_map(|lane| call.saved_memory(lane));
        Self {
            inputs: inputs.collect(),
            readings: readings.collect(),
            states: slots.collect(),
            stream: None,
            memory: None,
            lanes,
            streams: streams.to_vec(),
            memories: memories.map(|bytes| hex(&bytes)).collect(),
            ..of_first
        }
    }

    /// Adds the columns of the inputs that are readings: one entry per input of the phase, or nothing if
    /// it has no such inputs.
    pub(super) fn arrays(
        &self,
        ports: &'static [View<PortDesc>],
        layout: &mut Layout,
    ) -> Vec<Option<ArrayColumns>> {
        let is_array = |port: &View<PortDesc>| port.scope == Scope::Array as u32;
        if !ports.iter().any(is_array) {
            return Vec::new();
        }
        let array = |(port, input): (&'static View<PortDesc>, &EvidenceValue)| {
            is_array(port).then(|| {
                let reading = self.readings.iter().find(|reading| reading.input == input.name);
                let capacity = reading.map_or(0, |reading| reading.capacity);
                let mut ages = reading.map_or_else(Vec::new, |reading| reading.age.clone());
                let mut counts = reading.map_or_else(Vec::new, |reading| reading.counts.clone());
                if counts.is_empty() {
                    counts.push(input.values.len());
                }
                counts.resize(self.lanes, 0);
                ages.resize(self.lanes, 0.0);
                ArrayColumns::of_lanes(&input.values, &counts, capacity, ages, layout)
            })
        };
        ports.iter().zip(&self.inputs).map(array).collect()
    }
}

/// Returns the number of lanes of evidence that does not have it.
fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
fn is_one(count: &usize) -> bool {
    *count == 1
}

impl EvidenceValue {
    /// Creates a quantity.
    pub(crate) fn of(name: &str, unit: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), values }
    }
}

impl std::fmt::Display for EvidenceValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, unit, values } = self;
        let shown: Vec<String> = values.iter().take(MAX_SHOWN).map(f64::to_string).collect();
        write!(f, "{name} = {}", shown.join(" "))?;
        if values.len() > MAX_SHOWN {
            write!(f, " … ({} values)", values.len())?;
        }
        if unit == "1" { Ok(()) } else { write!(f, " {unit}") }
    }
}

/// Encodes bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes a text that [`hex`] has written, or returns `None` for other texts.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

/// JSON encoding of numbers, including those that are not finite.
mod exact {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Other(String),
    }

    pub fn serialize<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
        let number = |value: &f64| {
            if value.is_finite() {
                Number::Finite(*value)
            } else {
                Number::Other(value.to_string().to_lowercase())
            }
        };
        values.iter().map(number).collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        let numbers = Vec::<Number>::deserialize(from)?;
        let value = |number| match number {
            Number::Finite(value) => Ok(value),
            Number::Other(text) => text.parse().map_err(|_| {
                serde::de::Error::custom(format!("expected a number, nan, inf or -inf: {text}"))
            }),
        };
        numbers.into_iter().map(value).collect()
    }
}
