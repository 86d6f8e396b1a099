//! Parameters of the node: parameters of models, and three of the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use simhost_services::{ServiceDesk, ServiceRefusal, stamp};
use simhost_streams::{Input, Parameter};

use super::Entry;

/// The services of this module.
pub const SERVICES: &[Entry] = &[
    ("get_parameters", "rcl_interfaces/srv/GetParameters", get),
    ("get_parameter_types", "rcl_interfaces/srv/GetParameterTypes", get_types),
    ("set_parameters", "rcl_interfaces/srv/SetParameters", set_each),
    ("set_parameters_atomically", "rcl_interfaces/srv/SetParametersAtomically", set_all),
    ("list_parameters", "rcl_interfaces/srv/ListParameters", list),
    ("describe_parameters", "rcl_interfaces/srv/DescribeParameters", describe),
];

/// Whether the node follows the simulated clock, which is its own.
const USE_SIM_TIME: &str = "use_sim_time";
/// Whether the run is paused.
const PAUSED: &str = "paused";
/// Simulated time per wall time, with the name that it has in MVSim's node.
const PACE: &str = "realtime_factor";

/// The parameters of the node by name.
type All = BTreeMap<String, (NodeValue, Source)>;

/// Kind of a parameter of the node.
#[derive(Clone, PartialEq)]
enum Source {
    Clock,
    Paused,
    Pace,
    /// Parameter of a model, with its name there.
    Model(String),
}

/// Returns the parameters, with descriptions for parameters of models.
fn all(desk: &ServiceDesk) -> (All, Map<String, Value>) {
    let progress = desk.control.progress();
    let mut all = All::new();
    all.insert(USE_SIM_TIME.to_owned(), (NodeValue::Bool(true), Source::Clock));
    all.insert(PAUSED.to_owned(), (NodeValue::Bool(progress.is_paused), Source::Paused));
    // 0 as fast as possible
    let pace = NodeValue::Double(progress.pace.unwrap_or(0.0));
    all.insert(PACE.to_owned(), (pace, Source::Pace));
    let description = desk.description().unwrap_or_default();
    let infos = description["parameters"].as_object().cloned().unwrap_or_default();
    for parameter in desk.control.parameters() {
        let choices = infos.get(&parameter.name).and_then(|info| info["choices"].as_array());
        let is_choice = choices.is_some_and(|choices| !choices.is_empty());
        let value = NodeValue::of_text(&parameter.value, is_choice);
        all.insert(node_name(&parameter.name), (value, Source::Model(parameter.name)));
    }
    (all, infos)
}

/// Returns the name of a parameter of a model as one of the node: `robot.controller.KP`.
fn node_name(name: &str) -> String {
    name.replace('/', ".")
}

/// Returns the texts of a list.
fn texts<'a>(request: &'a Value, key: &str) -> Vec<&'a str> {
    request[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn get(desk: &ServiceDesk, request: &Value) -> Value {
    let (all, _) = all(desk);
    let values = texts(request, "names").into_iter().map(|name| match all.get(name) {
        Some((value, _)) => value.message(),
        None => json!({"type": NOT_SET}),
    });
    json!({"values": values.collect::<Vec<_>>()})
}

fn get_types(desk: &ServiceDesk, request: &Value) -> Value {
    let (all, _) = all(desk);
    let kind = |name: &str| all.get(name).map_or(NOT_SET, |(value, _)| value.kind());
    json!({"types": texts(request, "names").into_iter().map(kind).collect::<Vec<_>>()})
}

fn list(desk: &ServiceDesk, request: &Value) -> Value {
    let (all, _) = all(desk);
    let depth = request["depth"].as_u64().unwrap_or(0) as usize;
    let prefixes = texts(request, "prefixes");
    let is_near = |rest: &str| depth == 0 || rest.matches('.').count() < depth;
    let is_listed = |name: &&String| {
        if prefixes.is_empty() {
            return is_near(name);
        }
        prefixes.iter().any(|prefix| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(is_near))
        })
    };
    let names: Vec<&String> = all.keys().filter(is_listed).collect();
    let mut found: Vec<&str> =
        names.iter().filter_map(|name| name.rsplit_once('.').map(|(prefix, _)| prefix)).collect();
    found.dedup();
    json!({"result": {"names": names, "prefixes": found}})
}

fn describe(desk: &ServiceDesk, request: &Value) -> Value {
    let (all, infos) = all(desk);
    let descriptor = |name: &str| {
        let Some((value, source)) = all.get(name) else { return json!({"name": name}) };
        let mut found = json!({"name": name, "type": value.kind()});
        match source {
            Source::Clock => {
                found["description"] =
                    "The node follows the simulated clock, which it sets.".into();
                found["read_only"] = true.into();
            }
            Source::Paused => found["description"] = "Whether the run is paused.".into(),
            Source::Pace => {
                found["description"] =
                    "Simulated time per wall time; 0 as fast as possible, which cannot be set."
                        .into();
                found["floating_point_range"] = range(1e-6, 1e6);
            }
            Source::Model(own) => add_info(&mut found, value, infos.get(own)),
        }
        found
    };
    let names = texts(request, "names").into_iter();
    json!({"descriptors": names.map(descriptor).collect::<Vec<_>>()})
}

