//! The form that messages are written in.

/// A number of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Bool(bool),
    U8(u8),
    I8(i8),
    U16(u16),
    I32(i32),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

/// Width of the numbers of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    F32,
    F64,
}

/// Number of elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// An array, whose length stands in the definition.
    Fixed,
    /// A sequence, whose length stands in the message.
    Variable,
}

/// Receives the fields of a message in the order of its definition. Elements of a list have empty names.
pub(super) trait Writer {
    /// Returns whether names of fields matter.
    fn has_names(&self) -> bool {
        true
    }

    /// Begins a nested message.
    fn open(&mut self, name: &str);

    /// Ends a nested message.
    fn close(&mut self);

    /// Begins a sequence of `len` messages or texts.
    fn list(&mut self, name: &str, len: usize);

    /// Ends a sequence.
    fn end(&mut self);

    /// Writes a number.
    fn number(&mut self, name: &str, value: Number);

    /// Writes a text.
    fn text(&mut self, name: &str, value: &str);

    /// Writes an array or a sequence of numbers.
    fn numbers(&mut self, name: &str, values: &[f64], width: Width, length: Length);

    /// Writes a sequence of bytes, which are signed if the definition has `int8`.
    fn bytes(&mut self, name: &str, values: &[u8], is_signed: bool);

    /// Writes a sequence of bytes that are numbers of 32 bits, little endian.
    fn packed(&mut self, name: &str, values: &[f64]);
}
