//! Parquet files of rows that have a number, a whole number or a text in each column.

use std::fs::File;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use simhost_streams::{Count, Field, Stream};

use super::Properties;
use crate::error::RecordError;
use crate::sinks::csv::columns;

/// Content of a column of a [`RowFile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Whole numbers from 0.
    Whole,
    /// Numbers; some can be missing.
    Number,
    /// Texts.
    Text,
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'c> {
    /// A whole number.
    Whole(u64),
    /// A number, or none.
    Number(Option<f64>),
    /// A text.
    Text(&'c str),
}

/// A Parquet file of rows, which are one row group. Its bytes depend on the rows alone.
pub struct RowFile {
    path: PathBuf,
    writer: SerializedFileWriter<File>,
    columns: Vec<Cells>,
}

/// Values of a column.
enum Cells {
    Whole(Vec<i64>),
    /// Numbers, and for each row whether it has one.
    Numbers(Vec<f64>, Vec<i16>),
    Texts(Vec<ByteArray>),
}

impl RowFile {
    /// Creates a file with columns, given by their names, units and contents. A column without a unit has an empty one.
    ///
    /// # Errors
    /// [`RecordError::Create`] if the file cannot be created.
    pub fn create(
        path: &Path,
        columns: &[(String, String, CellKind)],
    ) -> Result<Self, RecordError> {
        let failed = |source| RecordError::Create { path: path.to_owned(), source };
        let file = simhost_files::create(path).map_err(failed)?;
        let with_unit = columns.iter().filter(|(_, unit, _)| !unit.is_empty());
        let units =
            with_unit.map(|(name, unit, _)| KeyValue::new(format!("unit:{name}"), unit.clone()));
        let properties = super::properties(units.collect());
        let writer = writer(file, columns, properties);
        let writer = writer.map_err(|error| failed(std::io::Error::other(error)))?;
        let empty = |(_, _, kind): &(String, String, CellKind)| match kind {
            CellKind::Whole => Cells::Whole(Vec::new()),
            CellKind::Number => Cells::Numbers(Vec::new(), Vec::new()),
            CellKind::Text => Cells::Texts(Vec::new()),
        };
        Ok(Self { path: path.to_owned(), writer, columns: columns.iter().map(empty).collect() })
    }

    /// Adds a row. A cell with another kind than its column is missing, zero or empty.
    pub fn push<'c>(&mut self, row: impl IntoIterator<Item = Cell<'c>>) {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            match (column, cell) {
                (Cells::Whole(all), Cell::Whole(number)) => all.push(number as i64),
                (Cells::Whole(all), _) => all.push(0),
                (Cells::Numbers(all, known), Cell::Number(number)) => {
                    all.extend(number);
                    known.push(i16::from(number.is_some()));
                }
                (Cells::Numbers(_, known), _) => known.push(0),
                (Cells::Texts(all), Cell::Text(text)) => all.push(text.into()),
                (Cells::Texts(all), _) => all.push("".into()),
            }
        }
    }

    /// Writes the rows, and completes the file.
    ///
    /// # Errors
    /// [`RecordError::Write`] if the file cannot be written.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.write().map_err(|error| {
            let source = match error {
                ParquetError::External(error) => match error.downcast::<std::io::Error>() {
                    Ok(error) => *error,
                    Err(error) => std::io::Error::other(error),
                },
                other => std::io::Error::other(other),
            };
            RecordError::Write { path: self.path.clone(), source }
        })
    }

    fn write(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for cells in &mut self.columns {
            let Some(mut column) = group.next_column()? else { break };
            match cells {
                Cells::Whole(all) => {
                    column.typed::<Int64Type>().write_batch(&take(all), None, None)?;
                }
                Cells::Numbers(all, known) => {
                    let (all, known) = (take(all), take(known));
                    column.typed::<DoubleType>().write_batch(&all, Some(&known), None)?;
                }
                Cells::Texts(all) => {
                    column.typed::<ByteArrayType>().write_batch(&take(all), None, None)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        self.writer.finish().map(drop)
    }
}

fn writer(
    file: File,
    columns: &[(String, String, CellKind)],
    properties: Properties,
) -> Result<SerializedFileWriter<File>, ParquetError> {
    let column = |(name, _, kind): &(String, String, CellKind)| -> Result<TypePtr, ParquetError> {
        match kind {
            CellKind::Text => primitive(name, Physical::BYTE_ARRAY, Some(LogicalType::String)),
            CellKind::Whole => {
                primitive(name, Physical::INT64, Some(LogicalType::integer(64, false)))
            }
            CellKind::Number => Type::primitive_type_builder(name, Physical::DOUBLE)
                .with_repetition(Repetition::OPTIONAL)
                .build()
                .map(Arc::new),
        }
    };
    let fields = columns.iter().map(column).collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("rows").with_fields(fields).build()?;
    SerializedFileWriter::new(file, Arc::new(schema), properties)
}

/// Name of the column with the stamp of a sample.
const TIME: &str = "time_ns";
/// Returns the schema of a stream, and its name, message, frame and units as metadata.
pub(super) fn describe_schema(stream: &Stream) -> Result<(TypePtr, Vec<KeyValue>), ParquetError> {
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

fn primitive(
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

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn rows_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let columns =
            [("n", "", CellKind::Whole), ("v", "m/s", CellKind::Number), ("t", "", CellKind::Text)];
        let columns = columns.map(|(name, unit, kind)| (name.to_owned(), unit.to_owned(), kind));
        let write = || {
            let mut file = RowFile::create(&path, &columns).unwrap();
            file.push([Cell::Whole(u64::MAX), Cell::Number(Some(1.5)), Cell::Text("ok")]);
            file.push([Cell::Whole(2), Cell::Number(None), Cell::Text("")]);
            file.finish().unwrap();
            std::fs::read(&path).unwrap()
        };
        assert_eq!(write(), write());
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let units = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(units.iter().any(|one| one.key == "unit:v" && one.value.as_deref() == Some("m/s")));
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows[0].get_ulong(0).unwrap(), u64::MAX);
        assert_eq!(
            (rows[0].get_double(1).unwrap(), rows[0].get_string(2).unwrap().as_str()),
            (1.5, "ok")
        );
        assert!(rows[1].get_double(1).is_err(), "{:?}", rows[1]);
    }
}
