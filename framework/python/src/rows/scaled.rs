//! Observations that are quantities with separate scales.

use pyo3::prelude::*;
use pyo3::types::PyType;

use super::kept::computed;
use super::{Columns, Run};
use crate::arrays::matrix;

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
    pub(super) fn width(&self) -> usize {
        self.scale.len()
    }

    /// Checks that rows of `width` quantities have the columns.
    pub(super) fn check(&self, width: usize) -> PyResult<()> {
        self.columns.check(width)
    }

    /// Writes the observation for each of some rows of `width` quantities.
    pub(super) fn see_all(&self, rows: &[f32], width: usize, to: &mut [f32]) {
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
