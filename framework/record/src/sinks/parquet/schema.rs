//! Columns of a stream as Parquet describes them.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::schema::types::{Type, TypePtr};
use simhost_streams::{Count, Field, Stream};

use crate::sinks::csv::columns;

/// Name of the column with the stamp of a sample.
const TIME: &str = "time_ns";
/// Returns the schema of a stream, and its name, message, frame and units as metadata.
pub(super) fn describe(stream: &Stream) -> Result<(TypePtr, Vec<KeyValue>), ParquetError> {
    let mut fields = vec![primitive(TIME, Physical::INT64, None)?];
    let about = [
        ("stream", &stream.name),
        ("message", &stream.kind.message.clone().into_owned()),
        ("frame", &stream.frame),
    ];
    let mut metadata: Vec<KeyValue> =
        about.map(|(key, value)| KeyValue::new(key.to_owned(), value.clone())).into();
    metadata.push(KeyValue::new(format!("unit:{TIME}"), "ns".to_owned()));
    for field in stream.kind.fields.iter() {
        for name in columns(stream, field) {
            if !field.unit.is_empty() {
                metadata.push(KeyValue::new(format!("unit:{name}"), field.unit.to_string()));
            }
            fields.push(column_type(&name, field)?);
        }
    }
    let schema = Type::group_type_builder("stream").with_fields(fields).build()?;
    Ok((Arc::new(schema), metadata))
}

fn column_type(name: &str, field: &Field) -> Result<TypePtr, ParquetError> {
    let text = Some(LogicalType::String);
    match field.count {
        Count::One | Count::Fixed(_) | Count::PerLabel(_) => {
            primitive(name, Physical::DOUBLE, None)
        }
        Count::Text => primitive(name, Physical::BYTE_ARRAY, text),
        Count::Bytes => primitive(name, Physical::BYTE_ARRAY, None),
        Count::Rest => list(name, primitive("element", Physical::DOUBLE, None)?),
        Count::Texts(_) => list(name, primitive("element", Physical::BYTE_ARRAY, text)?),
    }
}

pub(super) fn primitive(
    name: &str,
    kind: Physical,
    logical: Option<LogicalType>,
) -> Result<TypePtr, ParquetError> {
    let kind = Type::primitive_type_builder(name, kind);
    kind.with_repetition(Repetition::REQUIRED).with_logical_type(logical).build().map(Arc::new)
}

fn list(name: &str, element: TypePtr) -> Result<TypePtr, ParquetError> {
    let elements = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(elements)])
        .build()
        .map(Arc::new)
}
