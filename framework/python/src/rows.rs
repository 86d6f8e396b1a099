//! Rows of quantities, one for each environment, and functions of some of their columns.

mod ahead;
mod below;
mod kept;
mod scaled;

use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::raise;

pub use ahead::{Ahead, RowResults};
pub use below::Below;
pub use scaled::Scaled;

/// Some columns of rows, in a different order.
#[derive(PartialEq)]
struct Columns {
    /// Number of quantities that there have to be.
    least: usize,
    runs: Vec<Run>,
}

/// Columns that are neighbours in both orders.
#[derive(PartialEq)]
struct Run {
    from: usize,
    to: usize,
    count: usize,
}

impl Columns {
    /// Takes the columns, and what there is for each of them.
    ///
    /// # Errors
    /// `ShapeError` for something that there is not once for each column.
    fn new(columns: &[usize], each: &[(&str, &[f32])]) -> PyResult<Self> {
        for (what, numbers) in each {
            if numbers.len() != columns.len() {
                let (found, expected) = (numbers.len(), columns.len());
                let text =
                    format!("{found} numbers of `{what}`; expected {expected}, one per column");
                return Err(raise("ShapeError", text));
            }
        }
        let mut runs: Vec<Run> = Vec::new();
        for (to, &from) in columns.iter().enumerate() {
            match runs.last_mut().filter(|run| run.from + run.count == from) {
                Some(run) => run.count += 1,
                None => runs.push(Run { from, to, count: 1 }),
            }
        }
        let least = columns.iter().map(|column| column + 1).max().unwrap_or(0);
        Ok(Self { least, runs })
    }

    /// Returns the columns.
    fn list(&self) -> Vec<usize> {
        self.runs.iter().flat_map(|run| run.from..run.from + run.count).collect()
    }

    /// Checks that rows of `width` quantities have the columns.
    ///
    /// # Errors
    /// `ShapeError` if they have not.
    fn check(&self, width: usize) -> PyResult<()> {
        match width < self.least {
            true => {
                let text = format!("{width} quantities; expected at least {}", self.least);
                Err(raise("ShapeError", text))
            }
            false => Ok(()),
        }
    }

    /// Calls `look` with the numbers of the rows, float32, one row after the other, and with number and width of the rows.
    ///
    /// # Errors
    /// `DtypeError` or `ShapeError` for another array.
    fn look<R>(
        &self,
        rows: Bound<'_, PyAny>,
        look: impl FnOnce(&[f32], [usize; 2]) -> PyResult<R>,
    ) -> PyResult<R> {
        let array = rows.cast_into::<PyArray2<f32>>().map_err(|_| {
            raise("DtypeError", "the quantities are not an array of float32 with two dimensions")
        })?;
        let (count, width) = (array.shape()[0], array.shape()[1]);
        self.check(width)?;
        let borrowed =
            array.try_readonly().map_err(|error| raise("InputError", error.to_string()))?;
        match borrowed.as_slice().ok().filter(|_| array.is_c_contiguous()) {
            Some(numbers) => look(numbers, [count, width]),
            None => look(&borrowed.as_array().iter().copied().collect::<Vec<_>>(), [count, width]),
        }
    }
}
