//! Columns of a call as arrays of numpy, and back.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use simhost_abi::host::batch_rows;
use simhost_abi::{ArrayPort, Batch, Scope};

use crate::errors::raise;

/// Returns the number of values of a call in a column.
fn length(batch: &Batch, scope: Scope) -> usize {
    batch_rows(batch, scope).map(|row| row.len()).sum()
}

/// Copies the lanes of columns to arrays: of the shape (wheels, lanes), (lanes, rays), or (lanes). A null column is None, and
/// the readings of a sensor are three arrays: (lanes, values), their counts and their ages.
///
/// # Safety
/// `columns` has a column for each scope, with the lanes of the batch.
pub unsafe fn read<'py>(
    py: Python<'py>,
    batch: &Batch,
    columns: *const *const f64,
    scopes: &[Scope],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (index, scope) in scopes.iter().enumerate() {
        // SAFETY: promised by the caller.
        let column = unsafe { *columns.add(index) };
        if column.is_null() {
            list.append(py.None())?;
            continue;
        }
        if *scope == Scope::Array {
            // SAFETY: a phase with such an input has an entry for each of its inputs.
            list.append(unsafe { reading(py, batch, column, &*batch.arrays.add(index))? })?;
            continue;
        }
        let mut values = Vec::with_capacity(length(batch, *scope));
        for row in batch_rows(batch, *scope) {
            // SAFETY: promised by the caller.
            let lanes = unsafe { std::slice::from_raw_parts(column.add(row.start), row.len()) };
            values.extend_from_slice(lanes);
        }
        let values = PyArray1::from_vec(py, values);
        match scope {
            Scope::Wheel => list.append(values.reshape([batch.wheels as usize, batch.count])?)?,
            Scope::Ray => list.append(values.reshape([batch.count, batch.rays])?)?,
            _ => list.append(values)?,
        }
    }
    Ok(list)
}

/// Copies the readings of a sensor, with NaN beyond the count of a lane.
///
/// # Safety
/// `column` and `port` belong to an input of scope array.
unsafe fn reading<'py>(
    py: Python<'py>,
    batch: &Batch,
    column: *const f64,
    port: &ArrayPort,
) -> PyResult<Bound<'py, PyTuple>> {
    let lanes = batch.first..batch.first + batch.count;
    let mut values = Vec::with_capacity(batch.count * port.capacity);
    let (mut counts, mut ages) = (Vec::new(), Vec::new());
    for lane in lanes {
        // SAFETY: promised by the caller.
        let (own, count, age) = unsafe { reading_of(column, port, lane) };
        values.extend_from_slice(own);
        values.resize(values.len() + port.capacity - own.len(), f64::NAN);
        counts.push(count);
        ages.push(age);
    }
    let values = PyArray1::from_vec(py, values).reshape([batch.count, port.capacity])?;
    (values, PyArray1::from_vec(py, counts), PyArray1::from_vec(py, ages)).into_pyobject(py)
}

/// Returns the values of the reading of a lane, their count and their age.
///
/// # Safety
/// `column` and `port` belong to an input of scope array, and live as long as the values.
unsafe fn reading_of<'c>(
    column: *const f64,
    port: &ArrayPort,
    lane: usize,
) -> (&'c [f64], f64, f64) {
    // SAFETY: promised by the caller; a lane has at most as many values as the capacity.
    unsafe {
        let (count, age) = (*port.counts.add(lane), *port.ages.add(lane));
        let known = (count as usize).min(port.capacity);
        (std::slice::from_raw_parts(column.add(lane * port.stride), known), count, age)
    }
}

/// Values of a column as bits, in which a NaN equals itself; `None` for a null column.
pub type Bits = Option<Vec<u64>>;

/// Copies the bits of the lanes of columns. The readings of a sensor are count, age and values of each lane.
///
/// # Safety
/// As of [`read`].
pub unsafe fn bits(batch: &Batch, columns: *const *const f64, scopes: &[Scope]) -> Vec<Bits> {
    let of = |(index, scope): (usize, &Scope)| {
        // SAFETY: promised by the caller.
        let column = unsafe { *columns.add(index) };
        if column.is_null() {
            return None;
        }
        let mut bits = Vec::new();
        let mut append = |values: &[f64]| bits.extend(values.iter().map(|value| value.to_bits()));
        if *scope == Scope::Array {
            for lane in batch.first..batch.first + batch.count {
                // SAFETY: promised by the caller; a phase with such an input has an entry for each of its inputs.
                let (values, count, age) =
                    unsafe { reading_of(column, &*batch.arrays.add(index), lane) };
                append(&[count, age]);
                append(values);
            }
            return Some(bits);
        }
        for row in batch_rows(batch, *scope) {
            // SAFETY: promised by the caller.
            append(unsafe { std::slice::from_raw_parts(column.add(row.start), row.len()) });
        }
        Some(bits)
    };
    scopes.iter().enumerate().map(of).collect()
}

/// Returns an error if arrays are not as long as the lanes of their columns.
pub fn check(
    batch: &Batch,
    scopes: &[Scope],
    arrays: &[PyReadonlyArray1<'_, f64>],
) -> PyResult<()> {
    for (index, (scope, array)) in scopes.iter().zip(arrays).enumerate() {
        let (found, expected) = (array.as_slice()?.len(), length(batch, *scope));
        if found != expected {
            let text = format!("column {index} has {found} values; expected {expected}");
            return Err(raise("ShapeError", text));
        }
    }
    Ok(())
}

/// Copies arrays, which have been checked, to the lanes of columns.
///
/// # Safety
/// As of [`read`].
pub unsafe fn write(
    batch: &Batch,
    columns: *const *mut f64,
    scopes: &[Scope],
    arrays: &[PyReadonlyArray1<'_, f64>],
) -> PyResult<()> {
    for (index, (scope, array)) in scopes.iter().zip(arrays).enumerate() {
        let mut values = array.as_slice()?;
        // SAFETY: promised by the caller.
        let column = unsafe { *columns.add(index) };
        for row in batch_rows(batch, *scope) {
            let (lanes, rest) = values.split_at(row.len());
            values = rest;
            // SAFETY: promised by the caller.
            unsafe {
                std::ptr::copy_nonoverlapping(lanes.as_ptr(), column.add(row.start), lanes.len());
            }
        }
    }
    Ok(())
}
