//! Runs of a session, with the records and the arrays that they fill.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use simhost::{Ended, Error, Flow, LiveQuantities, RunEnding};

use super::{OpenSession, Session, Watch};
use crate::errors::{Failure, raise};
use crate::recorder::{Recorder, Samples};
use crate::runs;

/// Largest number of steps between two looks at inputs.
const PIECE: u64 = 16;
/// Wall time between two looks at signals.
const LOOK: Duration = Duration::from_millis(20);

#[pymethods]
impl Session {
    /// Takes `steps` steps, or runs until the simulated time `until`, s. `progress` is called with the time every
    /// 20 ms of wall time. Returns why the run has ended.
    #[pyo3(signature = (steps, until, progress))]
    fn run(
        &self,
        py: Python<'_>,
        steps: Option<u64>,
        until: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let mut look = |time: f64| {
            Python::attach(|py| {
                py.check_signals()?;
                runs::check()?;
                progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (time,)).map(drop))
            })
        };
        let ended = py.detach(|| {
            self.with(|state| {
                let last = state.last(steps, until)?;
                let ended = state.run(last, &mut look);
                let ended = runs::check().map_err(Failure::Raised).and(ended);
                state.ending = ending(&ended);
                ended
            })
        });
        // what has been done before an error is seen, too
        let refreshed = self.with(|state| state.refresh(py));
        let ended = ended?;
        refreshed?;
        Ok(match ended {
            Ended::Reached => "reached".to_owned(),
            Ended::Observer(stop) => format!("observer: {stop}"),
            Ended::Paused => "paused".to_owned(),
            Ended::Stopped | Ended::Condition => "stopped".to_owned(),
        })
    }

    /// Returns the number of the last step that ends at `until`, s, or before.
    fn last_step(&self, until: f64) -> PyResult<u64> {
        Ok(self.with(|state| state.last(None, Some(until)))?)
    }

    /// Records quantities every `every` seconds of simulated time, from the start of the next run on.
    #[pyo3(signature = (patterns, every))]
    fn record(&self, patterns: Vec<String>, every: Option<f64>) -> PyResult<Recorder> {
        if let Some(every) = every.filter(|every| !(every.is_finite() && *every > 0.0)) {
            let text = format!(
                "every is {every} s; expected a positive, finite time, or None for each step"
            );
            return Err(raise("InputError", text));
        }
        let samples = self.with(|state| {
            let quantities = LiveQuantities::select(&state.session, &patterns)?;
            let every = every.unwrap_or(state.session.simulation().clock().dt);
            let samples = Arc::new(Mutex::new(Samples::new(quantities, every)));
            state.records.push(Arc::clone(&samples));
            Ok(samples)
        })?;
        Ok(Recorder { samples })
    }

    /// Returns an array of quantities that every run refreshes.
    fn watch<'py>(
        &self,
        py: Python<'py>,
        patterns: Vec<String>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let array = self.with(|state| {
            let mut quantities = LiveQuantities::select(&state.session, &patterns)?;
            let mut row = Vec::new();
            quantities.read(&state.session, &mut row);
            let array = PyArray1::from_slice(py, &row);
            state.watches.push(Watch { quantities, array: array.clone().unbind(), row });
            Ok(array)
        })?;
        Ok(array)
    }
}

impl OpenSession {
    /// Returns the number of the last step of a run.
    fn last(&self, steps: Option<u64>, until: Option<f64>) -> Result<u64, Failure> {
        let clock = self.session.simulation().clock();
        let Some(until) = until else { return Ok(clock.steps.saturating_add(steps.unwrap_or(0))) };
        let now = clock.time();
        if !until.is_finite() || until < now {
            return Err(Error::Past { until, now }.into());
        }
        Ok(clock.last_step(until).0)
    }

    /// Steps until `last` steps are complete, and takes the samples that are due.
    fn run(
        &mut self,
        last: u64,
        look: &mut (dyn FnMut(f64) -> PyResult<()> + Send),
    ) -> Result<Ended, Failure> {
        self.records.retain(|record| Arc::strong_count(record) > 1);
        if !self.records.is_empty() {
            // measures before the first step
            self.session.run_steps(0)?;
        }
        let mut looked = Instant::now();
        let mut raised = None;
        loop {
            self.take_samples();
            let clock = self.session.simulation().clock();
            let due = self.records.iter().map(|record| lock(record).steps_to_due(clock)).min();
            let next = due.map_or(last, |steps| last.min(clock.steps.saturating_add(steps)));
            let ended = self.session.run_pieces(next, PIECE, &mut |session| {
                if looked.elapsed() < LOOK && !runs::is_noted() {
                    return Ok(Flow::Continue);
                }
                looked = Instant::now();
                raised = look(session.time().0).err();
                Ok(if raised.is_some() { Flow::End } else { Flow::Continue })
            })?;
            if let Some(error) = raised {
                return Err(Failure::Raised(error));
            }
            let steps = self.session.steps();
            if ended != Ended::Reached || steps >= last || steps < next {
                self.take_samples();
                return Ok(ended);
            }
        }
    }

    fn take_samples(&self) {
        self.records.iter().for_each(|record| lock(record).take(&self.session));
    }

    /// Writes the present values to the arrays of `watch`.
    pub(super) fn refresh(&mut self, py: Python<'_>) -> Result<(), Failure> {
        let Self { session, watches, .. } = self;
        watches.retain(|watch| is_held(watch.array.bind(py)));
        let mut changed = None;
        watches.retain_mut(|Watch { quantities, array, row }| {
            row.clear();
            quantities.read(session, row);
            let array = array.bind(py);
            let is_refreshed = refresh(array, row);
            if !is_refreshed {
                changed = Some((array.dtype().to_string(), array.len(), row.len()));
            }
            is_refreshed
        });
        match changed {
            None => Ok(()),
            Some((dtype, found, expected)) => {
                let text = format!(
                    "a watched array has been changed in place to {found} values of {dtype}; expected {expected} of float64, \
                     contiguous; it is no longer refreshed; help: copy it, and change the copy"
                );
                Err(Failure::Raised(raise("ShapeError", text)))
            }
        }
    }
}

/// Returns how observers learn of the end of a run, should no other one follow.
fn ending(ended: &Result<Ended, Failure>) -> RunEnding {
    match ended {
        Ok(Ended::Observer(stop)) => RunEnding::Stop(stop.clone()),
        Ok(_) => RunEnding::Duration,
        Err(Failure::Library(error)) => {
            RunEnding::Fault(error.to_string().lines().next().unwrap_or_default().to_owned())
        }
        Err(_) => RunEnding::Interrupt,
    }
}

/// Writes values to an array. Returns false, and writes nothing, if the program has changed its size or its type in place.
fn refresh(array: &Bound<'_, PyArray1<f64>>, values: &[f64]) -> bool {
    let Ok(array) = array.as_any().cast::<PyArrayDyn<f64>>() else { return false };
    // SAFETY: the lock of the interpreter is held, and the caller knows that runs write to the array.
    match unsafe { array.as_slice_mut() } {
        Ok(to) if to.len() == values.len() => {
            to.copy_from_slice(values);
            true
        }
        _ => false,
    }
}

/// Returns whether the program still has an array.
fn is_held(array: &Bound<'_, PyArray1<f64>>) -> bool {
    // SAFETY: the array is alive, and the lock of the interpreter is held.
    unsafe { pyo3::ffi::Py_REFCNT(array.as_ptr()) > 1 }
}

fn lock(record: &Mutex<Samples>) -> std::sync::MutexGuard<'_, Samples> {
    record.lock().unwrap_or_else(PoisonError::into_inner)
}
