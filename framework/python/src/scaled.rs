//! Observations that are quantities on scales of their own.

use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arrays::matrix;
use crate::errors::raise;

/// Columns of an observation that are neighbours among the quantities, too.
struct Run {
    from: usize,
    to: usize,
    count: usize,
}

/// Some columns of the quantities, each times its scale, within its bounds. What is not a number is at the upper one.
#[pyclass(frozen, module = "simhost._core")]
pub struct Scaled {
    /// Number of quantities that there have to be.
    least: usize,
    runs: Vec<Run>,
    scale: Vec<f32>,
    low: Vec<f32>,
    high: Vec<f32>,
}

#[pymethods]
impl Scaled {
    /// Takes the column of each number of an observation, its scale and its bounds.
    #[new]
    fn new(columns: Vec<usize>, scale: Vec<f32>, low: Vec<f32>, high: Vec<f32>) -> PyResult<Self> {
        let width = columns.len();
        for (what, found) in [("scale", scale.len()), ("low", low.len()), ("high", high.len())] {
            if found != width {
                let text = format!("{found} numbers of `{what}`; expected {width}, one per column");
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
        Ok(Self { least, runs, scale, low, high })
    }

    /// Returns what makes another one like it, for copies and pickles.
    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Vec<usize>, Vec<f32>, Vec<f32>, Vec<f32>)) {
        let columns = self.runs.iter().flat_map(|run| run.from..run.from + run.count).collect();
        let made = (columns, self.scale.clone(), self.low.clone(), self.high.clone());
        (py.get_type::<Self>(), made)
    }

    /// Returns the observations for rows of quantities, float32.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        rows: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let array = rows.cast_into::<PyArray2<f32>>().map_err(|_| {
            raise("DtypeError", "the quantities are not an array of float32 with two dimensions")
        })?;
        let [count, width] = [array.shape()[0], array.shape()[1]];
        if width < self.least {
            let text = format!("{width} quantities; expected at least {}", self.least);
            return Err(raise("ShapeError", text));
        }
        let borrowed =
            array.try_readonly().map_err(|error| raise("InputError", error.to_string()))?;
        let owned;
        let given = match borrowed.as_slice().ok().filter(|_| array.is_c_contiguous()) {
            Some(given) => given,
            None => {
                owned = borrowed.as_array().iter().copied().collect::<Vec<_>>();
                &owned
            }
        };
        matrix(py, [count, self.scale.len()], |to: &mut [f32]| {
            let seen = to.chunks_exact_mut(self.scale.len().max(1));
            given.chunks_exact(width.max(1)).zip(seen).for_each(|(row, seen)| self.see(row, seen));
            Ok::<(), PyErr>(())
        })
    }
}

impl Scaled {
    /// Writes an observation.
    fn see(&self, row: &[f32], seen: &mut [f32]) {
        for Run { from, to, count } in &self.runs {
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
