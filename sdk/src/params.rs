//! Parameters: from the values of a world file to the fields of a struct.

use simhost_abi::{ParamDesc, ParamKind, ParamScaling, Slice, Str, Value, value_tag};

use crate::lanes::{LaneCopy, PerLane};

/// The parameters of a model. Derived; see [`macro@crate::Params`].
pub trait Params: Send + Sync + Sized + 'static {
    /// Description of the model: the doc comment of the struct.
    const DOC: &'static str;
    /// Declarations of the parameters.
    const PARAMS: &'static [ParamDesc];
    /// Further names of the class in world files.
    const ALIASES: &'static [Str] = &[];
    /// Exponents of the parameters under the laws of `<scale>`, in the order of [`Self::PARAMS`]; empty if
    /// none are declared.
    const SCALINGS: &'static [ParamScaling] = &[];
    /// Reads values in the order of [`Self::PARAMS`].
    fn read(values: &[Value]) -> Self;
    /// Number of parameters that can differ between the lanes of a call.
    #[doc(hidden)]
    const PER_LANE: PerLane = PerLane::NONE;
    /// Sets these parameters to the values `get(0)`, `get(1)` and so on, in the order of
    /// [`Self::PARAMS`].
    #[doc(hidden)]
    fn set_lane(&mut self, _get: impl Fn(usize) -> f64) {}
}

/// A type that a parameter can have.
pub trait ParamValue: Sized {
    /// Kind of the parameter in a world file.
    const KIND: ParamKind;
    /// Exact number of items of a list, 0 for any.
    const COUNT: u32 = 0;
    /// Whether a value that the world file does not give is 0.
    #[doc(hidden)]
    const ZERO_IF_ABSENT: bool = false;
    /// Names of a choice.
    const CHOICES: &'static [Str] = &[];
    /// Parameters of a group.
    const CHILDREN: &'static [ParamDesc] = &[];
    /// Exponents of the parameters of a group.
    #[doc(hidden)]
    const SCALINGS: &'static [ParamScaling] = &[];
    /// Reads a value that the host has checked against the declaration.
    fn read(value: &Value) -> Self;
}

impl ParamValue for f64 {
    const KIND: ParamKind = ParamKind::Number;
    const ZERO_IF_ABSENT: bool = true;
    fn read(value: &Value) -> Self {
        value.number
    }
}

impl ParamValue for bool {
    const KIND: ParamKind = ParamKind::Bool;
    fn read(value: &Value) -> Self {
        value.number != 0.0
    }
}

/// Integers. The host rejects values out of the declared range; the cast saturates.
macro_rules! integers {
    ($($ty:ty),*) => { $(
        impl ParamValue for $ty {
            const KIND: ParamKind = ParamKind::Integer;
            const ZERO_IF_ABSENT: bool = true;
            fn read(value: &Value) -> Self {
                value.number as $ty
            }
        }
    )* };
}

integers!(u32, i32, u64, i64, usize);

impl ParamValue for String {
    const KIND: ParamKind = ParamKind::Text;
    fn read(value: &Value) -> Self {
        // SAFETY: the host keeps the text alive during `create`.
        unsafe { value.text.as_str() }.to_string()
    }
}

/// A text file that a world file names, read by the host.
///
/// The host resolves the path relative to the world file, reads at most 1 MiB of a regular file, and
/// replaces bytes that are not UTF-8 by U+FFFD. A model never opens files itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextFile {
    /// Absolute path, for messages.
    pub path: String,
    /// Contents.
    pub text: String,
}

// SAFETY: the type consists of texts.
unsafe impl LaneCopy for TextFile {}

impl ParamValue for TextFile {
    const KIND: ParamKind = ParamKind::File;
    fn read(value: &Value) -> Self {
        // SAFETY: the host keeps the items alive during `create`.
        let mut parts = unsafe { value.items.as_slice() }.iter().map(String::read);
        let mut next = || parts.next().unwrap_or_default();
        Self { path: next(), text: next() }
    }
}

/// A file of any content that a world file names, read by the host.
///
/// The host resolves the path relative to the world file, and reads at most 64 MiB of a regular
/// file. A model never opens files itself. `Vec<Option<BinaryFile>>` is a list of such files, whose
/// paths are separated by spaces or commas; `-` means no file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryFile {
    /// Absolute path, for messages.
    pub path: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

// SAFETY: the type consists of a text and bytes.
unsafe impl LaneCopy for BinaryFile {}

impl ParamValue for BinaryFile {
    const KIND: ParamKind = ParamKind::BinaryFile;
    fn read(value: &Value) -> Self {
        // SAFETY: the host keeps the items alive during `create`.
        let parts = unsafe { value.items.as_slice() };
        let path = parts.first().map(String::read).unwrap_or_default();
        // SAFETY: as above.
        let bytes = parts.get(1).map(|bytes| unsafe { bytes.text.as_bytes() });
        Self { path, bytes: bytes.unwrap_or_default().to_vec() }
    }
}

impl ParamValue for Vec<Option<BinaryFile>> {
    const KIND: ParamKind = ParamKind::BinaryFiles;
    fn read(value: &Value) -> Self {
        // SAFETY: the host keeps the items alive during `create`.
        unsafe { value.items.as_slice() }.iter().map(Option::read).collect()
    }
}

/// Words separated by spaces or commas.
impl ParamValue for Vec<String> {
    const KIND: ParamKind = ParamKind::Words;
    fn read(value: &Value) -> Self {
        // SAFETY: the host keeps the items alive during `create`.
        unsafe { value.items.as_slice() }.iter().map(String::read).collect()
    }
}

impl<T: ParamValue> ParamValue for Option<T> {
    const KIND: ParamKind = T::KIND;
    const COUNT: u32 = T::COUNT;
    const CHOICES: &'static [Str] = T::CHOICES;
    const CHILDREN: &'static [ParamDesc] = T::CHILDREN;
    const SCALINGS: &'static [ParamScaling] = T::SCALINGS;
    fn read(value: &Value) -> Self {
        (value.tag != value_tag::NONE).then(|| T::read(value))
    }
}

impl ParamValue for Vec<f64> {
    const KIND: ParamKind = ParamKind::List;
    fn read(value: &Value) -> Self {
        numbers(value.items).collect()
    }
}

/// A list of groups, written as one element per group.
impl<T: Params + ParamValue> ParamValue for Vec<T> {
    const KIND: ParamKind = ParamKind::List;
    const CHILDREN: &'static [ParamDesc] = T::PARAMS;
    const SCALINGS: &'static [ParamScaling] = <T as Params>::SCALINGS;
    fn read(value: &Value) -> Self {
        // SAFETY: the host keeps the items alive during `create`.
        unsafe { value.items.as_slice() }.iter().map(<T as ParamValue>::read).collect()
    }
}

impl<const N: usize> ParamValue for [f64; N] {
    const KIND: ParamKind = ParamKind::List;
    const COUNT: u32 = N as u32;
    const ZERO_IF_ABSENT: bool = true;
    fn read(value: &Value) -> Self {
        let mut numbers = numbers(value.items);
        std::array::from_fn(|_| numbers.next().unwrap_or_default())
    }
}

fn numbers<'a>(items: Slice<Value>) -> impl Iterator<Item = f64> + 'a {
    // SAFETY: the host keeps the items alive during `create`.
    unsafe { items.as_slice() }.iter().map(|item| item.number)
}
