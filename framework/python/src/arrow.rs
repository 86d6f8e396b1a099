//! Tables for other libraries, through the stream interface of Arrow's C data interface.
//!
//! A table is one record batch of float64 columns in the memory of numpy arrays.

mod interface;

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::raise;
use interface::{ArrowArray, ArrowSchema, array, schema};

#[repr(C)]
struct ArrowStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowStream)>,
    private_data: *mut c_void,
}

/// A column: its array, which is kept until the consumer has released it.
struct ArrowColumn {
    name: CString,
    /// The unit, as the metadata of Arrow.
    metadata: Vec<u8>,
    values: Py<PyArray1<f64>>,
    data: *const f64,
}

struct ArrowTable {
    columns: Vec<ArrowColumn>,
    rows: i64,
    is_read: bool,
}

/// Returns a capsule with an Arrow stream of float64 columns: name, unit and a contiguous array of equal length.
#[pyfunction]
pub fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, String, Bound<'py, PyArray1<f64>>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut table = ArrowTable { columns: Vec::new(), rows: 0, is_read: false };
    for (number, (name, unit, values)) in columns.into_iter().enumerate() {
        let readonly = values.try_readonly()?;
        let slice = readonly
            .as_slice()
            .map_err(|_| raise("ShapeError", format!("column '{name}' is not contiguous")))?;
        let (data, rows) = (slice.as_ptr(), slice.len() as i64);
        if number > 0 && rows != table.rows {
            let text = format!("column '{name}' has {rows} rows; expected {}", table.rows);
            return Err(raise("ShapeError", text));
        }
        table.rows = rows;
        drop(readonly);
        let metadata = metadata_of(&[("unit", &unit)]);
        let name = CString::new(name).map_err(|error| raise("InputError", error))?;
        table.columns.push(ArrowColumn { name, metadata, values: values.unbind(), data });
    }
    let stream = ArrowStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(Box::new(table)).cast(),
    };
    PyCapsule::new_with_value_and_destructor(
        py,
        Owned(stream),
        c"arrow_array_stream",
        |stream, _| drop(stream),
    )
}

/// A stream, which is released with its capsule unless a consumer has taken it.
#[repr(transparent)]
struct Owned(ArrowStream);

// SAFETY: the table behind the stream can be used from any thread: its arrays are only counted with the lock of the
// interpreter.
unsafe impl Send for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: the stream has not been released, and this is its address.
            unsafe { release(&raw mut self.0) };
        }
    }
}

/// Returns keys and values as Arrow encodes them.
fn metadata_of(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = (pairs.len() as i32).to_ne_bytes().to_vec();
    for text in pairs.iter().flat_map(|(key, value)| [key, value]) {
        bytes.extend((text.len() as i32).to_ne_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

unsafe extern "C" fn get_schema(stream: *mut ArrowStream, to: *mut ArrowSchema) -> c_int {
    // SAFETY: the consumer calls with the stream that it has got, and a place for a schema.
    unsafe {
        let table = &*(*stream).private_data.cast::<ArrowTable>();
        let children = table.columns.iter().map(|column| {
            Box::into_raw(Box::new(schema(&column.name, c"g", &column.metadata, Vec::new())))
        });
        to.write(schema(&CString::default(), c"+s", &[], children.collect()));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowStream, to: *mut ArrowArray) -> c_int {
    // SAFETY: as for `get_schema`.
    unsafe {
        let table = &mut *(*stream).private_data.cast::<ArrowTable>();
        if std::mem::replace(&mut table.is_read, true) {
            // the end of the stream is an array that has been released
            to.write(std::mem::zeroed());
            return 0;
        }
        let rows = table.rows;
        let children = Python::attach(|py| {
            let of = |column: &ArrowColumn| {
                let buffers = vec![ptr::null(), column.data.cast()];
                Box::into_raw(Box::new(array(
                    rows,
                    buffers,
                    Vec::new(),
                    Some(column.values.clone_ref(py)),
                )))
            };
            table.columns.iter().map(of).collect()
        });
        to.write(array(rows, vec![ptr::null()], children, None));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowStream) {
    // SAFETY: a consumer releases once; the private data is the box of `arrow_stream`.
    unsafe {
        let table = Box::from_raw((*stream).private_data.cast::<ArrowTable>());
        (*stream).release = None;
        Python::attach(|_| drop(table));
    }
}
