//! The series of one stream.

use std::collections::HashMap;
use std::sync::Arc;

use simhost_mcap::Message;
use simhost_streams::Stream;
use simhost_streams::ros::{DecodeError, Leaf, yaw_pitch_roll};

use super::names::{Place, is_whole, place};
use crate::series::Series;

/// The series of one stream while its messages are read.
pub struct Columns<'a> {
    keep: &'a dyn Fn(&str) -> bool,
    /// Name of the checksum of a message that can only be compared as a whole.
    checksum: Option<String>,
    times: Vec<f64>,
    /// Place of each path that has occurred; `None` if its values are not kept.
    places: HashMap<String, Option<Column>>,
    /// Names of all series, also of those that are not kept.
    names: Vec<String>,
    series: Vec<Growing>,
    /// Quaternions of the message that is being read: series, first column, and x, y, z, w.
    quaternions: Vec<(usize, usize, [f64; 4])>,
}

/// A series that grows.
struct Growing {
    name: String,
    units: Vec<String>,
    is_array: bool,
    columns: Vec<Vec<f64>>,
}

/// Place of a value.
#[derive(Clone, Copy)]
enum Column {
    Value(usize, usize),
    Quaternion(usize, usize, usize),
}

impl<'a> Columns<'a> {
    /// Creates the series of a stream without samples. Values are kept of those whose name `keep` accepts.
    pub fn new(stream: &Stream, keep: &'a dyn Fn(&str) -> bool) -> Self {
        let checksum = is_whole(stream).then(|| format!("{}/checksum", stream.name));
        Self {
            keep,
            checksum,
            times: Vec::new(),
            places: HashMap::new(),
            names: Vec::new(),
            series: Vec::new(),
            quaternions: Vec::new(),
        }
    }

    /// Adds the values of a message.
    ///
    /// # Errors
    /// [`DecodeError`] if the message does not have the type of its stream.
    pub fn add(&mut self, message: &Message<'_>) -> Result<(), DecodeError> {
        self.times.push(message.stamp.seconds());
        if let Some(name) = self.checksum.clone() {
            if let Some(column) = self.column(&name, "1", None) {
                self.put(column.0, column.1, f64::from(crc32fast::hash(message.data)));
            }
            return Ok(());
        }
        let stream = &message.channel.stream;
        message.channel.layout.visit(message.data, &mut |path, leaf| {
            let Some(value) = number(leaf) else { return };
            match self.place(stream, path) {
                Some(Column::Value(series, column)) => self.put(series, column, value),
                Some(Column::Quaternion(series, column, part)) => {
                    let same = |(known, first, _): &(usize, usize, [f64; 4])| {
                        (*known, *first) == (series, column)
                    };
                    if !self.quaternions.iter().any(same) {
                        self.quaternions.push((series, column, [0.0; 4]));
                    }
                    if let Some((.., parts)) = self.quaternions.iter_mut().find(|one| same(one)) {
                        parts[part] = value;
                    }
                }
                None => {}
            }
        })?;
        for (series, column, parts) in std::mem::take(&mut self.quaternions) {
            for (k, angle) in yaw_pitch_roll(parts).into_iter().enumerate() {
                self.put(series, column + k, angle);
            }
        }
        Ok(())
    }

    /// Returns the names of all series, and the series that were kept.
    pub fn finish(self) -> (Vec<String>, Vec<Series>) {
        let times = Arc::new(self.times);
        let series = self.series.into_iter().map(|mut series| {
            series.columns.iter_mut().for_each(|column| column.resize(times.len(), f64::NAN));
            Series {
                name: series.name,
                units: series.units,
                is_array: series.is_array,
                times: times.clone(),
                columns: series.columns,
            }
        });
        (self.names, series.collect())
    }

    /// Returns the place of the value at a path.
    fn place(&mut self, stream: &Stream, path: &str) -> Option<Column> {
        if let Some(known) = self.places.get(path) {
            return *known;
        }
        let column = match place(stream, path) {
            None => None,
            Some(Place::Value(quantity)) => self
                .column(&quantity.series, &quantity.unit, quantity.index)
                .map(|(series, column)| Column::Value(series, column)),
            Some(Place::Quaternion(quantity, part)) => {
                let first = quantity.index.unwrap_or(0);
                let columns: Vec<Option<(usize, usize)>> = (first..first + 3)
                    .map(|index| self.column(&quantity.series, &quantity.unit, Some(index)))
                    .collect();
                columns[0].map(|(series, column)| Column::Quaternion(series, column, part))
            }
        };
        self.places.insert(path.to_owned(), column);
        column
    }

    /// Returns the indices of a series and its column, which are created if there are none; `None` if the
    /// series is not kept.
    fn column(&mut self, name: &str, unit: &str, index: Option<usize>) -> Option<(usize, usize)> {
        let known = self.series.iter().position(|series| series.name == name);
        let series = match known {
            Some(known) => known,
            None => {
                if !self.names.iter().any(|known| known == name) {
                    self.names.push(name.to_owned());
                }
                if !(self.keep)(name) {
                    return None;
                }
                let (name, is_array) = (name.to_owned(), index.is_some());
                let (units, columns) = (Vec::new(), Vec::new());
                self.series.push(Growing { name, units, is_array, columns });
                self.series.len() - 1
            }
        };
        let (column, growing) = (index.unwrap_or(0), &mut self.series[series]);
        while growing.columns.len() <= column {
            growing.units.push(unit.to_owned());
            growing.columns.push(Vec::new());
        }
        growing.units[column] = unit.to_owned();
        Some((series, column))
    }

    /// Sets a value of the last sample.
    fn put(&mut self, series: usize, column: usize, value: f64) {
        let column = &mut self.series[series].columns[column];
        // sequences can have different lengths
        column.resize(self.times.len() - 1, f64::NAN);
        column.push(value);
    }
}

fn number(leaf: Leaf<'_>) -> Option<f64> {
    match leaf {
        Leaf::Bool(value) => Some(value.into()),
        Leaf::Signed(value) => Some(value as f64),
        Leaf::Unsigned(value) => Some(value as f64),
        Leaf::F32(value) => Some(value.into()),
        Leaf::F64(value) => Some(value),
        _ => None,
    }
}
