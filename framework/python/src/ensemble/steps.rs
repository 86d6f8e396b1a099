//! Steps, commands, reads and resets of all members.

use std::ops::Range;
use std::time::{Duration, Instant};

use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use simhost::{Exchange, Selected, Time};

use super::{Ensemble, OpenEnsemble, Selection};
use crate::arrays::{append_numbers, mask as mask_of, matrix};
use crate::errors::{Failure, raise};
use crate::runs;

/// Number of steps between two looks at signals, at first. A block of tables takes as many steps at once.
const PIECE: u64 = 16;
/// Wall time between two looks at signals.
const LOOK: Duration = Duration::from_millis(20);

#[pymethods]
impl Ensemble {
    /// Takes steps with all members that have not ended, or with the members of a mask.
    #[pyo3(signature = (steps, mask))]
    fn step(&self, py: Python<'_>, steps: u64, mask: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let mask = self.mask(mask)?;
        Ok(py.detach(|| self.with(|state| state.step(steps, mask.as_deref())))?)
    }

    /// Runs all members until a simulated time, s.
    fn run_until(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        Ok(py.detach(|| self.with(|state| state.run_until(time)))?)
    }

    /// Sets a command of all members from the next step on.
    fn write(&self, py: Python<'_>, stream: &str, values: Bound<'_, PyAny>) -> PyResult<()> {
        self.with(|state| state.take_values(stream, self.members, &values))?;
        let write = |state: &mut OpenEnsemble| Ok(state.ensemble.set(stream, &state.values)?);
        Ok(py.detach(|| self.with(write))?)
    }

    /// Reads quantities of all members as float32 or float64.
    fn read<'py>(
        &self,
        py: Python<'py>,
        selection: &Selection,
        single: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check(selection)?;
        let shape = [self.members, selection.selected.width()];
        let selected = &selection.selected;
        if single {
            let read = |to: &mut [f32]| self.with(|state| state.read_f32(selected, to));
            return Ok(matrix(py, shape, read)?.into_any());
        }
        let read = |to: &mut [f64]| self.with(|state| Ok(state.ensemble.read(selected, to)?));
        Ok(matrix(py, shape, read)?.into_any())
    }

    /// Reads quantities of all members into a matrix of float32 or float64 of the caller.
    fn read_into(&self, selection: &Selection, to: Bound<'_, PyAny>) -> PyResult<()> {
        self.check(selection)?;
        let (shape, selected) = ([self.members, selection.selected.width()], &selection.selected);
        if let Ok(to) = to.cast::<PyArray2<f32>>() {
            check_out(to.shape(), to.is_c_contiguous(), shape)?;
            let mut to = to.try_readwrite()?;
            return Ok(
                self.with(|state| state.read_f32(selected, to.as_slice_mut().map_err(raised)?))?
            );
        }
        let Ok(to) = to.cast::<PyArray2<f64>>() else {
            return Err(raise("DtypeError", "out is not a matrix of float32 or float64"));
        };
        check_out(to.shape(), to.is_c_contiguous(), shape)?;
        let mut to = to.try_readwrite()?;
        Ok(self.with(|state| {
            Ok(state.ensemble.read(selected, to.as_slice_mut().map_err(raised)?)?)
        })?)
    }

    /// Sets a command of all members, takes steps, puts members back to their starts, and reads quantities as float32:
    /// `write`, `step`, `reset` and `read` in one call.
    #[pyo3(signature = (stream, values, steps, selection, reset))]
    fn exchange<'py>(
        &self,
        py: Python<'py>,
        stream: &str,
        values: Bound<'py, PyAny>,
        steps: u64,
        selection: &Selection,
        reset: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.check(selection)?;
        let reset = self.mask(reset)?;
        self.with(|state| state.take_values(stream, self.members, &values))?;
        let selected = &selection.selected;
        matrix(py, [self.members, selected.width()], |to: &mut [f32]| {
            self.with(|state| {
                let values = std::mem::take(&mut state.values);
                let (input, reset) = (stream, reset.as_deref());
                let exchange = Exchange { input, values: &values, steps, reset };
                let done = state.exchange(exchange, selected, to, |_| |_: &[f32]| {});
                state.values = values;
                done
            })
        })
    }

    /// Returns whether any member has ended.
    fn has_any_ended(&self) -> PyResult<bool> {
        Ok(self.with(|state| Ok(state.ensemble.has_any_ended()))?)
    }

    /// Lets the members of a mask draw from other streams.
    fn set_streams(&self, mask: Bound<'_, PyAny>, numbers: Vec<u64>) -> PyResult<()> {
        let mask = mask_of(&mask, self.members)?;
        Ok(self.with(|state| Ok(state.ensemble.set_streams(&mask, &numbers)?))?)
    }

    /// Returns members to their starts, all or the members of a mask.
    #[pyo3(signature = (mask, seeds))]
    fn reset(
        &self,
        py: Python<'_>,
        mask: Option<Bound<'_, PyAny>>,
        seeds: Option<Vec<u64>>,
    ) -> PyResult<()> {
        let mask = self.mask(mask)?.unwrap_or_else(|| vec![true; self.members]);
        let reset = || self.with(|state| Ok(state.ensemble.reset(&mask, seeds.as_deref())?));
        Ok(py.detach(reset)?)
    }
}

