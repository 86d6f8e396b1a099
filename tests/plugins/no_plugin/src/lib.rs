//! A shared library that is not a plugin.

/// Something else.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> i32 {
    42
}
