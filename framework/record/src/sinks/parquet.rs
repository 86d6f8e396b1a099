//! Parquet files of streams.

mod rows;

use std::fs::File;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use simhost_streams::background::Writer;
use simhost_streams::{Count, Field, Sample, SinkError, Stream};

use super::create_folder;
use crate::file_name::FileNames;

pub use rows::{Cell, CellKind, RowFile};

/// Bytes of a stream that are kept until they are written as a row group.
const GROUP: usize = 1 << 22;

/// A file per stream: the stamp in ns, and a column per value. Lists of any length are lists, texts are
/// strings. The units of the columns are in the metadata of the file, as `unit:COLUMN`.
///
/// Rows are written in groups, and the index follows at the end: the file of a run that was killed cannot be
/// read.
pub(super) struct ParquetFiles {
    files: Vec<ParquetTable>,
}

impl ParquetFiles {
    /// Creates the files.
    pub(super) fn create(folder: &Path, streams: &[Arc<Stream>]) -> Result<Self, SinkError> {
        create_folder(folder)?;
        let mut names = FileNames::default();
        let create = |stream: &Arc<Stream>| {
            let name = names.claim_as(&stream.name.replace('/', "."), "parquet");
            ParquetTable::create(folder.join(name), stream.clone())
        };
        Ok(Self { files: streams.iter().map(create).collect::<Result<_, _>>()? })
    }
}

impl Writer for ParquetFiles {
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let table = &mut self.files[stream];
        table.push(sample);
        if table.bytes >= GROUP { table.write() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        // a row group per half second would make files large and slow
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        take(&mut self.files).into_iter().map(ParquetTable::finish).collect()
    }
}

/// A file and the rows that are not in it yet.
struct ParquetTable {
    path: PathBuf,
    stream: Arc<Stream>,
    writer: SerializedFileWriter<File>,
    stamps: Vec<i64>,
    columns: Vec<Column>,
    /// Bytes of the rows.
    bytes: usize,
}

/// Values of a column, row by row.
enum Column {
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
    NumberLists(Vec<f64>, Levels),
    TextLists(Vec<ByteArray>, Levels),
}

/// Lengths of lists, as Parquet has them.
#[derive(Default)]
struct Levels {
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl Levels {
    fn push(&mut self, len: usize) {
        // an empty list has one entry without a value
        self.definition.extend(std::iter::repeat_n(i16::from(len > 0), len.max(1)));
        self.repetition.extend((0..len.max(1)).map(|index| i16::from(index > 0)));
    }
}

impl ParquetTable {
    fn create(path: PathBuf, stream: Arc<Stream>) -> Result<Self, SinkError> {
        let file = simhost_files::create(&path).map_err(|error| {
            SinkError::new(format!("cannot create {}: {error}", path.display())).because(error)
        })?;
        let (schema, metadata) =
            rows::describe_schema(&stream).map_err(|error| failed("create", &path, error))?;
        let writer = SerializedFileWriter::new(file, schema, properties(metadata))
            .map_err(|error| failed("create", &path, error))?;
        let columns = stream.kind.fields.iter().flat_map(|field| empty(&stream, field)).collect();
        Ok(Self { path, stream, writer, stamps: Vec::new(), columns, bytes: 0 })
    }

