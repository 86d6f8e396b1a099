//! Rows of quantities, one for each environment, and functions of some of their columns.

mod ahead;

use std::sync::PoisonError;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyBool, PyType};
use pyo3::{PyClass, intern};

use crate::arrays::{Buffer, matrix};
use crate::errors::raise;

pub use ahead::{Ahead, RowResults};

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

/// Returns the result of a function for rows, if it has been computed ahead, once.
fn computed<'py, F: PyClass<Frozen = True> + PartialEq + Sync>(
    function: &F,
    rows: &Bound<'py, PyAny>,
) -> Option<Bound<'py, PyAny>> {
    let py = rows.py();
    let buffer = buffer_of(rows.cast::<PyArray2<f32>>().ok()?)?;
    let mut results = buffer.get().results.lock().unwrap_or_else(PoisonError::into_inner);
    // a pickled task has copies of its functions
    let is_same =
        |(one, _): &(Py<PyAny>, _)| one.bind(py).cast::<F>().is_ok_and(|one| one.get() == function);
    let at = results.iter().position(is_same)?;
    Some(results.swap_remove(at).1.into_bound(py))
}

/// Returns the buffer of an array that has all of it.
fn buffer_of<'py>(array: &Bound<'py, PyArray2<f32>>) -> Option<Bound<'py, Buffer>> {
    // the base of a view is another array
    array.getattr(intern!(array.py(), "base")).ok()?.cast_into::<Buffer>().ok()
}

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
    fn check(&self, width: usize) -> PyResult<()> {
        self.columns.check(width)
    }

    /// Writes the result for each of some rows of `width` quantities.
    fn look_at_all(&self, rows: &[f32], width: usize, are_below: &mut [bool]) {
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

/// Some columns of the quantities, each times its scale, within its bounds. What is not a number is at the upper one.
#[pyclass(frozen, module = "simhost._core")]
#[derive(PartialEq)]
pub struct Scaled {
    columns: Columns,
    scale: Vec<f32>,
    low: Vec<f32>,
    high: Vec<f32>,
}

#[pymethods]
impl Scaled {
    /// Takes the column of each number of an observation, its scale and its bounds.
    #[new]
    fn new(columns: Vec<usize>, scale: Vec<f32>, low: Vec<f32>, high: Vec<f32>) -> PyResult<Self> {
        let each = [("scale", &scale[..]), ("low", &low), ("high", &high)];
        Ok(Self { columns: Columns::new(&columns, &each)?, scale, low, high })
    }

    /// Returns what makes another one like it, for copies and pickles.
    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Vec<usize>, Vec<f32>, Vec<f32>, Vec<f32>)) {
        let made = (self.columns.list(), self.scale.clone(), self.low.clone(), self.high.clone());
        (py.get_type::<Self>(), made)
    }

    /// Returns the observations for rows of quantities, float32.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        rows: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(result) = computed(self, &rows) {
            return Ok(result);
        }
        self.columns.look(rows, |given, [count, width]| {
            let seen = matrix(py, [count, self.width()], |to: &mut [f32]| {
                self.see_all(given, width, to);
                Ok::<(), PyErr>(())
            })?;
            Ok(seen.into_any())
        })
    }
}

impl Scaled {
    /// Number of numbers of an observation.
    fn width(&self) -> usize {
        self.scale.len()
    }

    /// Checks that rows of `width` quantities have the columns.
    fn check(&self, width: usize) -> PyResult<()> {
        self.columns.check(width)
    }

    /// Writes the observation for each of some rows of `width` quantities.
    fn see_all(&self, rows: &[f32], width: usize, to: &mut [f32]) {
        let seen = to.chunks_exact_mut(self.width().max(1));
        let rows = rows.chunks_exact(width.max(1));
        rows.zip(seen).for_each(|(row, seen)| self.see(row, seen));
    }

    /// Writes an observation.
    fn see(&self, row: &[f32], seen: &mut [f32]) {
        for Run { from, to, count } in &self.columns.runs {
            let (given, own) = (&row[*from..from + count], *to..to + count);
            let bounds = self.low[own.clone()].iter().zip(&self.high[own.clone()]);
            let numbers = given.iter().zip(&self.scale[own.clone()]).zip(bounds);
            for (seen, ((value, scale), (low, high))) in seen[own].iter_mut().zip(numbers) {
                let scaled = value * scale;
                // the bound where it is not a number
                let below = if scaled < *high { scaled } else { *high };
                *seen = if below > *low { below } else { *low };
            }
        }
    }
}
