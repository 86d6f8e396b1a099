//! Inputs of scope *array*: the columns that hold the last reading of a sensor of each lane.

use simhost_abi::ArrayPort;

use crate::columns::{Column, Columns, Layout};

/// Columns of an input of scope *array*.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayColumns {
    /// Values, lane after lane.
    pub values: Column,
    /// Number of values of each lane.
    pub counts: Column,
    /// Time since the reading of each lane was taken, s.
    pub ages: Column,
    /// Largest number of values of a lane.
    pub capacity: usize,
}

impl ArrayColumns {
    /// Adds the columns of an input that no sensor has provided yet.
    pub fn new(lanes: usize, capacity: usize, layout: &mut Layout) -> Self {
        Self {
            values: layout.fill_by_lane(lanes * capacity, 0.0),
            counts: layout.fill_passing(lanes, 0.0),
            ages: layout.fill_passing(lanes, f64::INFINITY),
            capacity,
        }
    }

    /// Adds the columns of lanes with these values, which follow each other. `counts` are the numbers of
    /// values of the lanes, of which there can be `capacity`.
    pub fn of_lanes(
        mut values: &[f64],
        counts: &[usize],
        capacity: usize,
        ages: Vec<f64>,
        layout: &mut Layout,
    ) -> Self {
        let capacity = counts.iter().copied().fold(capacity, usize::max);
        let (mut padded, mut found) = (Vec::new(), Vec::new());
        for count in counts {
            let (own, rest) = values.split_at((*count).min(values.len()));
            padded.extend_from_slice(own);
            found.push(own.len() as f64);
            padded.resize(found.len() * capacity, 0.0);
            values = rest;
        }
        Self {
            values: layout.add_passing(padded),
            counts: layout.add_passing(found),
            ages: layout.add_passing(ages),
            capacity,
        }
    }

    /// Returns the values of a lane.
    pub fn of_lane(self, columns: &Columns, lane: usize) -> &[f64] {
        let count = columns.get(self.counts)[lane] as usize;
        &columns.get(self.values)[lane * self.capacity..][..count]
    }

    /// Returns the time since the reading of a lane was taken, s.
    pub fn age(self, columns: &Columns, lane: usize) -> f64 {
        columns.get(self.ages)[lane]
    }

    /// Returns the description of the input for a call.
    pub(super) fn port(self, columns: &Columns) -> ArrayPort {
        let [counts, ages] = [self.counts, self.ages].map(|one| columns.pointer(one).cast_const());
        ArrayPort::new(self.capacity, counts, ages)
    }
}