fn range(from: f64, to: f64) -> Value {
    json!([{"from_value": from, "to_value": to, "step": 0.0}])
}

/// Adds meaning, unit and accepted values to a descriptor.
fn add_info(descriptor: &mut Value, value: &NodeValue, info: Option<&Value>) {
    let Some(info) = info else { return };
    let text = |key: &str| info[key].as_str().unwrap_or_default();
    let unit = match text("unit") {
        "" | "1" => String::new(),
        unit => format!(" Unit: {unit}."),
    };
    descriptor["description"] = format!("{}{unit}", text("doc")).into();
    let (min, max) = (info["min"].as_f64(), info["max"].as_f64());
    let is_number = matches!(value, NodeValue::Double(_) | NodeValue::Doubles(_));
    if is_number && (min.is_some() || max.is_some()) {
        // ROS has no ranges with one end
        descriptor["floating_point_range"] =
            range(min.unwrap_or(f64::MIN), max.unwrap_or(f64::MAX));
    }
    let choices = texts(info, "choices");
    if !choices.is_empty() {
        descriptor["additional_constraints"] = format!("One of: {}", choices.join(", ")).into();
    }
}

/// Returns the input that sets a parameter.
fn input(name: &str, source: &Source, value: NodeValue) -> Result<Option<Input>, String> {
    Ok(match (source, value) {
        (Source::Clock, NodeValue::Bool(true)) => None,
        (Source::Clock, _) => {
            return Err(format!("'{name}' is read-only: the node sets the clock"));
        }
        (Source::Paused, NodeValue::Bool(true)) => Some(Input::Pause),
        (Source::Paused, _) => Some(Input::Resume),
        (Source::Pace, NodeValue::Double(factor)) => Some(Input::Pace { factor }),
        (Source::Pace, _) => return Err(format!("'{name}' is not a number")),
        (Source::Model(own), value) => {
            let text = match value {
                NodeValue::Bool(value) => value.to_string(),
                NodeValue::Double(value) => value.to_string(),
                NodeValue::Doubles(values) => {
                    values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
                }
                NodeValue::Text(text) => text,
            };
            Some(Input::Parameter { name: own.clone(), value: text })
        }
    })
}

/// Sets one parameter without waiting for it.
fn set(desk: &ServiceDesk, all: &All, parameter: &Value) -> Result<(), String> {
    let name = parameter["name"].as_str().unwrap_or_default();
    let (present, source) = all.get(name).ok_or_else(|| format!("unknown parameter: '{name}'"))?;
    let value = given(name, present, &parameter["value"])?;
    match input(name, source, value)? {
        Some(input) => desk.post(input).map_err(|(_, text): ServiceRefusal| text),
        None => Ok(()),
    }
}

fn outcome(outcome: &Result<(), String>) -> Value {
    let reason = outcome.as_ref().err().map_or("", String::as_str);
    json!({"successful": outcome.is_ok(), "reason": reason})
}

fn set_each(desk: &ServiceDesk, request: &Value) -> Value {
    let (all, _) = all(desk);
    let parameters = request["parameters"].as_array().into_iter().flatten();
    let results: Vec<Value> =
        parameters.map(|parameter| outcome(&set(desk, &all, parameter))).collect();
    desk.settle();
    json!({"results": results})
}

fn set_all(desk: &ServiceDesk, request: &Value) -> Value {
    let (all, _) = all(desk);
    let parameters = request["parameters"].as_array().cloned().unwrap_or_default();
    let mut result = Ok(());
    for (index, parameter) in parameters.iter().enumerate() {
        result = set(desk, &all, parameter);
        if result.is_err() {
            // those before return to their values, in the same step
            for before in parameters[..index].iter().rev() {
                let name = before["name"].as_str().unwrap_or_default();
                let Some((value, _)) = all.get(name) else { continue };
                let _ = set(desk, &all, &json!({"name": name, "value": value.message()}));
            }
            break;
        }
    }
    desk.settle();
    json!({"result": outcome(&result)})
}

/// Finds parameters that have changed.
pub struct ParameterWatch {
    desk: Arc<ServiceDesk>,
    known: Option<All>,
    /// What the parameters of the last call were read from, so that a call without changes takes no description of the
    /// world.
    texts: (Vec<Parameter>, bool, Option<f64>),
}

impl ParameterWatch {
    /// Watches the parameters of a session.
    pub fn new(desk: Arc<ServiceDesk>) -> Self {
        Self { desk, known: None, texts: (Vec::new(), false, None) }
    }

