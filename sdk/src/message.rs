//! Messages of compile-time errors.

/// A text that is joined from parts at compile time.
pub(crate) struct Message {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Message {
    /// Largest number of bytes. Longer messages are cut off.
    const CAPACITY: usize = 1024;

    /// Joins the parts of a message.
    pub(crate) const fn of(parts: &[&str]) -> Self {
        let mut message = Self { bytes: [0; Self::CAPACITY], len: 0 };
        let mut part = 0;
        while part < parts.len() {
            message = message.and(parts[part]);
            part += 1;
        }
        message
    }

    /// Appends a part, unless it does not fit.
    pub(crate) const fn and(mut self, part: &str) -> Self {
        let part = part.as_bytes();
        if self.len + part.len() > Self::CAPACITY {
            return self;
        }
        let mut i = 0;
        while i < part.len() {
            self.bytes[self.len + i] = part[i];
            i += 1;
        }
        self.len += part.len();
        self
    }

    /// Returns the text.
    pub(crate) const fn as_str(&self) -> &str {
        // whole texts only, so the bytes are valid
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
