//! CMA-ES, as studies use it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simhost_sweep::CmaEs;

/// The evolution strategy in the unit cube.
#[pyclass]
pub struct Strategy {
    strategy: CmaEs,
    dimensions: usize,
    points: Vec<Vec<f64>>,
}

#[pymethods]
impl Strategy {
    /// Starts at a point of the unit cube, with a step size as a part of its side.
    #[new]
    fn new(mean: Vec<f64>, step: f64, population: usize, seed: u64) -> Self {
        let dimensions = mean.len();
        let strategy = CmaEs::new(mean, step, population.max(4), seed);
        Self { strategy, dimensions, points: Vec::new() }
    }

    /// Returns the points of the next generation, which may lie outside of the cube.
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.points = self.strategy.ask();
        self.points.clone()
    }

    /// Takes note of the order of these points, the best first.
    fn tell(&mut self, order: Vec<usize>) -> PyResult<()> {
        let mut known: Vec<usize> = order.clone();
        known.sort_unstable();
        if self.dimensions == 0 || !known.into_iter().eq(0..self.points.len()) {
            return Err(PyValueError::new_err("expected the number of each point once"));
        }
        self.strategy.tell(&self.points, &order);
        Ok(())
    }

    /// Step size, as a part of the side of the cube.
    #[getter]
    fn spread(&self) -> f64 {
        self.strategy.step_size()
    }

    /// Greatest standard deviation of the next points in any direction.
    #[getter]
    fn widest(&self) -> f64 {
        self.strategy.widest()
    }
}
