//! Stub of the loader for WebAssembly, which has no shared libraries.

use std::path::Path;

use simhost_abi::Head;

/// A loaded library, which cannot exist.
#[derive(Debug)]
pub enum Library {}

/// Refuses to load a library.
///
/// # Errors
/// Always.
pub fn load(_: &Path) -> Result<Library, String> {
    Err("shared libraries cannot be loaded in a browser".to_owned())
}

/// Returns the address of the descriptor of a library.
pub(crate) fn head(library: &Library) -> Option<*const Head> {
    match *library {}
}
