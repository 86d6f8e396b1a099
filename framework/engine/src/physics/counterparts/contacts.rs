//! Contacts and joints of bodies in rapier.

use rapier2d_f64::prelude::*;

use super::Counterparts;

impl Counterparts {
    /// Returns the number of the body with a collider, or `None` for an obstacle.
    pub fn body_of(&self, collider: ColliderHandle) -> Option<usize> {
        let index = |collider: ColliderHandle| collider.into_raw_parts().0;
        // rapier's colliders are in the order of the bodies, and are removed only all at once
        let found = self.bodies.binary_search_by_key(&index(collider), |own| index(own.collider));
        found.ok().filter(|number| self.bodies[*number].collider == collider)
    }

    /// Returns rapier's records of the colliders that are close to a body.
    pub fn pairs(&self, number: usize) -> impl Iterator<Item = &ContactPair> {
        self.world.narrow_phase.contact_pairs_with(self.collider(number))
    }

    /// Returns the other collider of a pair in which a body has one.
    pub fn partner(&self, pair: &ContactPair, number: usize) -> ColliderHandle {
        if pair.collider1 == self.collider(number) { pair.collider2 } else { pair.collider1 }
    }

    /// Returns the numbers of the bodies that a body touches, `None` for an obstacle.
    pub fn touched(&self, number: usize) -> impl Iterator<Item = Option<usize>> {
        let pairs = self.pairs(number).filter(|pair| pair.has_any_active_contact());
        pairs.map(move |pair| self.body_of(self.partner(pair, number)))
    }

    /// Returns whether a body has a joint.
    pub fn has_joint(&self, number: usize) -> bool {
        self.world.impulse_joints.attached_joints(self.body(number)).next().is_some()
    }

    /// Returns whether a joint links a body to the body or obstacle with the handle `other`. The two do not collide then.
    pub fn are_joined(&self, number: usize, other: RigidBodyHandle) -> bool {
        let mut attached = self.world.impulse_joints.attached_joints(self.body(number));
        attached.any(|(a, b, ..)| a == other || b == other)
    }
}
