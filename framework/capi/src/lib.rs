//! The library `simhost` for C and C++: `libsimhost.so` and `libsimhost.a`.
//!
//! The library has one symbol, [`simhost_api`], which returns a table of functions. `include/simhost.h` declares the table
//! and documents every function; `include/simhost.hpp` wraps it in C++. The functions call the crate `simhost`, and have the
//! names of the Python package.
//!
//! Each function checks its handles and its other pointers for null, and runs in [`handle::call`], which refuses
//! concurrent calls, keeps the last error, and turns a panic into an error.

mod argument;
mod command;
mod edits;
mod ensemble;
mod error;
mod handle;
mod lists;
mod numbered;
mod opening;
mod picked;
mod selection;
mod session;
mod snapshot;
mod stream;
mod table;

// the class `fmu` registers itself, but the linker drops crates that are not named
use simhost_cosim as _;

use table::{FUNCTIONS, Functions, VERSION};

/// Returns the table of functions of a version of the interface, or null if the library does not have it.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_api(version: u32) -> *const Functions {
    if version == VERSION { &raw const FUNCTIONS } else { std::ptr::null() }
}
