//! What a vehicle or a wheel remembers that is no fixed set of numbers.

use std::ffi::c_void;
use std::ops::{Deref, DerefMut};

/// Data beside the slots of a [`State`], such as a delay line or a map. The host keeps it for each
/// vehicle (or wheel), and saves and loads it for snapshots and for a rebuilt plugin.
pub trait Memory: Default + Send + 'static {
    /// Whether there is any; `()` has none.
    const PRESENT: bool = true;

    /// Everything that [`Self::load`] needs. Called between steps; may allocate.
    fn save(&self) -> Vec<u8>;

    /// Reads what `save` wrote under schema `schema` (`#[state(schema = 2)]`). The bytes may be cut
    /// or wrong: refuse them with a text that tells what is wrong.
    ///
    /// # Errors
    /// When the bytes make no sense, or come from a schema that is not known any more.
    fn load(schema: u32, bytes: &[u8]) -> Result<Self, String>;
}

impl Memory for () {
    const PRESENT: bool = false;
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    fn load(_: u32, _: &[u8]) -> Result<Self, String> {
        Ok(())
    }
}

/// Numbers, eight bytes each.
impl Memory for Vec<f64> {
    fn save(&self) -> Vec<u8> {
        self.iter().flat_map(|number| number.to_le_bytes()).collect()
    }
    fn load(_: u32, bytes: &[u8]) -> Result<Self, String> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(format!("{} bytes are no whole number of numbers", bytes.len()));
        }
        Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }
}

/// A field of a [`State`] that is kept as [`Memory`]: `#[state(memory)]`.
#[derive(Debug)]
pub struct Remembered<T>(Place<T>);

#[derive(Debug)]
enum Place<T> {
    Absent,
    Owned(Box<T>),
    /// Owned by the host, and lent for one call.
    Lent(*mut T),
}

/// The memory behind a field; for the derive macro.
#[doc(hidden)]
pub trait Remembers {
    type Memory: Memory;
}

impl<T: Memory> Remembers for Remembered<T> {
    type Memory = T;
}

impl<T> Remembered<T> {
    /// A memory of its own, for tests of a model.
    pub fn new(memory: T) -> Self {
        Self(Place::Owned(Box::new(memory)))
    }

    /// Not there yet.
    #[doc(hidden)]
    pub const fn absent() -> Self {
        Self(Place::Absent)
    }

    /// Takes what the host lends for a call.
    ///
    /// # Safety
    /// `memory` points to a `T` that nothing else touches during the call.
    #[doc(hidden)]
    pub unsafe fn lend(&mut self, memory: *mut c_void) {
        self.0 = Place::Lent(memory.cast());
    }
}

impl<T> Deref for Remembered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            Place::Owned(memory) => memory,
            // SAFETY: lent for this call alone.
            Place::Lent(memory) => unsafe { &**memory },
            Place::Absent => panic!("a memory is there during a call of the host only"),
        }
    }
}

impl<T> DerefMut for Remembered<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            Place::Owned(memory) => memory,
            // SAFETY: lent for this call alone.
            Place::Lent(memory) => unsafe { &mut **memory },
            Place::Absent => panic!("a memory is there during a call of the host only"),
        }
    }
}
