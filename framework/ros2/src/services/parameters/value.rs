//! Values of parameters of the node.

use serde_json::{Value, json};

/// Type of a parameter that does not exist.
pub const NOT_SET: u8 = 0;
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
pub enum NodeValue {
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
pub fn given(name: &str, present: &NodeValue, value: &Value) -> Result<NodeValue, String> {
    let kind = value["type"].as_u64().unwrap_or_default() as u8;
    let numbers = |key: &str| -> Option<Vec<f64>> {
        value[key].as_array()?.iter().map(Value::as_f64).collect()
    };
    let not_finite = || format!("the value of '{name}' is not finite");
    match (present, kind) {
        (NodeValue::Bool(_), BOOL) => {
            Ok(NodeValue::Bool(value["bool_value"].as_bool().unwrap_or_default()))
        }
        (NodeValue::Double(_), INTEGER) => {
            Ok(NodeValue::Double(value["integer_value"].as_f64().unwrap_or_default()))
        }
        (NodeValue::Double(_), DOUBLE) => {
            value["double_value"].as_f64().map(NodeValue::Double).ok_or_else(not_finite)
        }
        (NodeValue::Doubles(_), INTEGER_ARRAY) => {
            numbers("integer_array_value").map(NodeValue::Doubles).ok_or_else(not_finite)
        }
        (NodeValue::Doubles(_), DOUBLE_ARRAY) => {
            numbers("double_array_value").map(NodeValue::Doubles).ok_or_else(not_finite)
        }
        (NodeValue::Text(_), STRING) => {
            Ok(NodeValue::Text(value["string_value"].as_str().unwrap_or_default().to_owned()))
        }
        _ => {
            let found = TYPES.get(usize::from(kind)).copied().unwrap_or("unknown");
            let expected = TYPES[usize::from(present.kind())];
            Err(format!("the type of '{name}' is {expected}; found {found}"))
        }
    }
}
