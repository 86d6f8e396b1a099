//! Results that are computed ahead: threads that have read rows apply functions to them before anyone asks.

use std::ops::Range;
use std::sync::PoisonError;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::{Below, Scaled, buffer_of};
use crate::arrays::{LEAST, Matrix};
use crate::errors::raise;

/// A function of rows.
enum RowFunction {
    Scaled(Py<Scaled>),
    Below(Py<Below>),
}

impl RowFunction {
    fn of(function: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(scaled) = function.cast::<Scaled>() {
            return Ok(Self::Scaled(scaled.clone().unbind()));
        }
        if let Ok(below) = function.cast::<Below>() {
            return Ok(Self::Below(below.clone().unbind()));
        }
        let found = function.get_type();
        let text =
            format!("a function is of type {found}; expected one of `scaled` or `any_below`");
        Err(raise("InputError", text))
    }

    fn to_any(&self, py: Python<'_>) -> Py<PyAny> {
        match self {
            Self::Scaled(scaled) => scaled.clone_ref(py).into_any(),
            Self::Below(below) => below.clone_ref(py).into_any(),
        }
    }
}

/// Functions that are applied to the rows of an ensemble after each of its actions.
pub struct Ahead(Vec<RowFunction>);

impl Ahead {
    /// Takes functions of rows of `width` quantities.
    ///
    /// # Errors
    /// `InputError` for another function, and `ShapeError` if rows do not have its columns.
    pub fn new(functions: &[Bound<'_, PyAny>], width: usize) -> PyResult<Self> {
        let functions = functions.iter().map(RowFunction::of).collect::<PyResult<Vec<_>>>()?;
        for function in &functions {
            match function {
                RowFunction::Scaled(scaled) => scaled.get().check(width)?,
                RowFunction::Below(below) => below.get().check(width)?,
            }
        }
        Ok(Self(functions))
    }

    /// Returns the results for `count` rows of `width` numbers, which are still to be computed: none for rows that have no
    /// buffer of the pool, because few take less time without.
    pub fn results(&self, count: usize, width: usize) -> Vec<RowResults<'_>> {
        if count * width * size_of::<f32>() < LEAST {
            return Vec::new();
        }
        let results = self.0.iter().map(|function| match function {
            RowFunction::Scaled(scaled) => {
                let scaled = scaled.get();
                RowResults::Scaled(scaled, Matrix::new([count, scaled.width()]))
            }
            RowFunction::Below(below) => RowResults::Below(below.get(), vec![false; count]),
        });
        results.collect()
    }

    /// Lets rows, which cannot be changed from then on, keep the results of the functions.
    pub fn keep(
        &self,
        rows: &Bound<'_, PyArray2<f32>>,
        results: Vec<RowResults<'_>>,
    ) -> PyResult<()> {
        let py = rows.py();
        if let Some(buffer) = buffer_of(rows).filter(|_| !self.0.is_empty()) {
            let arrays = results.into_iter().map(|results| results.into_array(py));
            let arrays = arrays.collect::<PyResult<Vec<_>>>()?;
            let functions = self.0.iter().map(|function| function.to_any(py));
            let mut kept = buffer.get().results.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(functions.zip(arrays));
        }
        let rows = rows.try_readwrite();
        rows.map_err(|error| raise("InputError", error.to_string()))?.make_nonwriteable();
        Ok(())
    }
}

/// Results of a function; some are still to be computed.
pub enum RowResults<'f> {
    Scaled(&'f Scaled, Matrix<f32>),
    Below(&'f Below, Vec<bool>),
}

/// The results for the rows that have none yet.
pub enum OpenResults<'f> {
    Scaled(&'f Scaled, &'f mut [f32]),
    Below(&'f Below, &'f mut [bool]),
}

impl RowResults<'_> {
    fn into_array(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Scaled(_, matrix) => Ok(matrix.into_array(py)?.into_any().unbind()),
            Self::Below(_, below) => Ok(PyArray1::from_vec(py, below).into_any().unbind()),
        }
    }

    pub fn open(&mut self) -> OpenResults<'_> {
        match self {
            Self::Scaled(scaled, matrix) => OpenResults::Scaled(scaled, matrix.numbers()),
            Self::Below(below, results) => OpenResults::Below(below, results),
        }
    }
}

impl<'f> OpenResults<'f> {
    /// Takes the results for the next rows, for the length of a range.
    pub fn next(&mut self, rows: &Range<usize>) -> Self {
        match self {
            Self::Scaled(scaled, results) => {
                let own = results.split_off_mut(..rows.len() * scaled.width());
                Self::Scaled(scaled, own.unwrap_or_default())
            }
            Self::Below(below, results) => {
                Self::Below(below, results.split_off_mut(..rows.len()).unwrap_or_default())
            }
        }
    }

    /// Computes them.
    pub fn write(self, rows: &[f32], width: usize) {
        match self {
            Self::Scaled(scaled, results) => scaled.see_all(rows, width, results),
            Self::Below(below, results) => below.look_at_all(rows, width, results),
        }
    }
}
