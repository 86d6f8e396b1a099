//! Samples of streams, and descriptions of streams.

use std::borrow::Cow;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simhost::{Count, Record, Sample, Stream, StreamType, Values};

use crate::arrays::vector;

/// A sample of any stream, with the texts by their fields.
pub struct Reading {
    values: Values,
    /// Names of the fields of one number, whose arrays have one value.
    single: Vec<String>,
    text_fields: Vec<String>,
    byte_field: Option<String>,
    constants: Vec<(Cow<'static, str>, f64)>,
}

impl Record for Reading {
    const TYPE: &'static str = "any";

    fn accepts(_: &StreamType) -> bool {
        true
    }

    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self {
        let named = |wanted: fn(&Count) -> bool| {
            let fields = stream.kind.fields.iter().filter(move |field| wanted(&field.count));
            fields.map(|field| field.name.to_string())
        };
        Self {
            values: Values::from_sample(stream, sample),
            single: named(|count| matches!(count, Count::One)).collect(),
            text_fields: named(|count| matches!(count, Count::Text)).collect(),
            byte_field: named(|count| matches!(count, Count::Bytes)).next(),
            constants: stream.constants.clone(),
        }
    }
}

impl Reading {
    /// Returns the fields by name: numbers as float or array, texts as str, bytes as an array of uint8, and the
    /// constants of the stream. `time` is the time of the sample, s.
    pub fn into_fields(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let fields = PyDict::new(py);
        for (name, value) in &self.constants {
            fields.set_item(&**name, *value)?;
        }
        let Values { time, numbers, texts, bytes } = self.values;
        for (name, numbers) in numbers {
            if self.single.contains(&name) {
                fields.set_item(name, numbers.first().copied().unwrap_or(f64::NAN))?;
            } else if !self.text_fields.contains(&name) && self.byte_field.as_ref() != Some(&name) {
                fields.set_item(name, vector(py, numbers))?;
            }
        }
        let mut texts = texts.into_iter();
        for (name, text) in self.text_fields.into_iter().zip(texts.by_ref()) {
            fields.set_item(name, text)?;
        }
        let further: Vec<String> = texts.collect();
        if !further.is_empty() {
            fields.set_item("texts", further)?;
        }
        if let Some(name) = self.byte_field {
            fields.set_item(name, PyArray1::from_vec(py, bytes))?;
        }
        fields.set_item("time", time)?;
        Ok(fields)
    }
}

/// A stream: name, type, whether it is an input, rate, description, and the fields with name, unit and description.
pub type DescribedStream = (String, String, bool, String, String, Vec<(String, String, String)>);

/// Returns the description of a stream.
pub fn described(stream: &Stream) -> DescribedStream {
    let fields = stream.kind.fields.iter();
    let fields =
        fields.map(|field| (field.name.to_string(), field.unit.to_string(), field.doc.to_string()));
    (
        stream.name.clone(),
        stream.kind.name.to_string(),
        stream.is_input(),
        stream.rate(),
        stream.description().to_owned(),
        fields.collect(),
    )
}
