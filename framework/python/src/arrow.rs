//! Tables for other libraries, through the stream interface of Arrow's C data interface.
//!
//! A table is one record batch of float64 columns in the memory of numpy arrays.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::raise;

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

/// Description of a column, or of all columns.
#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// Values of a column, or of all columns.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// What a schema points to, and its children.
struct SchemaParts {
    _name: CString,
    _metadata: Vec<u8>,
    children: Vec<*mut ArrowSchema>,
}

/// What an array points to, and its children.
struct ArrayParts {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    _values: Option<Py<PyArray1<f64>>>,
}

/// Returns the description of a column with a name, or of all columns as its children.
fn schema(
    name: &CString,
    format: &'static std::ffi::CStr,
    metadata: &[u8],
    children: Vec<*mut ArrowSchema>,
) -> ArrowSchema {
    let parts = SchemaParts { _name: name.clone(), _metadata: metadata.to_vec(), children };
    let (name, has_metadata) = (parts._name.as_ptr(), !parts._metadata.is_empty());
    let metadata = if has_metadata { parts._metadata.as_ptr().cast() } else { ptr::null() };
    let parts = Box::into_raw(Box::new(parts));
    // SAFETY: the box has just been made.
    let children = unsafe { &mut (*parts).children };
    ArrowSchema {
        format: format.as_ptr(),
        name,
        metadata,
        flags: 0,
        n_children: children.len() as i64,
        children: children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: parts.cast(),
    }
}

/// Returns the values of a column, whose array is kept, or the values of all columns as its
/// children.
fn array(
    rows: i64,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    values: Option<Py<PyArray1<f64>>>,
) -> ArrowArray {
    let parts = Box::into_raw(Box::new(ArrayParts { buffers, children, _values: values }));
    // SAFETY: the box has just been made.
    let ArrayParts { buffers, children, .. } = unsafe { &mut *parts };
    ArrowArray {
        length: rows,
        null_count: 0,
        offset: 0,
        n_buffers: buffers.len() as i64,
        n_children: children.len() as i64,
        buffers: buffers.as_mut_ptr(),
        children: children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: parts.cast(),
    }
}

/// Releases the boxes of children that a consumer has not released.
///
/// # Safety
/// The children are boxes, which are not used again.
unsafe fn release_children<T>(
    children: &[*mut T],
    release_of: impl Fn(&T) -> Option<unsafe extern "C" fn(*mut T)>,
) {
    for child in children.iter().copied() {
        // SAFETY: promised by the caller.
        unsafe {
            if let Some(release) = release_of(&*child) {
                release(child);
            }
            drop(Box::from_raw(child));
        }
    }
}

unsafe extern "C" fn release_schema(released: *mut ArrowSchema) {
    // SAFETY: a consumer releases once; the private data is the box of `schema`, and the children are boxes.
    unsafe {
        let parts = Box::from_raw((*released).private_data.cast::<SchemaParts>());
        release_children(&parts.children, |child| child.release);
        (*released).release = None;
    }
}

unsafe extern "C" fn release_array(released: *mut ArrowArray) {
    // SAFETY: a consumer releases once; the private data is the box of `array`, and the children are boxes.
    unsafe {
        let parts = Box::from_raw((*released).private_data.cast::<ArrayParts>());
        release_children(&parts.children, |child| child.release);
        (*released).release = None;
        Python::attach(|_| drop(parts));
    }
}
