//! Numbers and masks from Python, and arrays for it.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use numpy::ndarray::ArrayView2;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

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

/// Size from which arrays have a buffer of the pool, bytes; smaller ones take less time without.
pub(super) const LEAST: usize = 1 << 16;
/// Largest number of buffers in the pool, and their size together, bytes.
const MOST: usize = 8;
const LARGEST: usize = 1 << 26;

static POOL: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());

/// The owner of the memory of an array.
///
/// An array that is gone gives its buffer back, so that the results of steps neither wait for
/// fresh memory of the system nor ever share memory with an array that is still there.
#[pyclass(frozen, module = "simhost._core")]
pub(super) struct Buffer {
    words: Vec<u64>,
    /// Functions of the array, each with its result, which is handed out once.
    pub results: Mutex<Vec<(Py<PyAny>, Py<PyAny>)>>,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        pool.push(std::mem::take(&mut self.words));
        let size = |words: &Vec<u64>| size_of_val(&**words);
        while pool.len() > MOST || pool.iter().map(size).sum::<usize>() > LARGEST {
            // the one that has waited longest
            pool.remove(0);
        }
    }
}

/// Numbers for which every pattern of bits is valid, so that a buffer can hold any of them.
pub(crate) trait Plain: Element + Copy {}

impl Plain for f32 {}
impl Plain for f64 {}

/// The numbers of a matrix, in a buffer.
pub(super) struct Matrix<T> {
    words: Vec<u64>,
    shape: [usize; 2],
    of: PhantomData<T>,
}

impl<T: Plain> Matrix<T> {
    /// Takes a buffer, with what an earlier array had.
    pub fn new(shape: [usize; 2]) -> Self {
        let size = (shape[0] * shape[1] * size_of::<T>()).div_ceil(size_of::<u64>());
        Self { words: waiting(size), shape, of: PhantomData }
    }

    /// Returns the numbers, one row after the other.
    pub fn numbers(&mut self) -> &mut [T] {
        let (first, count) = (self.words.as_mut_ptr().cast::<T>(), self.shape[0] * self.shape[1]);
        // SAFETY: the words hold as many numbers, of which each pattern of bits is one, and are aligned for them.
        unsafe { std::slice::from_raw_parts_mut(first, count) }
    }

    /// Returns an array that owns the buffer.
    pub fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyArray2<T>>> {
        let owner = Bound::new(py, Buffer { words: self.words, results: Mutex::default() })?;
        // SAFETY: the buffer has the numbers, and does not move as long as the array keeps its owner.
        unsafe {
            let first = owner.get().words.as_ptr().cast::<T>();
            let view = ArrayView2::from_shape_ptr(self.shape, first);
            Ok(PyArray2::borrow_from_array(&view, owner.into_any()))
        }
    }
}

/// Returns a buffer of the pool, with the numbers that it has, or a new one.
fn waiting(size: usize) -> Vec<u64> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let found = pool.iter().position(|words| words.len() == size);
    let found = found.map(|at| pool.remove(at));
    drop(pool);
    found.unwrap_or_else(|| vec![0; size])
}
