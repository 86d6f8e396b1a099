//! Texts that models pass to the host in pieces.

use std::ffi::c_void;

use simhost_abi::{Fault, escaped, fault_code};

/// Longest text that a call can return, bytes.
const MAX_TEXT: usize = 1 << 20;

/// Collects the text that a call returns.
#[derive(Default)]
pub struct Text {
    bytes: Vec<u8>,
    /// Description of the first piece that was not taken.
    defect: Option<String>,
}

impl Text {
    /// Returns the text without space at its ends.
    pub fn trimmed(self) -> Result<String, Fault> {
        let refused = |text: &str| Fault::new(fault_code::REFUSED, text);
        if let Some(defect) = self.defect {
            return Err(refused(&defect));
        }
        let text = String::from_utf8(self.bytes);
        let text = text.map_err(|_| refused("it writes a text that is not valid UTF-8"))?;
        Ok(escaped(text.trim()))
    }

    /// Returns the lines that are not empty.
    pub fn lines(self) -> Result<Vec<String>, Fault> {
        let text = self.trimmed()?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }
}

/// Appends a piece to a [`Text`].
///
/// # Safety
///
/// `sink` is a [`Text`], and `data` points to `len` bytes.
pub unsafe extern "C" fn write(sink: *mut c_void, data: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: promised by the caller.
    let text = unsafe { &mut *sink.cast::<Text>() };
    if data.is_null() || len > MAX_TEXT - text.bytes.len().min(MAX_TEXT) {
        let piece = if data.is_null() { " at address 0" } else { "" };
        text.defect.get_or_insert_with(|| {
            format!("it writes {len} bytes of text{piece}, expected at most {MAX_TEXT} in all")
        });
        return;
    }
    // SAFETY: as above.
    text.bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(data, len) });
}
