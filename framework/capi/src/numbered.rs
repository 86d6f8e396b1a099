//! Things of a session or an ensemble to which C has numbers.
//!
//! A number has 32 bits for the place, 16 bits for the use of the place, so that it is refused once the thing has been
//! removed, 12 bits for the owner, so that it is refused by others in nearly all cases, and 4 bits for the kind of thing.

use crate::error::{CallError, Status};

/// An allocation whose address no other owner has as long as this one exists. Sessions and ensembles move; it does not.
#[derive(Default)]
pub struct Owner(Box<u64>);

impl Owner {
    /// Returns the bits of the address that differ most.
    fn bits(&self) -> u64 {
        let address = &raw const *self.0 as u64;
        (address >> 4) ^ (address >> 16)
    }
}

/// Numbered things of one kind.
pub struct Numbered<T> {
    /// Bits of the owner and the kind, in their places.
    head: u64,
    /// The kind of thing, for errors.
    what: &'static str,
    places: Vec<Occupancy<T>>,
}

struct Occupancy<T> {
    /// Number of uses of the place so far, modulo 2¹⁶.
    uses: u16,
    thing: Option<T>,
}

impl<T> Numbered<T> {
    /// Creates an empty list. `kind` is another one for each list of an owner, from 1 to 15.
    pub fn new(what: &'static str, kind: u64, owner: &Owner) -> Self {
        let head = (kind & 0xf) << 60 | (owner.bits() & 0xfff) << 48;
        Self { head, what, places: Vec::new() }
    }

    /// Adds a thing, and returns its number.
    pub fn add(&mut self, thing: T) -> u64 {
        let free = self.places.iter().position(|place| place.thing.is_none());
        let index = free.unwrap_or(self.places.len());
        if free.is_none() {
            self.places.push(Occupancy { uses: 0, thing: None });
        }
        let place = &mut self.places[index];
        place.uses = place.uses.wrapping_add(1);
        place.thing = Some(thing);
        self.head | u64::from(place.uses) << 32 | (index as u64 & u64::from(u32::MAX))
    }

    /// Returns the thing with a number.
    ///
    /// # Errors
    /// [`Status::Handle`] if there is none.
    #[inline]
    pub fn get(&mut self, number: u64) -> Result<&mut T, CallError> {
        let Self { head, what, places } = self;
        let place = places
            .get_mut((number & u64::from(u32::MAX)) as usize)
            .filter(|place| number & !u64::from(u32::MAX) == *head | u64::from(place.uses) << 32);
        let thing = place.and_then(|place| place.thing.as_mut());
        thing.ok_or_else(|| CallError::new(Status::Handle, format!("unknown handle of {what}")))
    }

    /// Removes a thing.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn remove(&mut self, number: u64) -> Result<(), CallError> {
        self.get(number)?;
        self.places[(number & u64::from(u32::MAX)) as usize].thing = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbered, Owner};

    #[test]
    fn numbers_of_other_lists_and_of_removed_things_are_refused() {
        let (owner, other) = (Owner::default(), Owner::default());
        let mut commands = Numbered::new("a command", 1, &owner);
        let mut others = Numbered::new("a command", 1, &other);
        let mut quantities = Numbered::new("quantities", 2, &owner);
        let number = commands.add('a');
        others.add('b');
        quantities.add('c');
        assert!(matches!(commands.get(number), Ok('a')));
        assert!(others.get(number).is_err());
        assert!(quantities.get(number).is_err());
        commands.remove(number).ok();
        assert!(commands.get(number).is_err());
        let second = commands.add('d');
        assert_ne!(second, number);
        assert!(matches!(commands.get(second), Ok('d')));
        assert!(commands.get(number).is_err() && commands.get(0).is_err());
    }
}
