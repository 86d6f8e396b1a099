//! Memory: the part of a state that does not fit into a fixed set of numbers.

use std::ffi::c_void;
use std::ops::{Deref, DerefMut};

/// Data of a vehicle or wheel that does not fit into the slots of a [`State`](crate::State), such
/// as a delay line or a map. The host owns it, and saves and loads it for snapshots, forks, and a
/// plugin that replaces an older one.
pub trait Memory: Default + Send + 'static {
    /// Whether there is any memory; false for `()` alone.
    const PRESENT: bool = true;

    /// Returns the bytes that [`Self::load`] needs.
    ///
    /// Called between steps, on any thread. It can allocate.
    fn save(&self) -> Vec<u8>;

    /// Loads bytes that `save` wrote under schema `schema`, as in `#[state(schema = 2)]`. The bytes
    /// can be truncated or damaged.
    ///
    /// # Errors
    ///
    /// A message for the user when the bytes are invalid or of a schema that is not supported.
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

/// Each number takes eight bytes, least significant first.
impl Memory for Vec<f64> {
    fn save(&self) -> Vec<u8> {
        self.iter().flat_map(|number| number.to_le_bytes()).collect()
    }
    fn load(_: u32, bytes: &[u8]) -> Result<Self, String> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(format!("found {} bytes, expected a multiple of 8", bytes.len()));
        }
        Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }
}

/// A field of a [`State`](crate::State) that is kept as [`Memory`]: `#[state(memory)]`.
#[derive(Debug)]
pub struct Remembered<T>(MemoryPlace<T>);

#[derive(Debug)]
enum MemoryPlace<T> {
    Absent,
    Owned(Box<T>),
    /// Owned by the host and borrowed for one call.
    Lent(*mut T),
}

/// The memory type of a field, for the derive macro.
#[doc(hidden)]
pub trait Remembers {
    type Memory: Memory;
}

impl<T: Memory> Remembers for Remembered<T> {
    type Memory = T;
}

impl<T> Remembered<T> {
    /// Returns a memory that the field owns, for tests of a model.
    pub fn new(memory: T) -> Self {
        Self(MemoryPlace::Owned(Box::new(memory)))
    }

    /// Returns a field without memory, as between two calls.
    #[doc(hidden)]
    pub const fn absent() -> Self {
        Self(MemoryPlace::Absent)
    }

    /// Borrows the memory of the host for a call.
    ///
    /// # Safety
    ///
    /// `memory` points to a `T` that nothing else accesses during the call.
    #[doc(hidden)]
    pub unsafe fn lend(&mut self, memory: *mut c_void) {
        self.0 = MemoryPlace::Lent(memory.cast());
    }
}

impl<T> Deref for Remembered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            MemoryPlace::Owned(memory) => memory,
            // SAFETY: lent for this call alone.
            MemoryPlace::Lent(memory) => unsafe { &**memory },
            MemoryPlace::Absent => panic!("the memory exists only during a call of the host"),
        }
    }
}

impl<T> DerefMut for Remembered<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            MemoryPlace::Owned(memory) => memory,
            // SAFETY: lent for this call alone.
            MemoryPlace::Lent(memory) => unsafe { &mut **memory },
            MemoryPlace::Absent => panic!("the memory exists only during a call of the host"),
        }
    }
}
