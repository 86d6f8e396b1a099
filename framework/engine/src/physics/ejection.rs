//! Detection of contacts that create energy.
//!
//! A contact takes speed from one body and gives it to another. None of the bodies that touch each
//! other can leave much faster than the fastest point among them arrived; if one does, the solver has
//! created energy. Bodies with joints are not checked, because springs store energy.

use std::collections::BTreeSet;

use super::body::{BodyState, RigidBody};
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
        let pairs = self.bodies.iter().zip(&self.before).enumerate();
        let mut suspects = pairs.filter(|(_, (body, before))| {
            body.solved && !body.kinematic && speed(&body.state) - speed(before) > margin
        });
        suspects.find_map(|(number, (body, before))| {
            let group = self.group_speed(number)?;
            let (before, after) = (speed(before), speed(&body.state));
            let entity = body.name.clone();
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
            let body = &self.bodies[number];
            if self.world.impulse_joints.attached_joints(body.handle).next().is_some() {
                return None;
            }
            for other in self.touched(body) {
                touches = true;
                todo.extend(other.filter(|other| group.insert(*other)));
            }
        }
        let fastest = |number: &usize| {
            let (body, before) = (&self.bodies[*number], &self.before[*number]);
            speed(before) + before.omega.abs() * body.radius
        };
        touches.then(|| group.iter().map(fastest).fold(0.0, f64::max))
    }

    /// Returns the numbers of the bodies that a body touches, `None` for an obstacle.
    fn touched<'p>(&'p self, body: &'p RigidBody) -> impl Iterator<Item = Option<usize>> + 'p {
        let pairs = self.world.narrow_phase.contact_pairs_with(body.collider);
        pairs.filter(|pair| pair.has_any_active_contact()).map(|pair| {
            let other =
                if pair.collider1 == body.collider { pair.collider2 } else { pair.collider1 };
            self.bodies.iter().position(|body| body.collider == other)
        })
    }
}

fn speed(state: &BodyState) -> f64 {
    let [vx, vy] = state.velocity;
    (vx * vx + vy * vy).sqrt()
}
