//! Contacts that throw a body away.
//!
//! A contact takes speed from what hits and gives it to what is hit. Of bodies that touch each other, none
//! can come out much faster than the fastest point among them went in; where one does, the solver has made
//! energy. Groups with joints are not judged: a spring has energy of its own.

use std::collections::BTreeSet;

use super::Physics;
use super::body::{BodyState, Movable};

/// A body that a contact has thrown away.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blast {
    /// As messages name it.
    pub entity: String,
    /// Its speed before and after the step, m/s.
    pub before: f64,
    pub after: f64,
    /// Greatest speed of a point of all that touch each other, before the step, m/s.
    pub group: f64,
}

impl Physics {
    /// The first body to which contacts of the last step have given more than `gain` times what was there,
    /// and more than `margin`, m/s.
    pub fn blast(&self, gain: f64, margin: f64) -> Option<Blast> {
        let jumps = self.bodies.iter().zip(&self.before).enumerate();
        let mut suspects = jumps.filter(|(_, (movable, before))| {
            movable.held && !movable.driven && speed(&movable.state) - speed(before) > margin
        });
        suspects.find_map(|(number, (movable, before))| {
            let group = self.group_speed(number)?;
            let (before, after) = (speed(before), speed(&movable.state));
            let entity = movable.name.clone();
            (after - before > gain * group + margin).then_some(Blast {
                entity,
                before,
                after,
                group,
            })
        })
    }

    /// Greatest speed that a point of a body, or of one that it touches directly or through others, had
    /// before the step, m/s; none where nothing touches, or joints have a say.
    fn group_speed(&self, first: usize) -> Option<f64> {
        let (mut group, mut todo) = (BTreeSet::from([first]), vec![first]);
        let mut touches = false;
        while let Some(number) = todo.pop() {
            let movable = &self.bodies[number];
            if self.world.impulse_joints.attached_joints(movable.handle).next().is_some() {
                return None;
            }
            for other in self.touched(movable) {
                touches = true;
                todo.extend(other.filter(|other| group.insert(*other)));
            }
        }
        let fastest = |number: &usize| {
            let (movable, before) = (&self.bodies[*number], &self.before[*number]);
            speed(before) + before.omega.abs() * movable.radius
        };
        touches.then(|| group.iter().map(fastest).fold(0.0, f64::max))
    }

    /// What a body touches: numbers of bodies, none for what never moves.
    fn touched<'p>(&'p self, movable: &'p Movable) -> impl Iterator<Item = Option<usize>> + 'p {
        let pairs = self.world.narrow_phase.contact_pairs_with(movable.collider);
        pairs.filter(|pair| pair.has_any_active_contact()).map(|pair| {
            let other =
                if pair.collider1 == movable.collider { pair.collider2 } else { pair.collider1 };
            self.bodies.iter().position(|body| body.collider == other)
        })
    }
}

fn speed(state: &BodyState) -> f64 {
    let [vx, vy] = state.velocity;
    (vx * vx + vy * vy).sqrt()
}
