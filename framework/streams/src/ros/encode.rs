//! Writing messages as CDR from their JSON form.

use serde_json::Value;

use super::cdr::Cdr;
use super::layout::{Kind, Layout, Part, Shape};
use super::writer::Writer;
use crate::stream::FrameForm;

/// A JSON value is not a message of the expected type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {found}; expected {expected}")]
pub struct EncodeError {
    /// Path of the field.
    pub field: String,
    /// The value.
    pub found: String,
    /// The type in the definition.
    pub expected: String,
}

impl Layout {
    /// Returns a message in CDR, with its header. Fields that are missing have their defaults, and `null` is a number
    /// that is not finite.
    ///
    /// # Errors
    /// [`EncodeError`] if a value does not fit the type of its field, or a field is unknown.
    pub fn encode(&self, message: &Value) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::new();
        self.put(0, message, &mut Cdr::new(&mut bytes, FrameForm::Any, None), "")?;
        Ok(bytes)
    }

    fn put(
        &self,
        number: usize,
        message: &Value,
        to: &mut Cdr<'_>,
        path: &str,
    ) -> Result<(), EncodeError> {
        let parts = &self.messages[number].fields;
        let path =
            |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
        match message {
            Value::Null => {}
            Value::Object(given) => {
                let is_unknown = |name: &&String| !parts.iter().any(|part| part.name == **name);
                if let Some(name) = given.keys().find(is_unknown) {
                    return Err(wrong(&path(name), message, "no such field"));
                }
            }
            _ => return Err(wrong(&path("message"), message, &self.messages[number].name)),
        }
        if parts.is_empty() {
            // IDL has no empty structures
            to.put([0]);
        }
        for part in parts {
            self.put_part(part, message.get(&part.name), to, &path(&part.name))?;
        }
        Ok(())
    }

    fn put_part(
        &self,
        part: &Part,
        value: Option<&Value>,
        to: &mut Cdr<'_>,
        path: &str,
    ) -> Result<(), EncodeError> {
        let has_default = value.is_none() && part.shape == Shape::One && !part.default.is_empty();
        let default = has_default.then(|| default_of(part));
        let value = value.or(default.as_ref());
        if part.shape == Shape::One {
            return self.put_element(part.kind, value, to, path);
        }
        let (list, count) = elements(part, value)
            .map_err(|expected| wrong(path, value.unwrap_or(&Value::Null), &expected))?;
        if matches!(part.shape, Shape::Sequence(_)) {
            to.len(count);
        }
        for index in 0..count {
            self.put_element(part.kind, list.get(index), to, path)?;
        }
        Ok(())
    }

    fn put_element(
        &self,
        kind: Kind,
        value: Option<&Value>,
        to: &mut Cdr<'_>,
        path: &str,
    ) -> Result<(), EncodeError> {
        let fail = |expected: &str| wrong(path, value.unwrap_or(&Value::Null), expected);
        let signed = || value.map_or(Some(0), Value::as_i64);
        let unsigned = || value.map_or(Some(0), Value::as_u64);
        let float = || match value {
            None => Some(0.0),
            Some(Value::Null) => Some(f64::NAN),
            Some(value) => value.as_f64(),
        };
        macro_rules! put {
            ($kind:ty, $read:ident) => {{
                let number = $read().and_then(|number| <$kind>::try_from(number).ok());
                to.put(number.ok_or_else(|| fail(stringify!($kind)))?.to_le_bytes());
            }};
        }
        match kind {
            Kind::Message(number) => {
                return self.put(number, value.unwrap_or(&Value::Null), to, path);
            }
            Kind::Bool => {
                let truth = value.map_or(Some(false), Value::as_bool);
                to.put([truth.ok_or_else(|| fail("bool"))?.into()]);
            }
            Kind::Byte | Kind::U8 => put!(u8, unsigned),
            Kind::I8 => put!(i8, signed),
            Kind::U16 => put!(u16, unsigned),
            Kind::I16 => put!(i16, signed),
            Kind::U32 => put!(u32, unsigned),
            Kind::I32 => put!(i32, signed),
            Kind::U64 => put!(u64, unsigned),
            Kind::I64 => put!(i64, signed),
            Kind::F32 => to.f32("", float().ok_or_else(|| fail("a number"))? as f32),
            Kind::F64 => to.f64("", float().ok_or_else(|| fail("a number"))?),
            Kind::Text(bound) => {
                let text = value.map_or(Some(""), Value::as_str);
                let text = text.filter(|text| bound == 0 || text.len() <= bound);
                to.text("", text.ok_or_else(|| fail("a text"))?);
            }
        }
        Ok(())
    }
}

/// Returns the values of a list that are given, and the number of its elements.
///
/// # Errors
/// The description of the value that is expected.
fn elements<'a>(part: &Part, value: Option<&'a Value>) -> Result<(&'a [Value], usize), String> {
    let list = match value {
        None => None,
        Some(Value::Array(list)) => Some(list.as_slice()),
        Some(_) => return Err("a list".to_owned()),
    };
    match (part.shape, list) {
        (Shape::Array(count), None) => Ok((&[], count)),
        (_, None) => Ok((&[], 0)),
        (Shape::Array(count), Some(list)) if list.len() != count => {
            Err(format!("a list of {count} values"))
        }
        (Shape::Sequence(bound), Some(list)) if bound > 0 && list.len() > bound => {
            Err(format!("a list of at most {bound} values"))
        }
        (_, Some(list)) => Ok((list, list.len())),
    }
}

/// Returns the default of a field that is not a list.
fn default_of(part: &Part) -> Value {
    let text = part.default.trim_matches(['"', '\'']);
    match part.kind {
        Kind::Text(_) => text.into(),
        Kind::Bool => matches!(text, "true" | "True" | "1").into(),
        _ => serde_json::from_str(text).unwrap_or_default(),
    }
}

fn wrong(field: &str, found: &Value, expected: &str) -> EncodeError {
    EncodeError {
        field: field.to_owned(),
        found: found.to_string().chars().take(40).collect(),
        expected: expected.to_owned(),
    }
}
