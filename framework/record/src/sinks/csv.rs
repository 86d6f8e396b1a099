//! CSV files of streams.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::Writer;
use simhost_streams::{Count, Field, Sample, SinkError, Stream};

use super::{Lines, create_folder, flush_all};
use crate::file_name::FileNames;
use crate::units::{column_name, suffix};

/// A file per stream: the time, and a column for each value. Lists of any length, texts and bytes are in one
/// column each; bytes are hexadecimal digits.
pub(super) struct CsvFiles {
    files: Vec<(Arc<Stream>, Lines)>,
}

impl CsvFiles {
    /// Creates the files with their headers.
    pub(super) fn create(folder: &Path, streams: &[Arc<Stream>]) -> Result<Self, SinkError> {
        create_folder(folder)?;
        let mut names = FileNames::default();
        let create = |stream: &Arc<Stream>| {
            let name = names.claim_as(&stream.name.replace('/', "."), "csv");
            let mut file = Lines::create(folder.join(name))?;
            file.push("time_s");
            for column in stream.kind.fields.iter().flat_map(|field| columns(stream, field)) {
                file.push(",");
                file.push_field(&column);
            }
            file.end()?;
            Ok((stream.clone(), file))
        };
        Ok(Self { files: streams.iter().map(create).collect::<Result<_, _>>()? })
    }
}

impl Writer for CsvFiles {
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (stream, file) = &mut self.files[stream];
        file.push(&sample.stamp.to_string());
        let (mut numbers, mut texts) = (sample.numbers, sample.texts.iter());
        for field in stream.kind.fields.iter() {
            let len = stream.len_of(field).min(numbers.len());
            let own = numbers.split_off(..len).unwrap_or_default();
            match field.count {
                Count::Rest => {
                    let mut before = ",";
                    sample.bulk.for_each(|number| {
                        file.push(before);
                        file.push_number(number);
                        before = " ";
                    });
                    if sample.bulk.is_empty() {
                        file.push(before);
                    }
                }
                Count::Text => {
                    file.push(",");
                    file.push_field(texts.next().map_or("", String::as_str));
                }
                Count::Texts(_) => {
                    file.push(",");
                    let rest: Vec<&str> = texts.by_ref().map(String::as_str).collect();
                    file.push_field(&rest.join("; "));
                }
                Count::Bytes => {
                    file.push(",");
                    let mut bytes = Vec::new();
                    sample.bulk.append_bytes(&mut bytes);
                    bytes.iter().for_each(|byte| file.push(&format!("{byte:02x}")));
                }
                Count::One | Count::Fixed(_) | Count::PerLabel(_) => {
                    for number in own {
                        file.push(",");
                        file.push_number(*number);
                    }
                }
            }
        }
        file.end()
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.files.iter_mut().try_for_each(|(_, file)| file.flush())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        flush_all(self.files.iter_mut().map(|(_, file)| file))
    }
}

/// Returns the names of the columns of a field.
pub(super) fn columns(stream: &Stream, field: &Field) -> Vec<String> {
    let column = |name: &str, index: Option<usize>| {
        // sensors of third parties can have any unit
        suffix(&field.unit).map(|_| column_name(name, &field.unit, index)).unwrap_or_else(|| {
            let unit: String = field.unit.chars().filter(char::is_ascii_alphanumeric).collect();
            let index = index.map(|index| format!("_{index}")).unwrap_or_default();
            format!("{name}_{}{index}", unit.to_lowercase())
        })
    };
    let indexed = |name: &str, count: usize| -> Vec<String> {
        match count {
            1 => vec![column(name, None)],
            _ => (0..count).map(|index| column(name, Some(index))).collect(),
        }
    };
    match field.count {
        Count::One => indexed(&field.name, 1),
        Count::Fixed(count) => (0..count).map(|k| column(&field.name, Some(k))).collect(),
        Count::PerLabel(count) => {
            let names = stream.labels.iter().map(|label| format!("{label}.{}", field.name));
            names.flat_map(|name| indexed(&name, count)).collect()
        }
        Count::Rest => indexed(&field.name, 1),
        Count::Text | Count::Texts(_) | Count::Bytes => vec![field.name.to_string()],
    }
}
