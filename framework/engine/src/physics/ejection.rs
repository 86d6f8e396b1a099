//! Detection of contacts that create energy.
//!
//! A contact takes speed from one body and gives it to another. None of the bodies that touch each
//! other can leave much faster than the fastest point among them arrived; if one does, the solver has
//! created energy. Bodies with joints are not checked, because springs store energy.

use std::collections::BTreeSet;

use rapier2d_f64::prelude::{ColliderHandle, ContactPair};

use super::body::BodyInfo;
use super::world::Physics;

/// A body that a contact has accelerated beyond reason.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ejection {
    /// Name of the body as messages show it.
    pub entity: String,
    /// Speed of the body before the step, m/s.
    pub before: f64,
    /// Speed of the body after the step, m/s.
    pub after: f64,
    /// Greatest speed of a point of all bodies that touch each other, before the step, m/s.
    pub group: f64,
}

impl Physics {
    /// Returns the first body that contacts of the last step have accelerated by more than `gain`
    /// times the speed of its group plus `margin`, m/s.
    pub fn ejection(&self, gain: f64, margin: f64) -> Option<Ejection> {
        let solved = self.solved.iter().zip(&self.before);
        let mut suspects = solved.filter(|(number, before)| {
            let (body, info) = (&self.bodies[**number], &self.infos[**number]);
            !info.is_kinematic()
                && !info.is_prescribed
                && body.state.speed() - before.speed() > margin
        });
        suspects.find_map(|(&number, before)| {
            let group = self.group_speed(number)?;
            let (before, after) = (before.speed(), self.bodies[number].state.speed());
            let entity = self.infos[number].name.clone();
            (after - before > gain * group + margin).then_some(Ejection {
                entity,
                before,
                after,
                group,
            })
        })
    }

    /// Returns the greatest speed that a point of a body, or of a body that it touches directly or
    /// through others, had before the step, m/s. Returns `None` if nothing touches or a body of the
    /// group has a joint.
    fn group_speed(&self, first: usize) -> Option<f64> {
        let (mut group, mut todo) = (BTreeSet::from([first]), vec![first]);
        let mut touches = false;
        while let Some(number) = todo.pop() {
            let info = &self.infos[number];
            if self.world.impulse_joints.attached_joints(info.handle).next().is_some() {
                return None;
            }
            for other in self.touched(info) {
                touches = true;
                todo.extend(other.filter(|other| group.insert(*other)));
            }
        }
        let fastest = |number: &usize| {
            // a body that touches another is solved
            let position = self.solved.binary_search(number);
            let before = position.map_or(&self.bodies[*number].state, |k| &self.before[k]);
            before.top_speed(self.infos[*number].radius)
        };
        touches.then(|| group.iter().map(fastest).fold(0.0, f64::max))
    }

    /// Returns the numbers of the bodies that a body touches, `None` for an obstacle.
    pub(super) fn touched<'p>(
        &'p self,
        body: &'p BodyInfo,
    ) -> impl Iterator<Item = Option<usize>> + 'p {
        let pairs = self.world.narrow_phase.contact_pairs_with(body.collider);
        let pairs = pairs.filter(|pair| pair.has_any_active_contact());
        pairs.map(|pair| self.body_of(partner(pair, body.collider)))
    }

    /// Returns the number of the body with a collider, or `None` for an obstacle.
    pub(super) fn body_of(&self, collider: ColliderHandle) -> Option<usize> {
        let index = |collider: ColliderHandle| collider.into_raw_parts().0;
        // rapier's colliders are in the order of the bodies, and are removed only all at once
        let found = self.infos.binary_search_by_key(&index(collider), |body| index(body.collider));
        found.ok().filter(|number| self.infos[*number].collider == collider)
    }
}

/// Returns the other collider of a pair.
pub(super) fn partner(pair: &ContactPair, own: ColliderHandle) -> ColliderHandle {
    if pair.collider1 == own { pair.collider2 } else { pair.collider1 }
}
