//! A shared library that is not a plugin.

/// A function without meaning to the host.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> i32 {
    42
}
