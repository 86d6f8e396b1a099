//! Two-dimensional maps from CSV files.
//!
//! The first row holds the column axis behind a label, the first column the row axis, and the rest
//! the values. The lookup is bilinear, and clamps both coordinates to their axes. Source: Autoware
//! `simple_planning_simulator` 1.0.0, `csv_loader` and `utils`, which checks that all rows have the
//! same number of cells. Here the axes have to rise strictly too, as the interpolation needs it.

use simhost_sdk::TextFile;

mod read;

pub use read::{MapError, Problem, read};

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
mod tests {
    use super::*;
    use simhost_sdk::TextFile;

    /// Speeds and commands of the example in the documentation of Autoware `simple_planning_simulator`.
    const ACCELERATION: &str = include_str!("../maps/acceleration.csv");
    /// Default of `autoware_raw_vehicle_cmd_converter`.
    const ACCEL: &str = include_str!("../maps/accel.csv");
    /// Map of the tests of Autoware `simple_planning_simulator` 1.0.0.
    const ACCEL_OF_TESTS: &str = include_str!("../maps/accel_of_tests.csv");

    fn text_file(text: &str) -> TextFile {
        TextFile { path: "map.csv".to_owned(), text: text.to_owned() }
    }

    fn map(text: &str) -> Map {
        read(&text_file(text)).expect("a map")
    }

    #[test]
    fn lookups_interpolate_and_clamp() {
        let cases = [
            (ACCELERATION, [0.0, 0.0], 0.0),
            (ACCELERATION, [1.0, 0.0], 1.0),
            (ACCELERATION, [1.0, 5.56], 0.76),
            (ACCELERATION, [-1.0, 0.695], -1.29),
            (ACCELERATION, [0.5, 2.0], 0.390251798561),
            (ACCELERATION, [1.25, 10.0], 0.680863309353),
            (ACCELERATION, [0.1, 0.7], 0.069928057554),
            (ACCELERATION, [5.0, 0.0], 1.8),
            (ACCELERATION, [5.0, 30.0], 0.42),
            (ACCELERATION, [-9.0, -3.0], -4.4),
            (ACCELERATION, [-9.0, 30.0], -3.4),
            (ACCEL, [0.05, 0.5], 0.354676258993),
            (ACCEL, [0.25, 3.0], 1.07625899281),
            (ACCEL, [0.45, 20.0], 1.355),
            (ACCEL, [0.9, 0.0], 3.3),
            (ACCEL, [0.5, -2.0], 3.3),
            (ACCEL_OF_TESTS, [0.05, 0.5], 3.16306695464),
            (ACCEL_OF_TESTS, [0.25, 3.0], 3.8117350612),
            (ACCEL_OF_TESTS, [0.45, 20.0], 4.65),
            (ACCEL_OF_TESTS, [0.9, 0.0], 9.33333333333),
            (ACCEL_OF_TESTS, [0.5, -2.0], 5.0),
        ];
        for (text, [row, column], expected) in cases {
            let found = map(text).lookup(row, column);
            assert!((found - expected).abs() < 5e-12, "({row}, {column}): {found} {expected}");
        }
    }

    #[test]
    fn the_inverse_finds_the_row() {
        let brake = map("default,0,1\n0,-0.3,-0.3\n0.5,-3,-3\n");
        assert!((brake.row_of(-0.4, 0.0) - 0.0185185185185).abs() < 1e-12);
        assert_eq!(brake.row_of(0.0, 0.0), 0.0);
        assert_eq!(brake.row_of(-9.0, 0.0), 0.5);
        let accel = map(ACCEL);
        for value in [-0.2, 0.1, 0.9, 2.0] {
            let row = accel.row_of(value, 4.0);
            assert!((accel.lookup(row, 4.0) - value).abs() < 1e-12, "{value}");
        }
    }

    #[test]
    fn files_that_are_no_maps_name_the_cell() {
        let cases = [
            ("", "1:1: the map is empty"),
            ("a\n0\n", "1:1: the map has 0 columns of values; expected at least 2"),
            ("a,1\n0,2\n", "1:1: the map has 1 columns of values; expected at least 2"),
            ("a,1,2\n0,2,3\n", "2:1: the map has 1 rows of values; expected at least 2"),
            ("a,1,2\n0,2,3\n1,2\n", "3:1: the row has 2 cells; expected 3"),
            ("a,1,2\n0,2,3\n1,2,3,4\n", "3:1: the row has 4 cells; expected 3"),
            ("a,1,2\n0,x,3\n1,2,3\n", "2:3: `x` is not a number"),
            ("a,1,2\n0,2, 1e999\n1,2,3\n", "2:6: `1e999` is not a number"),
            ("a,1,2\n0,2,\n1,2,3\n", "2:5: `` is not a number"),
            ("a,2, 2\n0,2,3\n1,2,3\n", "1:6: the column coordinate 2 follows 2"),
            ("a,1,2\n1,2,3\n\n0,2,3\n", "4:1: the row coordinate 0 follows 1"),
        ];
        for (text, expected) in cases {
            let error = read(&text_file(text)).expect_err(text).to_string();
            assert!(error.starts_with(&format!("map.csv:{expected}")), "{error}");
        }
        assert_eq!(map("a, 1, 2\r\n0, 3, 4\r\n\r\n1, 5, 6\r\n").lookup(0.5, 1.5), 4.5);
    }
}
