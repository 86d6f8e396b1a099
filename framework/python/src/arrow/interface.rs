//! The two structs of Arrow's C data interface, which own what they point to.

use std::ffi::{CString, c_char, c_void};
use std::ptr;

use numpy::PyArray1;
use pyo3::prelude::*;

/// Description of a column, or of all columns.
#[repr(C)]
pub struct ArrowSchema {
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
pub struct ArrowArray {
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
pub fn schema(
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
pub fn array(
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
