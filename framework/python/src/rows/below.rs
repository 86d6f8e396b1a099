//! Whether quantities are below limits.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyType};

use super::kept::computed;
use super::{Columns, Run};

/// Whether any of some columns of the quantities is below its limit. What is not a number is not.
#[pyclass(frozen, module = "simhost._core")]
#[derive(PartialEq)]
pub struct Below {
    columns: Columns,
    limits: Vec<f32>,
}

#[pymethods]
impl Below {
    /// Takes columns, each with its limit.
    #[new]
    fn new(columns: Vec<usize>, limits: Vec<f32>) -> PyResult<Self> {
        Ok(Self { columns: Columns::new(&columns, &[("limit", &limits)])?, limits })
    }

    /// Returns what makes another one like it, for copies and pickles.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Vec<usize>, Vec<f32>)) {
        (py.get_type::<Self>(), (self.columns.list(), self.limits.clone()))
    }

    /// Returns whether a column is below its limit: bool, one for each row of quantities; for a single row, without an
    /// array.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        rows: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(result) = computed(self, &rows) {
            return Ok(result);
        }
        self.columns.look(rows, |given, [count, width]| match count {
            1 => Ok(PyBool::new(py, self.is_below(given)).to_owned().into_any()),
            _ => {
                let mut are_below = vec![false; count];
                self.look_at_all(given, width, &mut are_below);
                Ok(PyArray1::from_vec(py, are_below).into_any())
            }
        })
    }
}

impl Below {
    /// Checks that rows of `width` quantities have the columns.
    pub(super) fn check(&self, width: usize) -> PyResult<()> {
        self.columns.check(width)
    }

    /// Writes the result for each of some rows of `width` quantities.
    pub(super) fn look_at_all(&self, rows: &[f32], width: usize, are_below: &mut [bool]) {
        for (row, to) in are_below.iter_mut().enumerate() {
            *to = self.is_below(&rows[row * width..(row + 1) * width]);
        }
    }

    fn is_below(&self, row: &[f32]) -> bool {
        let is_below = |Run { from, to, count }: &Run| {
            let numbers = row[*from..from + count].iter().zip(&self.limits[*to..to + count]);
            // without a branch per number
            numbers.fold(false, |any, (value, limit)| any | (value < limit))
        };
        self.columns.runs.iter().any(is_below)
    }
}