    /// Returns a `rcl_interfaces/msg/ParameterEvent` with what has changed since the last call, if anything has. The
    /// first call only looks.
    pub fn look(&mut self, node: &str) -> Option<Value> {
        let progress = self.desk.control.progress();
        let texts = (self.desk.control.parameters(), progress.is_paused, progress.pace);
        if self.known.is_some() && texts == self.texts {
            return None;
        }
        self.texts = texts;
        let (present, _) = all(&self.desk);
        let known = self.known.replace(present.clone())?;
        parameter_event(node, self.desk.time(), &known, &present)
    }
}

/// Returns the event of a change of parameters.
fn parameter_event(node: &str, time: f64, before: &All, after: &All) -> Option<Value> {
    let list = |of: &All, is_listed: &dyn Fn(&String, &NodeValue) -> bool| -> Vec<Value> {
        let listed = of.iter().filter(|(name, (value, _))| is_listed(name, value));
        listed.map(|(name, (value, _))| json!({"name": name, "value": value.message()})).collect()
    };
    let new = list(after, &|name, _| !before.contains_key(name));
    let changed =
        list(after, &|name, value| before.get(name).is_some_and(|(known, _)| known != value));
    let deleted = list(before, &|name, _| !after.contains_key(name));
    let is_any = !(new.is_empty() && changed.is_empty() && deleted.is_empty());
    is_any.then(|| {
        json!({
            "stamp": stamp(time), "node": node, "new_parameters": new,
            "changed_parameters": changed, "deleted_parameters": deleted,
        })
    })
}

/// Type of a parameter that does not exist.
const NOT_SET: u8 = 0;
const BOOL: u8 = 1;
const INTEGER: u8 = 2;
const DOUBLE: u8 = 3;
const STRING: u8 = 4;
const INTEGER_ARRAY: u8 = 7;
const DOUBLE_ARRAY: u8 = 8;

/// Names of the types, for messages.
const TYPES: [&str; 10] = [
    "not set",
    "bool",
    "integer",
    "double",
    "string",
    "byte_array",
    "bool_array",
    "integer_array",
    "double_array",
    "string_array",
];

/// A parameter with its value.
#[derive(Clone, PartialEq)]
enum NodeValue {
    Bool(bool),
    Double(f64),
    Doubles(Vec<f64>),
    Text(String),
}

impl NodeValue {
    /// Reads a value as in a world file. A number that is not finite is a text, as messages of parameters are made of
    /// finite numbers.
    pub fn of_text(text: &str, is_choice: bool) -> Self {
        let number = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
        match (text, numbers) {
            ("true", _) => Self::Bool(true),
            ("false", _) => Self::Bool(false),
            (_, Some(numbers)) if !is_choice && numbers.len() == 1 => Self::Double(numbers[0]),
            (_, Some(numbers)) if !is_choice && numbers.len() > 1 => Self::Doubles(numbers),
            _ => Self::Text(text.to_owned()),
        }
    }

    pub const fn kind(&self) -> u8 {
        match self {
            Self::Bool(_) => BOOL,
            Self::Double(_) => DOUBLE,
            Self::Doubles(_) => DOUBLE_ARRAY,
            Self::Text(_) => STRING,
        }
    }

    /// Returns a `rcl_interfaces/msg/ParameterValue`.
    pub fn message(&self) -> Value {
        let kind = self.kind();
        match self {
            Self::Bool(value) => json!({"type": kind, "bool_value": value}),
            Self::Double(value) => json!({"type": kind, "double_value": value}),
            Self::Doubles(values) => json!({"type": kind, "double_array_value": values}),
            Self::Text(value) => json!({"type": kind, "string_value": value}),
        }
    }
}

/// Returns the value of a `rcl_interfaces/msg/ParameterValue` for a parameter.
fn given(name: &str, present: &NodeValue, value: &Value) -> Result<NodeValue, String> {
    let kind = value["type"].as_u64().unwrap_or_default() as u8;
    let numbers = |key: &str| -> Option<NodeValue> {
        let all: Option<Vec<f64>> = value[key].as_array()?.iter().map(Value::as_f64).collect();
        all.map(NodeValue::Doubles)
    };
    let number = |key: &str| value[key].as_f64().map(NodeValue::Double);
    let found = match (present, kind) {
        (NodeValue::Bool(_), BOOL) => value["bool_value"].as_bool().map(NodeValue::Bool),
        (NodeValue::Double(_), INTEGER) => number("integer_value"),
        (NodeValue::Double(_), DOUBLE) => number("double_value"),
        (NodeValue::Doubles(_), INTEGER_ARRAY) => numbers("integer_array_value"),
        (NodeValue::Doubles(_), DOUBLE_ARRAY) => numbers("double_array_value"),
        (NodeValue::Text(_), STRING) => {
            value["string_value"].as_str().map(|text| NodeValue::Text(text.to_owned()))
        }
        _ => {
            let found = TYPES.get(usize::from(kind)).copied().unwrap_or("unknown");
            let expected = TYPES[usize::from(present.kind())];
            return Err(format!("the type of '{name}' is {expected}; found {found}"));
        }
    };
    found.ok_or_else(|| format!("the value of '{name}' is not finite"))
}