    fn push(&mut self, sample: &Sample<'_>) {
        let Self { stream, stamps, columns, bytes, .. } = self;
        stamps.push(sample.stamp.0 as i64);
        let (mut rest, mut content) = (Vec::new(), Vec::new());
        sample.bulk.append_numbers(&mut rest);
        sample.bulk.append_bytes(&mut content);
        let texts = sample.texts.iter().map(String::len).sum::<usize>() + content.len();
        *bytes += 8 + size_of_val(sample.numbers) + size_of_val(&*rest) + texts;
        let (mut numbers, mut texts) = (sample.numbers, sample.texts);
        let mut columns = columns.iter_mut();
        for field in stream.kind.fields.iter() {
            let len = stream.len_of(field).min(numbers.len());
            let mut own = numbers.split_off(..len).unwrap_or_default().iter();
            let width = columns_of(stream, field);
            for column in columns.by_ref().take(width) {
                match column {
                    Column::Numbers(values) => {
                        values.push(own.next().copied().unwrap_or(f64::NAN));
                    }
                    Column::NumberLists(values, levels) => {
                        levels.push(rest.len());
                        values.append(&mut rest);
                    }
                    Column::Texts(values) if field.count == Count::Bytes => {
                        values.push(take(&mut content).into());
                    }
                    Column::Texts(values) => {
                        let text = texts.split_off_first();
                        values.push(text.map_or("", String::as_str).into());
                    }
                    Column::TextLists(values, levels) => {
                        let rest = take(&mut texts);
                        levels.push(rest.len());
                        values.extend(rest.iter().map(|text| ByteArray::from(text.as_str())));
                    }
                }
            }
        }
    }

    /// Writes the rows as a row group.
    fn write(&mut self) -> Result<(), SinkError> {
        self.bytes = 0;
        let stamps = take(&mut self.stamps);
        if stamps.is_empty() {
            return Ok(());
        }
        let mut written = || {
            let mut group = self.writer.next_row_group()?;
            if let Some(mut column) = group.next_column()? {
                column.typed::<Int64Type>().write_batch(&stamps, None, None)?;
                column.close()?;
            }
            for values in &mut self.columns {
                let Some(column) = group.next_column()? else { break };
                values.write(column)?;
            }
            group.close().map(drop)
        };
        written().map_err(|error| failed("write", &self.path, error))
    }

    fn finish(mut self) -> Result<PathBuf, SinkError> {
        self.write()?;
        self.writer.close().map_err(|error| failed("write", &self.path, error))?;
        Ok(self.path)
    }
}

impl Column {
    /// Writes the values as a column of a row group, and removes them.
    fn write(&mut self, mut column: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match self {
            Self::Numbers(values) => {
                column.typed::<DoubleType>().write_batch(&take(values), None, None)?;
            }
            Self::Texts(values) => {
                column.typed::<ByteArrayType>().write_batch(&take(values), None, None)?;
            }
            Self::NumberLists(values, levels) => {
                let Levels { definition, repetition } = take(levels);
                let column = column.typed::<DoubleType>();
                column.write_batch(&take(values), Some(&definition), Some(&repetition))?;
            }
            Self::TextLists(values, levels) => {
                let Levels { definition, repetition } = take(levels);
                let column = column.typed::<ByteArrayType>();
                column.write_batch(&take(values), Some(&definition), Some(&repetition))?;
            }
        }
        column.close()
    }
}

/// What a file is written with.
type Properties = Arc<WriterProperties>;

/// Returns the properties of files with metadata.
fn properties(metadata: Vec<KeyValue>) -> Properties {
    WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("simhost ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata))
        .build()
        .into()
}

/// Returns the number of columns of a field.
fn columns_of(stream: &Stream, field: &Field) -> usize {
    match field.count {
        Count::Fixed(_) | Count::PerLabel(_) => stream.len_of(field),
        Count::One | Count::Rest | Count::Text | Count::Texts(_) | Count::Bytes => 1,
    }
}

/// Returns the columns of a field without values.
fn empty(stream: &Stream, field: &Field) -> impl Iterator<Item = Column> {
    let count = field.count;
    (0..columns_of(stream, field)).map(move |_| match count {
        Count::One | Count::Fixed(_) | Count::PerLabel(_) => Column::Numbers(Vec::new()),
        Count::Rest => Column::NumberLists(Vec::new(), Levels::default()),
        Count::Text | Count::Bytes => Column::Texts(Vec::new()),
        Count::Texts(_) => Column::TextLists(Vec::new(), Levels::default()),
    })
}

fn failed(verb: &str, path: &Path, error: ParquetError) -> SinkError {
    SinkError::new(format!("cannot {verb} {}: {error}", path.display())).because(error)
}
