//! Reads declarations in JSON.
//!
//! Values are read by hand, because derived code would be a third of what scripts add to the module of a tab.

use serde_json::Value;

use super::{Chassis, Default, ModelDeclaration, Parameter, PhaseDeclaration, Port, State, Wheel};

type Read<T> = Result<T, String>;

impl ModelDeclaration {
    /// Reads a declaration in JSON.
    ///
    /// # Errors
    /// The first part that is missing or has another type.
    pub fn from_json(json: &[u8]) -> Read<Self> {
        let wrong = |text: String| format!("the declaration is wrong: {text}");
        let value: Value =
            serde_json::from_slice(json).map_err(|error| wrong(error.to_string()))?;
        Self::from_value(&value).map_err(wrong)
    }

    /// Reads a declaration that has been parsed.
    ///
    /// # Errors
    /// As for [`Self::from_json`].
    pub fn from_value(value: &Value) -> Read<Self> {
        let command = |value: &Value| Ok((text(&value[0], "0")?, all(value, "1", plain_text)?));
        let chassis = Some(&value["chassis"]).filter(|chassis| !chassis.is_null());
        Ok(Self {
            kind: text_of(value, "kind")?,
            vendor: text_of(value, "vendor")?,
            name: text_of(value, "name")?,
            version: text_of(value, "version")?,
            doc: text_of(value, "doc")?,
            flags: count_of(value, "flags")?,
            parameters: all(value, "parameters", parameter)?,
            states: all(value, "states", state)?,
            commands: all(value, "commands", command)?,
            phases: all(value, "phases", phase)?,
            wheels: all(value, "wheels", wheel)?,
            chassis: chassis.map(chassis_of).transpose()?,
            compiled: all(value, "compiled", |address| number(address, "compiled"))?
                .into_iter()
                .map(|address| address as usize)
                .collect(),
        })
    }
}

fn missing<T>(key: &str, expected: &str) -> Read<T> {
    Err(format!("`{key}` is missing or not {expected}"))
}

fn text(value: &Value, key: &str) -> Read<String> {
    value.as_str().map_or_else(|| missing(key, "a text"), |text| Ok(text.to_owned()))
}

fn plain_text(value: &Value) -> Read<String> {
    text(value, "a name")
}

fn text_of(value: &Value, key: &str) -> Read<String> {
    text(&value[key], key)
}

fn count_of(value: &Value, key: &str) -> Read<u32> {
    let count = value[key].as_u64().and_then(|count| u32::try_from(count).ok());
    count.map_or_else(|| missing(key, "a whole number"), Ok)
}

/// Returns a number, also one that JSON cannot express and that is a text.
fn number(value: &Value, key: &str) -> Read<f64> {
    let found = match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_f64(),
    };
    found.map_or_else(|| missing(key, "a number"), Ok)
}

fn number_of(value: &Value, key: &str) -> Read<f64> {
    number(&value[key], key)
}

/// Returns the items of a list. The index of a list within a list is its key.
fn all<T>(value: &Value, key: &str, read: impl Fn(&Value) -> Read<T>) -> Read<Vec<T>> {
    let found = match key.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[key],
    };
    let Some(items) = found.as_array() else { return missing(key, "a list") };
    items.iter().map(read).collect()
}

fn phase(value: &Value) -> Read<PhaseDeclaration> {
    Ok(PhaseDeclaration {
        id: text_of(value, "id")?,
        inputs: all(value, "inputs", port)?,
        outputs: all(value, "outputs", port)?,
    })
}

fn parameter(value: &Value) -> Read<Parameter> {
    let default = match &value["default"] {
        Value::Null => None,
        Value::Bool(is_set) => Some(Default::Bool(*is_set)),
        Value::String(text) => Some(Default::Text(text.clone())),
        Value::Array(_) => {
            Some(Default::Items(all(value, "default", |item| number(item, "default"))?))
        }
        other => Some(Default::Number(number(other, "default")?)),
    };
    Ok(Parameter {
        key: text_of(value, "key")?,
        unit: text_of(value, "unit")?,
        description: text_of(value, "description")?,
        kind: count_of(value, "kind")?,
        flags: count_of(value, "flags")?,
        count: count_of(value, "count")?,
        scale: number_of(value, "scale")?,
        low: number_of(value, "low")?,
        high: number_of(value, "high")?,
        default,
        choices: all(value, "choices", plain_text)?,
    })
}

fn state(value: &Value) -> Read<State> {
    Ok(State {
        name: text_of(value, "name")?,
        unit: text_of(value, "unit")?,
        description: text_of(value, "description")?,
        initial: number_of(value, "initial")?,
        initial_from: text_of(value, "initial_from")?,
        scope: count_of(value, "scope")?,
        kind: count_of(value, "kind")?,
    })
}

fn port(value: &Value) -> Read<Port> {
    Ok(Port {
        name: text_of(value, "name")?,
        unit: text_of(value, "unit")?,
        description: text_of(value, "description")?,
        default: number_of(value, "default")?,
        flags: count_of(value, "flags")?,
        scope: count_of(value, "scope")?,
        key: text_of(value, "key")?,
        key_unit: text_of(value, "key_unit")?,
        key_scale: number_of(value, "key_scale")?,
    })
}

fn wheel(value: &Value) -> Read<Wheel> {
    Ok(Wheel {
        tag: text_of(value, "tag")?,
        x: number_of(value, "x")?,
        y: number_of(value, "y")?,
        flags: count_of(value, "flags")?,
    })
}

fn chassis_of(value: &Value) -> Read<Chassis> {
    let corner = |value: &Value| Ok((number(&value[0], "polygon")?, number(&value[1], "polygon")?));
    Ok(Chassis {
        mass: number_of(value, "mass")?,
        z_min: number_of(value, "z_min")?,
        z_max: number_of(value, "z_max")?,
        polygon: all(value, "polygon", corner)?,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_that_json_cannot_express_are_texts() {
        let read = |value: Value| number(&value, "low");
        assert_eq!(read(json!(2.5)).unwrap(), 2.5);
        assert_eq!(read(json!("-inf")).unwrap(), f64::NEG_INFINITY);
        assert!(read(json!("Infinity")).unwrap().is_infinite());
        assert_eq!(read(json!("many")).unwrap_err(), "`low` is missing or not a number");
    }

    #[test]
    fn the_type_of_a_default_decides() {
        let default = |value: Value| {
            let common = json!({
                "key": "a", "unit": "1", "description": "A.", "kind": 1, "flags": 0, "count": 0, "scale": 1,
                "low": "-inf", "high": "inf", "choices": [], "default": value,
            });
            parameter(&common).unwrap().default
        };
        assert!(matches!(default(json!(true)), Some(Default::Bool(true))));
        assert!(matches!(default(json!(1)), Some(Default::Number(1.0))));
        assert!(matches!(default(json!("inf")), Some(Default::Text(text)) if text == "inf"));
        assert!(
            matches!(default(json!([1, 2.5])), Some(Default::Items(items)) if items == [1.0, 2.5])
        );
        assert!(default(Value::Null).is_none());
    }

    #[test]
    fn a_missing_part_is_named() {
        let error = ModelDeclaration::from_json(b"{\"kind\": \"friction\"}").unwrap_err();
        assert_eq!(error, "the declaration is wrong: `vendor` is missing or not a text");
    }
}
