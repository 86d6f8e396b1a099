//! A pool of buffers, which large arrays own. An array that is gone gives its buffer back, so that the results of steps
//! neither wait for fresh memory of the system nor ever share memory with an array that is still there.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray2};
use pyo3::prelude::*;

/// Size from which arrays have a buffer of the pool, bytes; smaller ones take less time without.
pub const LEAST: usize = 1 << 16;
/// Largest number of buffers in the pool, and their size together, bytes.
const MOST: usize = 8;
const LARGEST: usize = 1 << 26;

static POOL: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());

/// The owner of the memory of an array.
#[pyclass(frozen, module = "simhost._core")]
pub struct Buffer {
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
pub trait Plain: Element + Copy {}

impl Plain for f32 {}
impl Plain for f64 {}

/// The numbers of a matrix, in a buffer.
pub struct Matrix<T> {
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
