//! A shared library that is no plugin.

/// Something else.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> i32 {
    42
}