impl Ensemble {
    fn mask(&self, given: Option<Bound<'_, PyAny>>) -> PyResult<Option<Vec<bool>>> {
        given.map(|given| mask_of(&given, self.members)).transpose()
    }
}

impl OpenEnsemble {
    /// Takes steps, and looks for signals from time to time.
    pub(super) fn step(&mut self, steps: u64, mask: Option<&[bool]>) -> Result<(), Failure> {
        let (mut left, mut pieces) = (steps, Pieces::new());
        while left > 0 {
            let now = left.min(pieces.steps);
            match mask {
                Some(mask) => self.ensemble.step_some(now, mask)?,
                None => self.ensemble.step(now)?,
            }
            left -= now;
            if left > 0 {
                pieces.look()?;
            }
        }
        Ok(())
    }

    /// Runs all members until a simulated time, s, and looks for signals from time to time.
    fn run_until(&mut self, time: f64) -> Result<(), Failure> {
        let mut clock = self.ensemble.session().simulation().clock();
        clock.steps = self.ensemble.fewest_steps();
        let mut pieces = Pieces::new();
        loop {
            clock.steps = clock.steps.saturating_add(pieces.steps);
            if !time.is_finite() || clock.time() >= time {
                return Ok(self.ensemble.run_until(Time(time))?);
            }
            self.ensemble.run_until(Time(clock.time()))?;
            pieces.look()?;
        }
    }

    /// Keeps the values of a command.
    fn take_values(
        &mut self,
        stream: &str,
        members: usize,
        values: &Bound<'_, PyAny>,
    ) -> Result<(), Failure> {
        let width = self.ensemble.command_width(stream)?;
        self.values.clear();
        append_numbers(&format!("'{stream}'"), values, &[members, width], &mut self.values)
            .map_err(Failure::Raised)
    }

    /// Sets a command, takes steps, puts members back to their starts, and reads quantities. `look` gets the numbers of some
    /// members, and returns a function that is called with their rows.
    pub(super) fn exchange<L: FnOnce(&[f32]) + Send>(
        &mut self,
        exchange: Exchange<'_>,
        selected: &Selected,
        to: &mut [f32],
        mut look: impl FnMut(Range<usize>) -> L,
    ) -> Result<(), Failure> {
        let Exchange { input, values, steps, reset } = exchange;
        if steps <= PIECE {
            return Ok(self.ensemble.exchange_with(exchange, selected, to, look)?);
        }
        self.ensemble.set(input, values)?;
        self.step(steps, None)?;
        if let Some(reset) = reset {
            self.ensemble.reset(reset, None)?;
        }
        self.read_f32(selected, to)?;
        look(0..self.ensemble.members())(to);
        Ok(())
    }

    pub(super) fn read_f32(&mut self, selected: &Selected, to: &mut [f32]) -> Result<(), Failure> {
        Ok(self.ensemble.read_f32(selected, to)?)
    }
}

/// Pieces of a run, between which signals are looked for.
struct Pieces {
    /// Number of steps of the next piece: the faster they are, the more.
    steps: u64,
    looked: Instant,
}

impl Pieces {
    fn new() -> Self {
        Self { steps: PIECE, looked: Instant::now() }
    }

    /// Raises the exception of a signal handler, or an interrupt of a model, if it is time to look for them.
    fn look(&mut self) -> Result<(), Failure> {
        let needed = self.looked.elapsed();
        if needed >= LOOK || runs::is_noted() {
            let raised = Python::attach(|py| py.check_signals()).and_then(|()| runs::check());
            raised.map_err(Failure::Raised)?;
            self.looked = Instant::now();
        } else if needed < LOOK / 4 {
            self.steps = self.steps.saturating_mul(2);
        }
        Ok(())
    }
}

fn check_out(found: &[usize], is_contiguous: bool, expected: [usize; 2]) -> PyResult<()> {
    if found != expected {
        return Err(raise(
            "ShapeError",
            format!("out has the shape {found:?}; expected {expected:?}"),
        ));
    }
    match is_contiguous {
        true => Ok(()),
        false => {
            Err(raise("ShapeError", "out is not contiguous; expected rows one after the other"))
        }
    }
}

fn raised(error: impl Into<PyErr>) -> Failure {
    Failure::Raised(error.into())
}
