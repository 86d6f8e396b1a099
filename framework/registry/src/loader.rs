//! The loader of shared libraries of the operating system.

use std::path::Path;

use simhost_abi::{Head, SYMBOL};

pub(crate) use libloading::Library;

/// Loads a library and binds all its symbols immediately, so that a missing one is an error now
/// instead of ending a run later.
///
/// # Errors
/// The message of the operating system without the file name.
pub fn load(path: &Path) -> Result<Library, String> {
    open(path).map_err(|error| reason(&error))
}

/// Returns the address of the descriptor that a library exports, if it does.
pub(crate) fn head(library: &Library) -> Option<*const Head> {
    // SAFETY: only the address is taken here; the caller checks what it points to.
    let symbol = unsafe { library.get::<*const Head>(SYMBOL.as_bytes()) };
    symbol.ok().map(|symbol| *symbol)
}

#[cfg(unix)]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix;
    // a library that closes itself stays, because the host has pointers into it
    let flags = unix::RTLD_NOW | unix::RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: loading runs the initialisers of a library that the user asked for; its code is
    // trusted as theirs.
    unsafe { unix::Library::open(Some(path), flags) }.map(Library::from)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as above.
    unsafe { Library::new(path) }
}

/// Returns the message of the operating system without the file name, which is printed separately.
fn reason(error: &libloading::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}
