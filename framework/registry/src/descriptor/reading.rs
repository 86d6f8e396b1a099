//! Reading of untrusted parts of a descriptor.

use simhost_abi::{Slice, Str};

/// Largest number of items in a list.
const MAX_ITEMS: usize = 10_000;
/// End of all errors about duplicate names.
pub(super) const TWICE: &str = "declared twice";
/// Longest text, bytes.
const MAX_TEXT: usize = 1 << 20;

/// Returns the items of a list.
pub(super) fn items<T>(what: &str, list: Slice<T>) -> Result<&'static [T], String> {
    check_array(what, list.data, list.len, MAX_ITEMS, "items")?;
    // SAFETY: not null, aligned, of a sane length; a descriptor is static data.
    Ok(unsafe { list.as_slice() })
}

/// Returns a text, which can be empty.
pub(super) fn text(what: &str, text: Str) -> Result<&'static str, String> {
    check_array(what, text.data, text.len, MAX_TEXT, "bytes")?;
    if text.len == 0 {
        return Ok("");
    }
    // SAFETY: as above.
    let bytes: &'static [u8] = unsafe { std::slice::from_raw_parts(text.data, text.len) };
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{what} is not valid UTF-8"))?;
    match text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        None => Ok(text),
        Some(c) => Err(format!("{what} has the control character U+{:04X}", u32::from(c))),
    }
}

/// Returns a text that is not empty.
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

/// Returns whether a pointer to a function is not null. It is read as a number, because a function
/// pointer in Rust is never null.
///
/// # Safety
///
/// `function` points to a pointer to a function.
pub(super) unsafe fn has_function<F>(function: *const F) -> bool {
    const { assert!(size_of::<F>() == size_of::<usize>()) };
    // SAFETY: promised by the caller; a pointer to a function has the size of a number.
    unsafe { function.cast::<usize>().read() != 0 }
}

/// Checks that names are unique.
pub(super) fn once(what: &str, mut names: Vec<&str>) -> Result<(), String> {
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("{what} '{}' is {TWICE}", pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_act_on_a_terminal() {
        assert_eq!(text("the name", Str::new("a\n\tb")), Ok("a\n\tb"));
        let error = text("the name", Str::new("a\u{1b}[31m")).expect_err("an escape sequence");
        assert_eq!(error, "the name has the control character U+001B");
    }
}
