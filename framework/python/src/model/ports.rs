//! Quantities of the host that a phase reads and sets, and random numbers.

use numpy::PyArray1;
use pyo3::prelude::*;
use simhost_registry::{DeclaredPorts, PortRow};

/// Returns the quantities that a phase can read, and those that the host takes from it. All of the first numbers are
/// those that each model has.
#[pyfunction]
pub fn host_ports(phase: &str) -> (Vec<PortRow>, usize, Vec<PortRow>, usize) {
    let DeclaredPorts { inputs, needed_inputs, outputs, needed_outputs } = DeclaredPorts::of(phase);
    (inputs, needed_inputs, outputs, needed_outputs)
}

/// The random numbers of the lanes of a call: a stream for each lane.
#[pyclass(module = "simhost._core")]
pub struct Random {
    streams: Vec<simhost_sdk::Random>,
}

impl Random {
    /// Returns the streams with these keys.
    pub fn new(keys: impl Iterator<Item = u64>) -> Self {
        Self { streams: keys.map(simhost_sdk::Random::new).collect() }
    }

    fn draw<'py>(
        &mut self,
        py: Python<'py>,
        count: Option<usize>,
        one: impl Fn(&mut simhost_sdk::Random) -> f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut drawn = Vec::with_capacity(self.streams.len() * count.unwrap_or(1));
        for stream in &mut self.streams {
            drawn.extend((0..count.unwrap_or(1)).map(|_| one(stream)));
        }
        let drawn = PyArray1::from_vec(py, drawn);
        Ok(match count {
            Some(count) => {
                let lanes = self.streams.len();
                numpy::PyArrayMethods::reshape(&drawn, [lanes, count])?.into_any()
            }
            None => drawn.into_any(),
        })
    }
}

#[pymethods]
impl Random {
    /// Returns numbers from 0 to 1, 1 excluded: one per lane, or an array of (lanes, count).
    #[pyo3(signature = (count=None))]
    fn uniform<'py>(
        &mut self,
        py: Python<'py>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, count, simhost_sdk::Random::uniform)
    }

    /// Returns normally distributed numbers with mean 0 and standard deviation 1: one per lane, or an array of
    /// (lanes, count).
    #[pyo3(signature = (count=None))]
    fn normal<'py>(
        &mut self,
        py: Python<'py>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, count, simhost_sdk::Random::normal)
    }
}
