//! Messages as JSON.

use serde_json::{Map, Value};

use super::writer::{Length, Number, Writer};

/// Builds the JSON form of a message.
#[derive(Default)]
pub(crate) struct Json {
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
    const HAS_NAMES: bool = true;

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

    fn numbers(&mut self, name: &str, values: &[f64], _: Length) {
        self.add(name, values.iter().map(|value| Value::from(*value)).collect());
    }

    fn floats(&mut self, name: &str, values: impl ExactSizeIterator<Item = f64>) {
        self.add(name, values.map(|value| Value::from(value as f32)).collect());
    }

    fn bytes(&mut self, name: &str, is_signed: bool, append: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = Vec::new();
        append(&mut bytes);
        let value = |value: u8| match is_signed {
            true => Value::from(value.cast_signed()),
            false => Value::from(value),
        };
        self.add(name, bytes.into_iter().map(value).collect());
    }
}
