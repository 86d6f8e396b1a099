//! Parameters as clients read and set them: parameters of models, and two of the session.

use serde_json::{Map, Number, Value, json};
use simhost_streams::{Control, Input, InputError, Parameter};

use crate::protocol::ParameterValue;

/// Whether the session is paused.
const PAUSED: &str = "simhost/paused";
/// Simulated time per wall time.
const PACE: &str = "simhost/pace";

/// Returns all parameters with their present values as texts, in a fixed order.
pub fn present(control: &dyn Control) -> Vec<Parameter> {
    let progress = control.progress();
    let mut all =
        vec![Parameter { name: PAUSED.to_owned(), value: progress.is_paused.to_string() }];
    if let Some(pace) = progress.pace {
        all.push(Parameter { name: PACE.to_owned(), value: pace.to_string() });
    }
    all.extend(control.parameters());
    all
}

/// Returns a message with values of parameters.
pub fn message<'a>(parameters: impl Iterator<Item = &'a Parameter>, id: Option<&str>) -> String {
    let mut message = Map::new();
    message.insert("op".to_owned(), "parameterValues".into());
    message.insert("parameters".to_owned(), parameters.map(advertised).collect());
    if let Some(id) = id {
        message.insert("id".to_owned(), id.into());
    }
    Value::Object(message).to_string()
}

/// Sets a parameter.
///
/// # Errors
/// A sentence for the user of the client.
pub fn set(parameter: &ParameterValue, control: &dyn Control) -> Result<(), String> {
    let ParameterValue { name, value } = parameter;
    let input = match (name.as_str(), value) {
        (PAUSED, Value::Bool(true)) => Input::Pause,
        (PAUSED, Value::Bool(false)) => Input::Resume,
        (PAUSED, other) => return Err(format!("{PAUSED} is {other}; expected true or false")),
        (PACE, other) => match other.as_f64() {
            Some(factor) if factor.is_finite() && factor > 0.0 => Input::Pace { factor },
            _ => return Err(format!("{PACE} is {other}; expected a number greater than 0")),
        },
        _ => Input::Parameter { name: name.clone(), value: text_of(name, value)? },
    };
    control.send(input).map_err(|error: InputError| error.to_string())
}

/// Returns a parameter as clients read it: numbers as numbers, so that they can be changed by sliders.
fn advertised(parameter: &Parameter) -> Value {
    let Parameter { name, value } = parameter;
    let numbers: Option<Vec<Number>> = value.split_whitespace().map(number).collect();
    match (value.as_str(), numbers) {
        ("true", _) => json!({"name": name, "value": true}),
        ("false", _) => json!({"name": name, "value": false}),
        (_, Some(numbers)) if numbers.len() == 1 => {
            json!({"name": name, "value": numbers[0], "type": "float64"})
        }
        (_, Some(numbers)) if !numbers.is_empty() => {
            json!({"name": name, "value": numbers, "type": "float64_array"})
        }
        _ => json!({"name": name, "value": value}),
    }
}

fn number(text: &str) -> Option<Number> {
    text.parse().ok().and_then(Number::from_f64)
}

/// Returns a value as in a world file.
fn text_of(name: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(value) => Ok(value.to_string()),
        Value::String(value) => Ok(value.clone()),
        Value::Array(values) if values.iter().all(|value| !value.is_array()) => {
            let texts = values.iter().map(|value| text_of(name, value));
            Ok(texts.collect::<Result<Vec<_>, _>>()?.join(" "))
        }
        Value::Null => Err(format!("{name} cannot be removed; expected a value")),
        other => Err(format!("{name} is {other}; expected a number, a truth value or a text")),
    }
}

#[cfg(test)]
mod tests {
    use super::{advertised, text_of};
    use serde_json::json;
    use simhost_streams::Parameter;

    #[test]
    fn values_keep_their_type_on_the_way_to_a_client_and_back() {
        for (text, value) in [
            ("2", json!(2.0)),
            ("0.1", json!(0.1)),
            ("1 2.5", json!([1.0, 2.5])),
            ("true", json!(true)),
            ("pid", json!("pid")),
            ("", json!("")),
            ("inf", json!("inf")),
        ] {
            let parameter = Parameter { name: "a/b/c".to_owned(), value: text.to_owned() };
            assert_eq!(advertised(&parameter)["value"], value, "{text}");
        }
        assert_eq!(text_of("a", &json!(2)).unwrap(), "2");
        assert_eq!(text_of("a", &json!([1, 0.5])).unwrap(), "1 0.5");
        assert_eq!(text_of("a", &json!("x y")).unwrap(), "x y");
        assert!(text_of("a", &json!(null)).is_err());
        assert!(text_of("a", &json!({"x": 1})).is_err());
    }
}
