//! Numbers and masks from Python, and arrays for it.

use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::buffers::{LEAST, Matrix, Plain};
use crate::errors::raise;

/// Appends the numbers of an array of float32 or float64 with the expected shape. Arrays that are not contiguous are
/// read in order of their indices.
pub fn append_numbers(
    what: &str,
    array: &Bound<'_, PyAny>,
    shape: &[usize],
    to: &mut Vec<f64>,
) -> PyResult<()> {
    let array = as_array(what, array)?;
    let found = array.shape();
    // a column can be given as a list of numbers
    let is_column = shape.len() == 2 && shape[1] == 1 && found == &shape[..1];
    if found != shape && !is_column {
        return Err(raise(
            "ShapeError",
            format!("{what} has the shape {found:?}; expected {shape:?}"),
        ));
    }
    if append::<f32>(&array, to, f64::from)? || append::<f64>(&array, to, |value| value)? {
        return Ok(());
    }
    let dtype = array.dtype();
    Err(raise("DtypeError", format!("{what} has the dtype {dtype}; expected float32 or float64")))
}

fn as_array<'py>(what: &str, array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let found = || array.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    array.cast::<PyUntypedArray>().cloned().map_err(|_| {
        raise("DtypeError", format!("{what} is of type {}; expected an array of numpy", found()))
    })
}

fn append<T: Element + Copy>(
    array: &Bound<'_, PyUntypedArray>,
    to: &mut Vec<f64>,
    convert: impl Fn(T) -> f64,
) -> PyResult<bool> {
    let Ok(values) = array.as_any().extract::<PyReadonlyArrayDyn<'_, T>>() else {
        return Ok(false);
    };
    // a slice of an array in the order of Fortran has the order of memory
    match values.as_slice().ok().filter(|_| array.is_c_contiguous()) {
        Some(values) => to.extend(values.iter().map(|value| convert(*value))),
        None => to.extend(values.as_array().iter().map(|value| convert(*value))),
    }
    Ok(true)
}

/// Returns the truth values of an array of bool with one for each of `count` members.
pub fn mask(array: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<bool>> {
    let array = as_array("the mask", array)?;
    let Ok(values) = array.as_any().extract::<PyReadonlyArrayDyn<'_, bool>>() else {
        let dtype = array.dtype();
        return Err(raise("DtypeError", format!("the mask has the dtype {dtype}; expected bool")));
    };
    if values.shape() != [count] {
        let found = values.shape();
        return Err(raise(
            "ShapeError",
            format!("the mask has the shape {found:?}; expected [{count}]"),
        ));
    }
    Ok(values.as_array().iter().copied().collect())
}

/// Returns a new matrix. `fill` writes every number, without the lock of the interpreter.
pub fn matrix<'py, T: Plain + Send, E>(
    py: Python<'py>,
    shape: [usize; 2],
    fill: impl FnOnce(&mut [T]) -> Result<(), E> + Send,
) -> PyResult<Bound<'py, PyArray2<T>>>
where
    PyErr: From<E>,
    E: Send,
{
    if shape[0] * shape[1] * size_of::<T>() >= LEAST {
        let mut matrix = Matrix::new(shape);
        let values = matrix.numbers();
        py.detach(|| fill(values))?;
        return matrix.into_array(py);
    }
    let array = PyArray2::<T>::zeros(py, shape, false);
    // SAFETY: nothing else has a reference to the new array.
    let values = unsafe { array.as_slice_mut()? };
    py.detach(|| fill(values))?;
    Ok(array)
}

/// Returns a new array with numbers, without copying them.
pub fn vector(py: Python<'_>, values: Vec<f64>) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_vec(py, values)
}
