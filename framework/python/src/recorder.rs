//! Records of quantities over time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use simhost::{LiveQuantities, Session};
use simhost_engine::{Clock, Period};

use crate::arrays::{matrix, vector};
use crate::errors::Failure;
use crate::quantities::{Column, columns};

/// Samples of quantities, taken while a session runs.
pub struct Samples {
    quantities: LiveQuantities,
    period: f64,
    due: Period,
    /// Number of completed steps of each sample.
    steps: Vec<u64>,
    times: Vec<f64>,
    rows: Vec<f64>,
    /// Number of samples that have been taken, also of those that have been dropped.
    taken: u64,
}

impl Samples {
    /// Takes no sample yet. `period` is the simulated time between samples, s; at least a step is.
    pub fn new(quantities: LiveQuantities, period: f64) -> Self {
        let due = Period::new(period);
        Self {
            quantities,
            period,
            due,
            steps: Vec::new(),
            times: Vec::new(),
            rows: Vec::new(),
            taken: 0,
        }
    }

    /// Returns the number of steps to the next sample, at least 1.
    pub fn steps_to_due(&self, clock: Clock) -> u64 {
        self.due.steps_to_due(clock).max(1)
    }

    /// Takes a sample if one is due. Samples after the present time are dropped: time has gone back.
    pub fn take(&mut self, session: &Session) {
        let clock = session.simulation().clock();
        let kept = self.steps.partition_point(|step| *step <= clock.steps);
        if kept < self.steps.len() {
            let width = self.rows.len() / self.steps.len();
            self.steps.truncate(kept);
            self.times.truncate(kept);
            self.rows.truncate(kept * width);
            self.due = Period::new(self.period);
            self.due.is_due(clock);
        }
        let is_known = self.steps.last() == Some(&clock.steps);
        if self.due.is_due(clock) && !is_known {
            self.taken += 1;
            self.steps.push(clock.steps);
            self.times.push(clock.time());
            self.quantities.read(session, &mut self.rows);
        }
    }
}

/// A record of quantities over time, which the session fills while it runs.
#[pyclass(frozen, module = "simhost._core")]
pub struct Recorder {
    pub samples: Arc<Mutex<Samples>>,
}

impl Recorder {
    fn lock(&self) -> MutexGuard<'_, Samples> {
        self.samples.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Recorder {
    /// Name, unit and description of each column.
    #[getter]
    fn columns(&self) -> Vec<Column> {
        columns(self.lock().quantities.infos())
    }

    /// Number of samples that have been taken, and of those that are left: with the same numbers, no sample has changed.
    #[getter]
    fn state(&self) -> (u64, usize) {
        let samples = self.lock();
        (samples.taken, samples.times.len())
    }

    /// Returns the times of the samples, s.
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.lock().times.clone())
    }

    /// Returns the values, one row per column, so that each column is contiguous.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let samples = self.lock();
        let (count, width) = (samples.times.len(), columns(samples.quantities.infos()).len());
        let rows = &samples.rows;
        matrix(py, [width, count], |to: &mut [f64]| {
            for (index, row) in rows.chunks_exact(width.max(1)).enumerate() {
                row.iter()
                    .enumerate()
                    .for_each(|(column, value)| to[column * count + index] = *value);
            }
            Ok::<(), Failure>(())
        })
    }

    fn __len__(&self) -> usize {
        self.lock().times.len()
    }
}
