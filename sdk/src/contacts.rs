//! Contacts of the own vehicle and semantic classes, as models ask for them.

use simhost_abi::{CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService};

use crate::Step;

impl Step {
    /// Writes the contacts of the own vehicle in the last step to a buffer, up to its length, and
    /// returns them. Requires `const PERCEIVES: bool = true`; without it, and without a world, the
    /// result is empty.
    ///
    /// ```
    /// use simhost_sdk::prelude::*;
    ///
    /// /// Returns the force with which everything pushes the vehicle, N.
    /// fn push(step: &Step) -> f64 {
    ///     step.contacts(&mut [Contact::NONE; 8]).iter().map(|contact| contact.force).sum()
    /// }
    ///
    /// # fn main() {
    /// assert_eq!(push(&Step::new(0.0, 0.01)), 0.0);
    /// # }
    /// ```
    pub fn contacts<'b>(&self, buffer: &'b mut [Contact]) -> &'b [Contact] {
        // SAFETY: under this id a host answers with this table or null.
        let Some((table, context)) = (unsafe { self.service::<ContactsService>(CONTACTS_SERVICE) })
        else {
            return &[];
        };
        let (capacity, found) = (buffer.len(), buffer.as_mut_ptr());
        // SAFETY: a buffer of this capacity, and the lane is one of the call's.
        let total = unsafe { (table.query)(context, self.lane(), capacity, found) };
        &buffer[..total.min(capacity)]
    }

    /// Returns the number of the semantic class of a vehicle, a block or an actor, as `classes.csv` lists
    /// it; 0 for others and without a world. A model asks with `const PERCEIVES: bool = true`.
    pub fn class_of(&self, entity: u32) -> u32 {
        let mut class = 0;
        // SAFETY: under this id a host answers with this table or null.
        if let Some((table, context)) = unsafe { self.service::<ClassesService>(CLASSES_SERVICE) } {
            // SAFETY: one entity in, one class out.
            unsafe { (table.classify)(context, 1, &raw const entity, &raw mut class) };
        }
        class
    }
}
