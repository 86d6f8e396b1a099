//! Rows of a csv file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::layout::Layout;
use crate::error::RunError;
use crate::series::Series;

/// Bytes that are read at once while the end of the last whole line is searched.
const BLOCK: u64 = 1 << 12;

/// A csv file whose header has been read.
pub struct Table {
    path: PathBuf,
    reader: csv::Reader<BufReader<Take<File>>>,
    /// First row, if it was read already.
    pending: Option<csv::ByteRecord>,
    /// Names of the columns.
    pub header: Vec<String>,
    /// Whether the last line is not terminated, as in the file of a run that was killed.
    pub has_cut_line: bool,
}

/// Series of a file.
pub struct Content {
    /// Series that are kept.
    pub series: Vec<Series>,
    /// Names of all series.
    pub names: Vec<String>,
    /// Names in the first column after the time, such as vehicles.
    pub first_names: Vec<String>,
}

/// Rows that share their names, for example the rows of one wheel.
struct Group {
    /// The names, each with a zero byte after it.
    key: Vec<u8>,
    times: Vec<f64>,
    /// Names of its series.
    names: Vec<String>,
    /// For each series that is kept, the values of its columns.
    columns: Vec<Option<Vec<Vec<f64>>>>,
}

impl Table {
    /// Opens a file and reads its header. Returns `None` if the file has no whole header.
    ///
    /// # Errors
    /// [`RunError::Read`] if the file cannot be read.
    pub fn open(path: &Path) -> Result<Option<Self>, RunError> {
        let failed = |source| RunError::Read { path: path.to_owned(), source };
        let mut file = simhost_files::open(path).map_err(failed)?;
        let len = file.metadata().map_err(failed)?.len();
        let whole = whole_lines(&mut file, len).map_err(failed)?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(BufReader::with_capacity(1 << 16, file.take(whole)));
        let header: Vec<String> = match reader.byte_headers() {
            Ok(header) => {
                header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
            }
            Err(error) => return Err(csv_error(path, error)),
        };
        let is_empty = header.is_empty();
        let (path, has_cut_line) = (path.to_owned(), whole < len);
        let table = Self { path, reader, pending: None, header, has_cut_line };
        Ok((!is_empty).then_some(table))
    }

    /// Returns the texts of the first row after the header, which is read again later.
    ///
    /// # Errors
    /// [`RunError::Read`] if the file cannot be read.
    pub fn first_row(&mut self) -> Result<Option<Vec<String>>, RunError> {
        let mut record = csv::ByteRecord::new();
        let found =
            self.reader.read_byte_record(&mut record).map_err(|e| csv_error(&self.path, e))?;
        self.pending = found.then(|| record.clone());
        Ok(found.then(|| texts(&record)))
    }

    /// Returns the texts of all rows, with the header first.
    ///
    /// # Errors
    /// [`RunError::Read`] if the file cannot be read.
    pub fn texts(mut self) -> Result<Vec<Vec<String>>, RunError> {
        let mut rows = vec![self.header.clone()];
        let mut record = csv::ByteRecord::new();
        while self.next(&mut record)? {
            rows.push(texts(&record));
        }
        Ok(rows)
    }

    /// Reads the next row.
    fn next(&mut self, record: &mut csv::ByteRecord) -> Result<bool, RunError> {
        if let Some(first) = self.pending.take() {
            *record = first;
            return Ok(true);
        }
        self.reader.read_byte_record(record).map_err(|error| csv_error(&self.path, error))
    }

