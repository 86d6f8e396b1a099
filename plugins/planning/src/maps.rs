//! Two-dimensional maps from CSV files.
//!
//! The first row holds the column axis behind a label, the first column the row axis, and the rest
//! the values. The lookup is bilinear, and clamps both coordinates to their axes. Source: Autoware
//! `simple_planning_simulator` 1.0.0, `csv_loader` and `utils`, which checks that all rows have the
//! same number of cells. Here the axes have to rise strictly too, as the interpolation needs it.

use simhost_sdk::TextFile;

mod error;
mod read;

pub use error::{MapError, Problem};
pub use read::read;

/// Reads the map that a parameter names, if it names one.
///
/// # Errors
///
/// The text of a [`MapError`].
pub fn optional(file: Option<&TextFile>) -> Result<Option<Map>, String> {
    file.map(read).transpose().map_err(|error| error.to_string())
}

/// A function of two coordinates, as a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Coordinates of the columns, strictly rising.
    columns: Vec<f64>,
    /// Coordinates of the rows, strictly rising.
    rows: Vec<f64>,
    /// Values, row by row.
    values: Vec<f64>,
}

impl Map {
    /// Coordinates of the rows.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Coordinates of the columns.
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// Returns the value at a coordinate of the rows and one of the columns. Both are clamped to
    /// their axes.
    pub fn lookup(&self, row: f64, column: f64) -> f64 {
        let (below, share) = place(&self.rows, row);
        let low = self.of_row(below, column);
        lerp(low, self.of_row(below + 1, column), share)
    }

    /// Returns the value of row `row` at a coordinate of the columns.
    pub fn of_row(&self, row: usize, column: f64) -> f64 {
        let (below, share) = place(&self.columns, column);
        let values = &self.values[row * self.columns.len()..];
        lerp(values[below], values[below + 1], share)
    }

    /// Returns the coordinate of the rows at which the map has `value` in a column, between the
    /// first pair of rows that encloses it. A value beyond all rows gives the row with the nearest
    /// value.
    pub fn row_of(&self, value: f64, column: f64) -> f64 {
        let mut nearest = (f64::INFINITY, self.rows[0]);
        for row in 0..self.rows.len() {
            let here = self.of_row(row, column);
            let distance = (here - value).abs();
            if distance < nearest.0 {
                nearest = (distance, self.rows[row]);
            }
            if row + 1 < self.rows.len() {
                let next = self.of_row(row + 1, column);
                if here != next && (here - value) * (next - value) <= 0.0 {
                    let share = (value - here) / (next - here);
                    return lerp(self.rows[row], self.rows[row + 1], share);
                }
            }
        }
        nearest.1
    }
}

/// Returns the index of the interval of an axis that holds a coordinate, and the share of the interval
/// before it, 0 to 1.
fn place(axis: &[f64], at: f64) -> (usize, f64) {
    let last = axis.len() - 1;
    let at = at.clamp(axis[0], axis[last]);
    let above = axis.partition_point(|key| *key <= at).clamp(1, last);
    (above - 1, (at - axis[above - 1]) / (axis[above] - axis[above - 1]))
}

fn lerp(from: f64, to: f64, share: f64) -> f64 {
    from + share * (to - from)
}

#[cfg(test)]
mod tests;
