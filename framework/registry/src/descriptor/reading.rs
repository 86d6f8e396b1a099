//! Reads pieces of a descriptor that may be anything.

use simhost_abi::{Slice, Str};

/// Most items of a list.
const MAX_ITEMS: usize = 10_000;
/// How the error about a name that stands twice ends.
pub(super) const TWICE: &str = "declared twice";
/// Longest text, bytes.
const MAX_TEXT: usize = 1 << 20;

/// The items of a list.
pub(super) fn items<T>(what: &str, list: Slice<T>) -> Result<&'static [T], String> {
    check_array(what, list.data, list.len, MAX_ITEMS, "items")?;
    // SAFETY: not null, aligned, of a sane length; a descriptor is static data.
    Ok(unsafe { list.as_slice() })
}

/// A text, which may be empty.
pub(super) fn text(what: &str, text: Str) -> Result<&'static str, String> {
    check_array(what, text.data, text.len, MAX_TEXT, "bytes")?;
    if text.len == 0 {
        return Ok("");
    }
    // SAFETY: as above.
    let bytes: &'static [u8] = unsafe { std::slice::from_raw_parts(text.data, text.len) };
    std::str::from_utf8(bytes).map_err(|_| format!("{what} is no UTF-8"))
}

/// A text that says something.
pub(super) fn name(what: &str, value: Str) -> Result<&'static str, String> {
    match text(what, value)? {
        "" => Err(format!("{what} is empty")),
        name => Ok(name),
    }
}

fn check_array<T>(
    what: &str,
    data: *const T,
    len: usize,
    most: usize,
    unit: &str,
) -> Result<(), String> {
    if len == 0 {
        Ok(())
    } else if data.is_null() {
        Err(format!("{what} is null and has a length of {len}, expected a pointer or length 0"))
    } else if len > most {
        Err(format!("{what} has {len} {unit}, expected at most {most}"))
    } else if !data.is_aligned() {
        Err(format!("the pointer of {what} is not aligned"))
    } else {
        Ok(())
    }
}

/// Whether a pointer to a function is not null. Rust knows no function at null, so it is read as a
/// number.
///
/// # Safety
/// `function` points to a pointer to a function.
pub(super) unsafe fn has_function<F>(function: *const F) -> bool {
    const { assert!(size_of::<F>() == size_of::<usize>()) };
    // SAFETY: promised by the caller; a pointer to a function has the size of a number.
    unsafe { function.cast::<usize>().read() != 0 }
}

/// No name stands twice.
pub(super) fn once(what: &str, mut names: Vec<&str>) -> Result<(), String> {
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("{what} '{}' is {TWICE}", pair[0])),
        None => Ok(()),
    }
}