    /// Reads the rows.
    ///
    /// # Errors
    /// [`RunError::Line`] if a row has another number of columns than the header, or a column is not a
    /// number.
    pub fn read(
        &mut self,
        layout: &Layout,
        keep: &dyn Fn(&str) -> bool,
    ) -> Result<Content, RunError> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut record, mut key, mut at) = (csv::ByteRecord::new(), Vec::new(), 0);
        if layout.keys.is_empty() {
            groups.push(group(layout, &record, keep));
            known.insert(Vec::new(), 0);
        }
        while self.next(&mut record)? {
            if record.len() != self.header.len() {
                let (found, expected) = (record.len(), self.header.len());
                return Err(self.line(&record, format!("{found} columns; expected {expected}")));
            }
            key.clear();
            for name in record.iter().skip(1).take(layout.keys.len()) {
                key.extend_from_slice(name);
                key.push(0);
            }
            // rows of the same time usually are in the same order
            at = if at + 1 < groups.len() { at + 1 } else { 0 };
            if groups.get(at).is_none_or(|group| group.key != key) {
                at = *known.entry(key.clone()).or_insert_with(|| {
                    groups.push(group(layout, &record, keep));
                    groups.len() - 1
                });
            }
            self.add(&mut groups[at], layout, &record)?;
        }
        Ok(content(groups, layout))
    }

    /// Adds a row to its group.
    fn add(
        &self,
        group: &mut Group,
        layout: &Layout,
        record: &csv::ByteRecord,
    ) -> Result<(), RunError> {
        group.times.push(self.number(record, 0)?);
        for (columns, values) in layout.series.iter().zip(&mut group.columns) {
            let Some(values) = values else { continue };
            for (k, column) in values.iter_mut().enumerate() {
                column.push(self.number(record, columns.first + k)?);
            }
        }
        Ok(())
    }

    fn number(&self, record: &csv::ByteRecord, column: usize) -> Result<f64, RunError> {
        let text = record.get(column).unwrap_or_default();
        let number = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
        number.ok_or_else(|| {
            let text = String::from_utf8_lossy(text);
            let name = &self.header[column];
            self.line(record, format!("`{text}` in column {name}; expected a number"))
        })
    }

    fn line(&self, record: &csv::ByteRecord, text: String) -> RunError {
        let line = record.position().map_or(0, csv::Position::line);
        RunError::Line { path: self.path.clone(), line, text }
    }
}

fn texts(record: &csv::ByteRecord) -> Vec<String> {
    record.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

/// Creates the group of a row.
fn group(layout: &Layout, record: &csv::ByteRecord, keep: &dyn Fn(&str) -> bool) -> Group {
    let (mut prefix, mut key) = (layout.prefix.clone(), Vec::new());
    for (before, name) in layout.keys.iter().zip(record.iter().skip(1)) {
        prefix += before;
        prefix += &String::from_utf8_lossy(name);
        key.extend_from_slice(name);
        key.push(0);
    }
    if !layout.keys.is_empty() {
        prefix.push('/');
    }
    let names: Vec<String> =
        layout.series.iter().map(|columns| format!("{prefix}{}", columns.name)).collect();
    let columns = names.iter().zip(&layout.series);
    let columns =
        columns.map(|(name, columns)| keep(name).then(|| vec![Vec::new(); columns.units.len()]));
    Group { key, times: Vec::new(), columns: columns.collect(), names }
}

fn content(groups: Vec<Group>, layout: &Layout) -> Content {
    let mut content = Content { series: Vec::new(), names: Vec::new(), first_names: Vec::new() };
    for group in groups {
        let first = group.key.split(|byte| *byte == 0).next().unwrap_or_default();
        let first = String::from_utf8_lossy(first).into_owned();
        if !content.first_names.contains(&first) {
            content.first_names.push(first);
        }
        let times = Arc::new(group.times);
        content.names.extend(group.names.iter().cloned());
        let kept = group.names.into_iter().zip(group.columns).zip(&layout.series);
        content.series.extend(kept.filter_map(|((name, columns), layout)| {
            let (units, is_array) = (layout.units.clone(), layout.is_array);
            Some(Series { name, units, is_array, times: times.clone(), columns: columns? })
        }));
    }
    content
}

/// Returns the number of bytes up to the end of the last whole line.
fn whole_lines(file: &mut File, len: u64) -> std::io::Result<u64> {
    let mut end = len;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        block.resize((end - start) as usize, 0);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(end)
}

fn csv_error(path: &Path, error: csv::Error) -> RunError {
    let line = error.position().map_or(0, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(source) => RunError::Read { path: path.to_owned(), source },
        kind => RunError::Line {
            path: path.to_owned(),
            line,
            text: format!("the line cannot be read: {kind:?}"),
        },
    }
}
