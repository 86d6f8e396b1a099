//! Memory: the part of a state that does not fit into a fixed set of numbers.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
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

/// A memory in the hands of the host. One call at a time borrows it.
pub(crate) struct Slot<T> {
    is_lent: AtomicBool,
    value: UnsafeCell<T>,
}

impl<T> Slot<T> {
    /// Returns a memory for the host.
    pub fn into_host(value: T) -> *mut c_void {
        let slot = Self { is_lent: AtomicBool::new(false), value: UnsafeCell::new(value) };
        Box::into_raw(Box::new(slot)).cast()
    }

    fn borrow(&self) {
        assert!(!self.is_lent.swap(true, Ordering::Acquire), "the memory of this lane is in use");
    }

    fn release(&self) {
        self.is_lent.store(false, Ordering::Release);
    }

    /// Calls `read` with the memory.
    ///
    /// # Panics
    /// If a call borrows it, or a model has kept the state of a call.
    ///
    /// # Safety
    /// `memory` came from [`Self::into_host`] of this type.
    pub unsafe fn with<R>(memory: *const c_void, read: impl FnOnce(&T) -> R) -> R {
        // SAFETY: promised by the caller.
        let slot = unsafe { &*memory.cast::<Self>() };
        slot.borrow();
        // SAFETY: nothing else has borrowed it.
        let result = read(unsafe { &*slot.value.get() });
        slot.release();
        result
    }

    /// Drops the memory, or leaves it to a model that has kept the state of a call.
    ///
    /// # Safety
    /// As for [`Self::with`], and the host does not use the memory again.
    pub unsafe fn destroy(memory: *mut c_void) {
        let slot = memory.cast::<Self>();
        // SAFETY: promised by the caller.
        if !unsafe { &*slot }.is_lent.load(Ordering::Acquire) {
            // SAFETY: promised by the caller, and nothing has borrowed it.
            drop(unsafe { Box::from_raw(slot) });
        }
    }
}

/// A field of a [`State`](crate::State) that is kept as [`Memory`]: `#[state(memory)]`.
#[derive(Debug)]
pub struct Remembered<T>(Place<T>);

#[derive(Debug)]
enum Place<T> {
    Absent,
    Owned(Box<T>),
    /// Owned by the host, and borrowed until this value is dropped.
    Lent(*const Slot<T>),
}

impl<T> Drop for Remembered<T> {
    fn drop(&mut self) {
        if let Place::Lent(slot) = self.0 {
            // SAFETY: the host does not free a memory that is lent.
            unsafe { &*slot }.release();
        }
    }
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
        Self(Place::Owned(Box::new(memory)))
    }

    /// Returns a field without memory, as between two calls.
    #[doc(hidden)]
    pub const fn absent() -> Self {
        Self(Place::Absent)
    }

    /// Borrows the memory of the host until this value is dropped.
    ///
    /// # Panics
    ///
    /// If another state of the same lane still exists.
    ///
    /// # Safety
    ///
    /// `memory` came from the table of a model whose memory is a `T`.
    #[doc(hidden)]
    pub unsafe fn lend(&mut self, memory: *mut c_void) {
        let slot: *const Slot<T> = memory.cast_const().cast();
        // SAFETY: promised by the caller.
        unsafe { &*slot }.borrow();
        self.0 = Place::Lent(slot);
    }
}

impl<T> Deref for Remembered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            Place::Owned(memory) => memory,
            // SAFETY: lent to this value alone.
            Place::Lent(slot) => unsafe { &*(**slot).value.get() },
            Place::Absent => panic!("the memory exists only during a call of the host"),
        }
    }
}

impl<T> DerefMut for Remembered<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            Place::Owned(memory) => memory,
            // SAFETY: lent to this value alone.
            Place::Lent(slot) => unsafe { &mut *(**slot).value.get() },
            Place::Absent => panic!("the memory exists only during a call of the host"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn lent(memory: *mut c_void) -> Remembered<Vec<f64>> {
        let mut remembered: Remembered<Vec<f64>> = Remembered::absent();
        // SAFETY: the memory is one of numbers.
        unsafe { remembered.lend(memory) };
        remembered
    }

    #[test]
    fn a_memory_is_lent_once_at_a_time() {
        let memory = Slot::into_host(vec![1.0]);
        let mut first = lent(memory);
        first.push(2.0);
        let twice = std::panic::catch_unwind(|| drop(lent(memory)));
        assert_eq!(twice.unwrap_err().downcast_ref(), Some(&"the memory of this lane is in use"));
        assert_eq!(*first, [1.0, 2.0]);
        drop(first);
        assert_eq!(*lent(memory), [1.0, 2.0]);
        // SAFETY: it is one of numbers and not used again.
        unsafe { Slot::<Vec<f64>>::destroy(memory) };
    }

    /// A model can keep the state of a call, which then is not freed.
    #[test]
    fn a_memory_that_is_kept_is_not_freed() {
        let memory = Slot::into_host(vec![1.0; 100]);
        let kept = lent(memory);
        // SAFETY: it is one of numbers, and the host does not use it again.
        unsafe { Slot::<Vec<f64>>::destroy(memory) };
        assert_eq!(kept.iter().sum::<f64>(), 100.0);
        drop(kept);
        // SAFETY: nothing has freed it.
        unsafe { Slot::<Vec<f64>>::destroy(memory) };
    }
}
