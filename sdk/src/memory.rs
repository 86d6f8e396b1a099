//! Memory: the part of a state that does not fit into a fixed set of numbers.

use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Owned by the host and borrowed by this value alone, which marks it until it is dropped.
    Lent(NonNull<Held<T>>),
    /// Owned by the host and read by several calls.
    Shared(NonNull<Held<T>>),
}

/// A memory in the hands of the host, with a mark while a state of the model borrows it. Safe code can keep
/// a state beyond its call or request the same state twice; the mark turns both into a panic.
#[derive(Debug)]
pub(crate) struct Held<T> {
    is_lent: AtomicBool,
    memory: T,
}

/// Owner of a memory to which the host has a pointer.
#[derive(Debug)]
pub(crate) struct MemoryOwner<T>(NonNull<Held<T>>);

// SAFETY: the owner is the only one with access, except for a state that borrows the memory, which is not `Send`.
unsafe impl<T: Send> Send for MemoryOwner<T> {}

impl<T> MemoryOwner<T> {
    /// Takes a memory.
    pub(crate) fn new(memory: T) -> Self {
        let held = Box::new(Held { is_lent: AtomicBool::new(false), memory });
        Self(NonNull::from(Box::leak(held)))
    }

    /// Takes a memory back from the host.
    ///
    /// # Safety
    ///
    /// `memory` came from [`Self::into_pointer`] of this type and is not used again.
    pub(crate) unsafe fn from_pointer(memory: *mut c_void) -> Self {
        // SAFETY: promised by the caller; such a pointer is not null.
        Self(unsafe { NonNull::new_unchecked(memory.cast()) })
    }

    /// Hands the memory over to the host.
    pub(crate) fn into_pointer(self) -> *mut c_void {
        let pointer = self.pointer();
        std::mem::forget(self);
        pointer
    }

    /// Returns the pointer by which phases find the memory.
    pub(crate) fn pointer(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }
}

impl<T> Drop for MemoryOwner<T> {
    fn drop(&mut self) {
        // SAFETY: the memory lives as long as its owner.
        if unsafe { self.0.as_ref() }.is_lent.load(Ordering::Acquire) {
            // a state that was kept beyond its call still refers to it
            return;
        }
        // SAFETY: it came from a box, and nothing refers to it.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Returns a memory of the host, to save it.
///
/// # Errors
///
/// If a state that the model has kept beyond its call borrows it.
///
/// # Safety
///
/// `memory` came from [`MemoryOwner`] of this type, and no call uses it meanwhile.
pub(crate) unsafe fn saved<'a, T>(memory: *const c_void) -> Result<&'a T, String> {
    // SAFETY: promised by the caller.
    let held = unsafe { &*memory.cast::<Held<T>>() };
    match held.is_lent.load(Ordering::Acquire) {
        true => Err(IN_USE.to_owned()),
        false => Ok(&held.memory),
    }
}

/// Error about a memory that is borrowed twice.
const IN_USE: &str = "the state of this lane is already in use: drop it before the lane is used again, and do not keep it \
                      beyond the call";

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

    /// Borrows the memory of the host for a call, alone or together with calls on other threads.
    ///
    /// # Panics
    ///
    /// If another state borrows it.
    ///
    /// # Safety
    ///
    /// `memory` came from the `create` or `load` of this type. No other call uses it, except for calls that
    /// share it.
    #[doc(hidden)]
    pub unsafe fn lend(&mut self, memory: *mut c_void, is_shared: bool) {
        // SAFETY: promised by the caller; such a pointer is not null.
        let held: NonNull<Held<T>> = unsafe { NonNull::new_unchecked(memory.cast()) };
        // SAFETY: as above.
        let is_lent = unsafe { &held.as_ref().is_lent };
        assert!(!is_lent.load(Ordering::Acquire), "{IN_USE}");
        if is_shared {
            self.0 = MemoryPlace::Shared(held);
        } else {
            is_lent.store(true, Ordering::Relaxed);
            self.0 = MemoryPlace::Lent(held);
        }
    }
}

impl<T> Deref for Remembered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            MemoryPlace::Owned(memory) => memory,
            // SAFETY: the mark keeps the memory alive, and others away.
            MemoryPlace::Lent(held) => &unsafe { held.as_ref() }.memory,
            // SAFETY: the state is lent for the call by reference, and no call changes the memory.
            MemoryPlace::Shared(held) => &unsafe { held.as_ref() }.memory,
            MemoryPlace::Absent => panic!("the memory exists only during a call of the host"),
        }
    }
}

impl<T> DerefMut for Remembered<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            MemoryPlace::Owned(memory) => memory,
            // SAFETY: the mark keeps the memory alive, and others away.
            MemoryPlace::Lent(held) => &mut unsafe { held.as_mut() }.memory,
            MemoryPlace::Shared(_) => panic!("a memory that several calls share cannot change"),
            MemoryPlace::Absent => panic!("the memory exists only during a call of the host"),
        }
    }
}

impl<T> Drop for Remembered<T> {
    fn drop(&mut self) {
        if let MemoryPlace::Lent(held) = &self.0 {
            // SAFETY: the mark keeps the memory alive.
            unsafe { held.as_ref() }.is_lent.store(false, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests;
