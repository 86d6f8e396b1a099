//! All that is needed to call a model again as it was called when it faulted.

use simhost_abi::{Fault, PortDesc, StateDesc};
use simhost_model::{ParamValue, View};

use crate::columns::Columns;
use crate::model::Call;
use crate::moment::Moment;

/// A call of a model for one lane. Numbers that JSON does not have are the texts `nan`, `inf` and
/// `-inf`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Evidence {
    /// Version of this form.
    pub evidence: u32,
    /// Full name of the class.
    pub class: String,
    /// Its kind, as in a world file.
    pub kind: String,
    /// Its version.
    pub version: String,
    /// Linked in, or the file it came from.
    pub source: String,
    /// Vehicle, with the wheel or sensor where there is one.
    pub entity: String,
    /// Part of the step.
    pub phase: String,
    /// Start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f64,
    /// In the order of their declaration, in the model's units.
    pub parameters: Vec<(String, ParamValue)>,
    /// What the phase read.
    pub inputs: Vec<Quantity>,
    /// What the lane remembered before the call.
    pub states: Vec<Quantity>,
    /// Key of its random stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<u64>,
    /// What it remembered beside its states, after the call: two hexadecimal digits a byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Wheels of the vehicle.
    pub wheels: usize,
    /// Rays of the sensor.
    pub rays: usize,
    /// One of [`simhost_abi::fault_code`].
    pub code: u32,
    /// A step that would do, s; 0 when unknown.
    pub suggested_dt: f64,
    /// What the model, or the host, said.
    pub text: String,
}

/// The values of one port or state for one lane: one, or one a wheel or ray.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Quantity {
    /// Name of the port.
    pub name: String,
    /// SI unit.
    pub unit: String,
    /// The values.
    #[serde(with = "exact")]
    pub values: Vec<f64>,
}

/// Most values of one quantity that are printed.
const MAX_SHOWN: usize = 8;

/// The version of [`Evidence`] that this program writes.
pub const EVIDENCE_VERSION: u32 = 1;

impl Evidence {
    /// What a lane of a call was given. `states` are the columns before the call.
    pub(crate) fn gather(
        call: &Call,
        columns: &Columns,
        states: &[Vec<f64>],
        lane: usize,
        moment: &Moment,
        fault: &Fault,
    ) -> Self {
        let class = call.class();
        let model = class.model;
        let shape = call.shape();
        let of_lane = |scope: u32, column: &[f64]| shape.of_lane(scope, column, lane);
        let input = |(port, column): (&'static View<PortDesc>, &crate::columns::Column)| {
            Quantity::of(port.name(), port.unit(), of_lane(port.scope, columns.get(*column)))
        };
        let state = |(slot, column): (&'static View<StateDesc>, &Vec<f64>)| {
            Quantity::of(slot.name(), slot.unit(), of_lane(slot.scope, column))
        };
        let keys = model.params().iter().map(|desc| desc.key().to_owned());
        Self {
            evidence: EVIDENCE_VERSION,
            class: class.full_name.to_string(),
            kind: model.kind_tag().to_owned(),
            version: model.version().to_owned(),
            source: class.source.to_string(),
            entity: call.entity(lane).to_owned(),
            phase: call.name().to_owned(),
            time: moment.clock.time(),
            dt: moment.clock.dt,
            parameters: keys.zip(call.values().iter().cloned()).collect(),
            inputs: call.phase.inputs().iter().zip(call.inputs()).map(input).collect(),
            states: model.states().iter().zip(states).map(state).collect(),
            stream: None,
            memory: call.memory(lane).map(|bytes| hex(&bytes)),
            wheels: shape.wheels,
            rays: shape.rays,
            code: fault.code,
            suggested_dt: fault.suggested_dt,
            text: fault.message(),
        }
    }
}

impl Quantity {
    /// A port or state with these values.
    pub(crate) fn of(name: &str, unit: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), values }
    }
}

impl std::fmt::Display for Quantity {
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

/// Bytes as text.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a text that [`hex`] wrote; none when it is something else.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

/// Numbers of which none is lost.
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
