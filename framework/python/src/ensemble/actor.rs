//! Actions of environments: numbers from -1 to 1 that stand for values of a command.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use numpy::{Element, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use simhost::Exchange;

use super::{Ensemble, Selection};
use crate::arrays::{mask, matrix};
use crate::errors::{Failure, raise};
use crate::rows::{Ahead, RowResults};

/// The command that actions of environments set, and the quantities that are observed after it.
#[pyclass(frozen, module = "simhost._core")]
pub struct Actor {
    ensemble: Py<Ensemble>,
    selection: Py<Selection>,
    stream: String,
    steps: u64,
    /// Index of the value of the command, middle and half of the range of each number of an action.
    actions: Vec<(usize, f64, f64)>,
    /// Number of values of the command.
    width: usize,
    /// All values of the command for each environment; actions replace some of them.
    values: Mutex<Vec<f64>>,
    /// Functions of the quantities that are applied to them at once.
    ahead: Ahead,
}

#[pymethods]
impl Actor {
    /// Connects an ensemble with the numbers of an action: the index of a value of the command, and
    /// its values for -1 and 1. `base` has all values of the command; actions replace some of them.
    /// `ahead` has functions of the quantities: their results are computed by the threads that read
    /// these, before they are called.
    #[new]
    fn new(
        ensemble: Py<Ensemble>,
        selection: Py<Selection>,
        stream: String,
        steps: u64,
        actions: Vec<(usize, f64, f64)>,
        base: Vec<f64>,
        ahead: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        ensemble.get().check(selection.get())?;
        let ahead = Ahead::new(&ahead, selection.get().selected.width())?;
        let width = ensemble.get().with(|open| Ok(open.ensemble.command_width(&stream)?))?;
        if base.len() != width {
            let text = format!("the command has {} values; '{stream}' has {width}", base.len());
            return Err(raise("ShapeError", text));
        }
        if let Some((index, ..)) = actions.iter().find(|(index, ..)| *index >= width) {
            let text = format!(
                "the index {index} of an action is out of range; '{stream}' has {width} values"
            );
            return Err(raise("InputError", text));
        }
        let of =
            |(index, low, high): (usize, f64, f64)| (index, (low + high) / 2.0, (high - low) / 2.0);
        let actions = actions.into_iter().map(of).collect();
        let values = Mutex::new(base.repeat(ensemble.get().members));
        Ok(Self { ensemble, selection, stream, steps, actions, width, values, ahead })
    }

    /// Takes the steps of an action of each environment, returns the members of a mask to their
    /// starts, and reads their observations as float32. `actions` has a row per environment; one
    /// environment can give a row alone. Returns whether any member has ended, too.
    #[pyo3(signature = (actions, reset))]
    fn act<'py>(
        &self,
        py: Python<'py>,
        actions: Bound<'py, PyAny>,
        reset: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, bool)> {
        let ensemble = self.ensemble.get();
        let reset = reset.map(|reset| mask(&reset, ensemble.members)).transpose()?;
        let selected = &self.selection.get().selected;
        let (count, width) = (ensemble.members, selected.width());
        let mut results = self.ahead.results(count, width);
        let (rows, has_ended) = ensemble.with(|open| {
            let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
            self.take(&mut values, count, &actions)?;
            let exchange = Exchange {
                input: &self.stream,
                values: &values,
                steps: self.steps,
                reset: reset.as_deref(),
            };
            let mut left: Vec<_> = results.iter_mut().map(RowResults::open).collect();
            let look = |members: Range<usize>| {
                let own: Vec<_> = left.iter_mut().map(|left| left.next(&members)).collect();
                move |rows: &[f32]| own.into_iter().for_each(|own| own.write(rows, width))
            };
            let rows = matrix(py, [count, width], |to: &mut [f32]| {
                open.exchange(exchange, selected, to, look)
            });
            Ok((rows.map_err(Failure::Raised)?, open.ensemble.has_any_ended()))
        })?;
        self.ahead.keep(&rows, results)?;
        Ok((rows, has_ended))
    }
}

impl Actor {
    /// Writes the values of the command that actions stand for.
    fn take(
        &self,
        values: &mut [f64],
        members: usize,
        given: &Bound<'_, PyAny>,
    ) -> Result<(), Failure> {
        let raised = |class, text| Failure::Raised(raise(class, text));
        let Ok(array) = given.cast::<PyUntypedArray>() else {
            let found = given.get_type();
            return Err(raised(
                "DtypeError",
                format!("the action is of type {found}; expected an array of numpy"),
            ));
        };
        let count = self.actions.len();
        let is_row = members == 1 && array.shape() == [count];
        if array.shape() != [members, count] && !is_row {
            let found = array.shape();
            let expected =
                if members == 1 { format!("[{count}]") } else { format!("[{members}, {count}]") };
            return Err(raised(
                "ShapeError",
                format!("the action has the shape {found:?}; expected {expected}"),
            ));
        }
        let done = self.scale::<f32>(given, values, f64::from);
        let done = done.or_else(|| self.scale::<f64>(given, values, |value| value));
        let dtype = array.dtype();
        let expected = || format!("the action has the dtype {dtype}; expected float32 or float64");
        match done {
            None => Err(raised("DtypeError", expected())),
            Some(None) => Ok(()),
            Some(Some((member, index, found))) => {
                let text = format!(
                    "action {index} of environment {member} is {found}; expected a finite number"
                );
                Err(raised("InputError", text))
            }
        }
    }

    /// Writes the values of the command. Returns nothing if the numbers have another type, and otherwise the first
    /// that is not finite, with environment and index.
    #[allow(clippy::option_option)]
    fn scale<T: Element + Copy>(
        &self,
        given: &Bound<'_, PyAny>,
        values: &mut [f64],
        convert: impl Fn(T) -> f64,
    ) -> Option<Option<(usize, usize, f64)>> {
        let array = given.cast::<PyArrayDyn<T>>().ok()?;
        let (count, width) = (self.actions.len().max(1), self.width.max(1));
        let given = if array.is_c_contiguous() {
            // SAFETY: this thread has the lock of the interpreter until the numbers are copied. Unlike a borrow that is
            // registered, this takes no time.
            unsafe { array.as_slice().ok()? }
        } else {
            &array.to_owned_array().into_iter().collect::<Vec<_>>()
        };
        // without a branch per number
        let are_finite = given.iter().fold(true, |all, number| all & convert(*number).is_finite());
        if !are_finite {
            let at = given.iter().position(|number| !convert(*number).is_finite())?;
            return Some(Some((at / count, at % count, convert(given[at]))));
        }
        for (index, (place, middle, half)) in self.actions.iter().enumerate() {
            let numbers = given.chunks_exact(count).map(|row| convert(row[index]));
            for (number, to) in numbers.zip(values.chunks_exact_mut(width)) {
                to[*place] = number.clamp(-1.0, 1.0) * half + middle;
            }
        }
        Some(None)
    }
}
