//! Objects that move, which are placed for an instant when the first ray asks for them.

use std::sync::{Mutex, OnceLock, PoisonError};

/// The objects that move.
#[derive(Debug, Default)]
pub(super) struct Moving<T> {
    placed: OnceLock<T>,
    /// Objects of an earlier instant, for their memory.
    spare: Mutex<T>,
}

impl<T: Clone + Default> Clone for Moving<T> {
    fn clone(&self) -> Self {
        Self { placed: self.placed.clone(), spare: Mutex::default() }
    }
}

impl<T: Default> Moving<T> {
    /// Returns the objects. If none have been placed, there are none from now on until the next
    /// [`Self::remove`].
    #[inline]
    pub fn get(&self) -> &T {
        self.placed.get_or_init(T::default)
    }

    /// Removes all objects, and keeps their memory.
    pub fn remove(&mut self) {
        if let Some(placed) = self.placed.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = placed;
        }
    }

    /// Places objects by `fill`, unless some have been placed. Other threads wait for them.
    #[inline]
    pub fn place(&self, fill: impl FnOnce(&mut T)) {
        self.placed.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut objects = std::mem::take(&mut *spare);
            fill(&mut objects);
            objects
        });
    }
}
