//! Messages as JSON.

use serde_json::{Map, Value};

use super::writer::{Length, Number, Width, Writer};

/// Builds the JSON form of a message.
#[derive(Default)]
pub(super) struct Json {
    root: Map<String, Value>,
    /// Nested messages and lists that have begun, with their names.
    open: Vec<(String, Value)>,
}

impl Json {
    /// Returns the message.
    pub fn finish(self) -> Value {
        Value::Object(self.root)
    }

    fn add(&mut self, name: &str, value: Value) {
        match self.open.last_mut() {
            Some((_, Value::Array(list))) => list.push(value),
            Some((_, Value::Object(message))) => {
                message.insert(name.to_owned(), value);
            }
            _ => {
                self.root.insert(name.to_owned(), value);
            }
        }
    }

    fn leave(&mut self) {
        if let Some((name, value)) = self.open.pop() {
            self.add(&name, value);
        }
    }
}

impl Writer for Json {
    fn open(&mut self, name: &str) {
        self.open.push((name.to_owned(), Value::Object(Map::new())));
    }

    fn close(&mut self) {
        self.leave();
    }

    fn list(&mut self, name: &str, len: usize) {
        self.open.push((name.to_owned(), Value::Array(Vec::with_capacity(len))));
    }

    fn end(&mut self) {
        self.leave();
    }

    fn number(&mut self, name: &str, value: Number) {
        let value = match value {
            Number::Bool(value) => value.into(),
            Number::U8(value) => value.into(),
            Number::I8(value) => value.into(),
            Number::U16(value) => value.into(),
            Number::I32(value) => value.into(),
            Number::U32(value) => value.into(),
            Number::U64(value) => value.into(),
            Number::F32(value) => value.into(),
            Number::F64(value) => value.into(),
        };
        self.add(name, value);
    }

    fn text(&mut self, name: &str, value: &str) {
        self.add(name, value.into());
    }

    fn numbers(&mut self, name: &str, values: &[f64], width: Width, _: Length) {
        let value = |value: &f64| match width {
            Width::F32 => Value::from(*value as f32),
            Width::F64 => Value::from(*value),
        };
        self.add(name, values.iter().map(value).collect());
    }

    fn bytes(&mut self, name: &str, values: &[u8], is_signed: bool) {
        let value = |value: &u8| match is_signed {
            true => Value::from(value.cast_signed()),
            false => Value::from(*value),
        };
        self.add(name, values.iter().map(value).collect());
    }

    fn packed(&mut self, name: &str, values: &[f64]) {
        let bytes = values.iter().flat_map(|value| (*value as f32).to_le_bytes());
        self.add(name, bytes.map(Value::from).collect());
    }
}
