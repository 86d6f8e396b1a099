//! Objects that move, which are placed for an instant when the first ray asks for them.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::instance::Geometry;
use super::{Objects, Solids};

/// The objects that move.
#[derive(Debug, Default)]
pub(super) struct Moving {
    placed: OnceLock<Objects>,
    /// Objects of an earlier instant, for their memory.
    spare: Mutex<Objects>,
}

impl Clone for Moving {
    fn clone(&self) -> Self {
        Self { placed: self.placed.clone(), spare: Mutex::default() }
    }
}

impl Moving {
    /// Returns the objects. If none have been placed, there are none from now on until the next
    /// [`Self::remove`].
    #[inline]
    pub fn get(&self) -> &Objects {
        self.placed.get_or_init(Objects::default)
    }

    /// Removes all objects, and keeps their memory.
    pub fn remove(&mut self) {
        if let Some(placed) = self.placed.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = placed;
        }
    }

    /// Replaces the objects by those that `add` adds.
    pub fn replace(&mut self, geometries: &[Geometry], add: impl FnOnce(&mut Solids<'_>)) {
        self.remove();
        self.place(geometries, add);
    }

    /// Places the objects that `add` adds, unless some have been placed. Other threads wait for them.
    #[inline]
    pub fn place(&self, geometries: &[Geometry], add: impl FnOnce(&mut Solids<'_>)) {
        self.placed.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut objects = std::mem::take(&mut *spare);
            objects.replace(geometries, add);
            objects
        });
    }
}
