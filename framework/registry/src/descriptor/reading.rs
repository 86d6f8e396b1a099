//! Reading of untrusted parts of a descriptor.

use simhost_abi::{Slice, Str};

use crate::mapping::Mapping;

/// Largest number of items in a list.
const MAX_ITEMS: usize = 10_000;
/// End of all errors about duplicate names.
pub(super) const TWICE: &str = "declared twice";
/// Longest text, bytes.
const MAX_TEXT: usize = 1 << 20;

/// Reads the parts of a descriptor and checks where they lie.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reader<'a> {
    /// The library of the descriptor; `None` if it is linked in, or if the platform does not say where
    /// libraries lie.
    pub library: Option<&'a Mapping>,
    /// The other libraries that were loaded as plugins.
    pub others: &'a [Mapping],
}

impl Reader<'_> {
    /// Returns the items of a list.
    pub(super) fn items<T>(self, what: &str, list: Slice<T>) -> Result<&'static [T], String> {
        self.array(what, list.data, list.len, MAX_ITEMS, "items")?;
        // SAFETY: not null, aligned, of a sane length; a descriptor is static data.
        Ok(unsafe { list.as_slice() })
    }

    /// Returns a text, which can be empty.
    pub(super) fn text(self, what: &str, text: Str) -> Result<&'static str, String> {
        self.array(what, text.data, text.len, MAX_TEXT, "bytes")?;
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
    pub(super) fn name(self, what: &str, value: Str) -> Result<&'static str, String> {
        match self.text(what, value)? {
            "" => Err(format!("{what} is empty")),
            name => Ok(name),
        }
    }

    /// Returns whether a pointer to a function is not null. It is read as a number, because a function
    /// pointer in Rust is never null. A function of a library that is not a plugin, such as `free` of
    /// the C library, is accepted.
    ///
    /// # Safety
    ///
    /// `function` points to a pointer to a function.
    pub(super) unsafe fn function<F>(self, what: &str, function: *const F) -> Result<bool, String> {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        // SAFETY: promised by the caller; a pointer to a function has the size of a number.
        let address = unsafe { function.cast::<usize>().read() };
        match self.others.iter().find(|other| other.contains(address, 1)) {
            Some(other) => Err(foreign(what, Some(other))),
            None => Ok(address != 0),
        }
    }

    /// Checks that a pointer is aligned and that `count` values there are part of the library.
    pub(super) fn place<T>(self, what: &str, data: *const T, count: usize) -> Result<(), String> {
        if !data.is_aligned() {
            return Err(format!("the pointer of {what} is not aligned"));
        }
        let Some(library) = self.library else { return Ok(()) };
        if library.contains(data.addr(), count.saturating_mul(size_of::<T>())) {
            return Ok(());
        }
        Err(foreign(what, self.others.iter().find(|other| other.contains(data.addr(), 1))))
    }

    fn array<T>(
        self,
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
        } else {
            self.place(what, data, len)
        }
    }
}

/// Describes a pointer that leaves its library.
fn foreign(what: &str, other: Option<&Mapping>) -> String {
    match other {
        Some(other) => format!(
            "{what} is part of another plugin, {}, because the loader has merged symbols of the same name, \
             which -fvisibility=hidden -fno-gnu-unique prevents",
            other.name()
        ),
        None => format!("{what} is not part of the library; expected static data of the library"),
    }
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
        assert_eq!(Reader::default().text("the name", Str::new("a\n\tb")), Ok("a\n\tb"));
        let error = Reader::default()
            .text("the name", Str::new("a\u{1b}[31m"))
            .expect_err("an escape sequence");
        assert_eq!(error, "the name has the control character U+001B");
    }
}
