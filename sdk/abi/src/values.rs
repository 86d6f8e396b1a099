//! Texts, slices, values, and declarations of parameters.

use crate::numbered::numbered;

boundary! {
    /// UTF-8 text that outlives the library. It is not terminated and never null.
    pub struct Str {
        /// First byte.
        pub data: *const u8,
        /// Length in bytes.
        pub len: usize,
    }

    /// The value of one parameter, as the host passes it to `create`.
    pub struct Value {
        /// One of [`value_tag`].
        pub tag: u32,
        /// Zero.
        pub reserved: u32,
        /// The number in SI units, or 0 or 1 for a boolean.
        pub number: f64,
        /// The text, the name of a choice, or an absolute path.
        pub text: Str,
        /// Items of a list, or the values of a group in the order of its declaration.
        pub items: Slice<Value>,
    }

    /// The declaration of one parameter.
    pub struct ParamDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// One of [`ParamKind`].
        pub kind: u32,
        /// Bits of [`param_flag`].
        pub flags: u32,
        /// Exact number of items of a list, 0 for any number.
        pub count: u32,
        /// Name of the child element or attribute in the world file.
        pub key: Str,
        /// Other names that are accepted.
        pub aliases: Slice<Str>,
        /// Meaning, and the effect of a larger value.
        pub doc: Str,
        /// Unit in the world file; "1" for a pure number.
        pub unit: Str,
        /// Factor from the unit of the world file to the unit of the model.
        pub scale: f64,
        /// Smallest value allowed, in the unit of the world file.
        pub min: f64,
        /// Largest value allowed, in the unit of the world file.
        pub max: f64,
        /// Value when the world file gives none, in the unit of the world file.
        pub default: Value,
        /// Names of a choice.
        pub choices: Slice<Str>,
        /// Parameters of a group.
        pub children: Slice<ParamDesc>,
    }
}

/// A borrowed array.
#[repr(C)]
#[cfg_attr(any(test, feature = "stable-abi"), derive(abi_stable::StableAbi))]
pub struct Slice<T> {
    /// First item; not read when `len` is 0.
    pub data: *const T,
    /// Number of items.
    pub len: usize,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slice<T> {}

impl<T> Slice<T> {
    /// Wraps static data.
    pub const fn new(items: &'static [T]) -> Self {
        Self { data: items.as_ptr(), len: items.len() }
    }

    /// Wraps data that the caller keeps alive for as long as the slice is read.
    pub const fn borrowed(items: &[T]) -> Self {
        Self { data: items.as_ptr(), len: items.len() }
    }

    /// Returns the items.
    ///
    /// # Safety
    ///
    /// `data` points to `len` items that are valid and unchanged for `'a`.
    pub const unsafe fn as_slice<'a>(&self) -> &'a [T] {
        if self.len == 0 || self.data.is_null() {
            &[]
        } else {
            // SAFETY: promised by the caller.
            unsafe { std::slice::from_raw_parts(self.data, self.len) }
        }
    }
}

impl Str {
    /// Wraps static text.
    pub const fn new(text: &'static str) -> Self {
        Self { data: text.as_ptr(), len: text.len() }
    }

    /// Wraps text that the caller keeps alive for as long as it is read.
    pub const fn borrowed(text: &str) -> Self {
        Self { data: text.as_ptr(), len: text.len() }
    }

    /// Returns the bytes of the text.
    ///
    /// # Safety
    ///
    /// `data` points to `len` bytes that are valid and unchanged for `'a`.
    pub const unsafe fn as_bytes<'a>(&self) -> &'a [u8] {
        if self.len == 0 || self.data.is_null() {
            return &[];
        }
        // SAFETY: promised by the caller.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }

    /// Returns the text, or an empty text if a plugin passes bytes that are not UTF-8.
    ///
    /// # Safety
    ///
    /// `data` points to `len` bytes that are valid and unchanged for `'a`.
    pub const unsafe fn as_str<'a>(&self) -> &'a str {
        // SAFETY: promised by the caller.
        match std::str::from_utf8(unsafe { self.as_bytes() }) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// Variants of a [`Value`].
pub mod value_tag {
    /// No value: the world file gives none and the parameter has no default.
    pub const NONE: u32 = 0;
    /// A number in `number`.
    pub const NUMBER: u32 = 1;
    /// 0 or 1 in `number`.
    pub const BOOL: u32 = 2;
    /// Text in `text`: a text, a choice or a path.
    pub const TEXT: u32 = 3;
    /// Values in `items`: a list, a group or a file.
    pub const ITEMS: u32 = 4;
}

/// Properties of a parameter.
pub mod param_flag {
    /// The world file has to give a value.
    pub const REQUIRED: u32 = 1;
    /// `min` itself is excluded.
    pub const ABOVE_MIN: u32 = 2;
    /// `max` itself is excluded.
    pub const BELOW_MAX: u32 = 4;
    /// A number that can differ between the lanes of one instance: each phase that depends on it reads
    /// it as an input with [`port_flag::PARAMETER`](crate::port_flag::PARAMETER).
    pub const PER_LANE: u32 = 8;
}

/// Kinds of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ParamKind {
    /// A real number.
    Number = 1,
    /// An integer.
    Integer = 2,
    /// `true`, `false`, `1` or `0`.
    Bool = 3,
    /// Free text.
    Text = 4,
    /// One of the names in `choices`.
    Choice = 5,
    /// The path of a file, relative to the world file that names it.
    Path = 6,
    /// Numbers separated by spaces or commas.
    List = 7,
    /// An element that contains parameters.
    Group = 8,
    /// A text file, relative to the world file that names it. The host reads it: `items` holds two
    /// texts, the absolute path and the contents.
    File = 9,
    /// A file of any content, relative to the world file that names it. The host reads it: `items` holds
    /// the absolute path as a text, and the bytes in `text`, which need not be UTF-8.
    BinaryFile = 10,
    /// Words separated by spaces or commas: `items` holds texts.
    Words = 11,
    /// Paths of files as of [`Self::BinaryFile`], separated by spaces or commas: each item is like the
    /// value of such a parameter, or no value for `-`.
    BinaryFiles = 12,
}

numbered! { ParamKind: Number, Integer, Bool, Text, Choice, Path, List, Group, File, BinaryFile, Words, BinaryFiles }

impl Value {
    /// No value.
    pub const NONE: Self = Self {
        tag: value_tag::NONE,
        reserved: 0,
        number: 0.0,
        text: Str::new(""),
        items: Slice::new(&[]),
    };

    /// A number.
    pub const fn number(number: f64) -> Self {
        Self { tag: value_tag::NUMBER, number, ..Self::NONE }
    }

    /// A boolean.
    pub const fn boolean(value: bool) -> Self {
        Self { tag: value_tag::BOOL, number: value as u8 as f64, ..Self::NONE }
    }

    /// Text that the caller keeps alive for as long as the value is read.
    pub const fn text(text: Str) -> Self {
        Self { tag: value_tag::TEXT, text, ..Self::NONE }
    }

    /// Values that the caller keeps alive for as long as the value is read.
    pub const fn items(items: Slice<Value>) -> Self {
        Self { tag: value_tag::ITEMS, items, ..Self::NONE }
    }
}

// SAFETY: the pointers are to static, immutable data (descriptors) or to data that the host keeps
// alive and unchanged during the call that reads it.
unsafe impl Sync for Str {}
// SAFETY: as above.
unsafe impl Send for Str {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Slice<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Send for Slice<T> {}
