//! Functions of the C library that the standard library refers to and older versions of wasi-libc do not have.
//!
//! A module has one thread, and the files of a tab have no links.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};

/// The number of the error "not supported" in WASI.
const NOT_SUPPORTED: c_int = 58;

unsafe extern "C" {
    fn __wasm_call_ctors();
    fn malloc(size: usize) -> *mut c_void;
}

/// Runs the constructors of the module, which register the families of models.
pub fn construct() {
    // SAFETY: the page calls this once, before everything else.
    unsafe { __wasm_call_ctors() };
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_init(_: *mut c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_setstacksize(_: *mut c_void, _: usize) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_destroy(_: *mut c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_create(
    _: *mut c_void,
    _: *const c_void,
    _: *const c_void,
    _: *mut c_void,
) -> c_int {
    NOT_SUPPORTED
}

#[unsafe(no_mangle)]
extern "C" fn pthread_detach(_: *mut c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_join(_: *mut c_void, _: *mut *mut c_void) -> c_int {
    NOT_SUPPORTED
}

/// Returns the address of a copy of the number of the last error.
#[unsafe(no_mangle)]
extern "C" fn __errno_location() -> *mut c_int {
    static COPY: AtomicI32 = AtomicI32::new(0);
    COPY.store(std::io::Error::last_os_error().raw_os_error().unwrap_or(0), Ordering::Relaxed);
    COPY.as_ptr()
}

/// Returns the path of an existing file without `.` and `..`, in memory that the caller frees.
#[unsafe(no_mangle)]
unsafe extern "C" fn realpath(path: *const c_char, _: *mut c_char) -> *mut c_char {
    // SAFETY: the caller passes a text that ends with a zero byte.
    let path = unsafe { CStr::from_ptr(path) }.to_string_lossy();
    let mut whole = PathBuf::from("/");
    for part in Path::new(&*path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::Normal(name) => whole.push(name),
            _ => {}
        }
    }
    // sets the number of the error
    if std::fs::metadata(&whole).is_err() {
        return std::ptr::null_mut();
    }
    let bytes = whole.into_os_string().into_encoded_bytes();
    // SAFETY: the memory has room for the bytes and a zero byte.
    unsafe {
        let copy = malloc(bytes.len() + 1).cast::<u8>();
        if !copy.is_null() {
            copy.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            copy.add(bytes.len()).write(0);
        }
        copy.cast()
    }
}
