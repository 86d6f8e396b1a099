//! Detection of contacts that create energy.
//!
//! A contact takes speed from one body and gives it to another. None of the bodies that touch each
//! other can leave much faster than the fastest point among them arrived; if one does, the solver has
//! created energy. Bodies with joints are not checked, because springs store energy.

use std::collections::BTreeSet;

use super::bodies::Bodies;
use super::solver::Solver;

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

impl Solver {
    /// Returns the first body that contacts of the last step have accelerated by more than `gain`
    /// times the speed of its group plus `margin`, m/s.
    pub fn ejection(&self, bodies: &Bodies, gain: f64, margin: f64) -> Option<Ejection> {
        let solved = self.solved.iter().zip(&self.before);
        let mut suspects = solved.filter(|(number, before)| {
            let (body, info) = (&bodies[**number], &bodies.infos[**number]);
            !info.is_kinematic()
                && !info.is_prescribed
                && body.state.speed() - before.speed() > margin
        });
        suspects.find_map(|(&number, before)| {
            let group = self.group_speed(bodies, number)?;
            let (before, after) = (before.speed(), bodies[number].state.speed());
            let entity = bodies.infos[number].name.clone();
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
    fn group_speed(&self, bodies: &Bodies, first: usize) -> Option<f64> {
        let (mut group, mut todo) = (BTreeSet::from([first]), vec![first]);
        let mut touches = false;
        while let Some(number) = todo.pop() {
            if self.counterparts.has_joint(number) {
                return None;
            }
            for other in self.counterparts.touched(number) {
                touches = true;
                todo.extend(other.filter(|other| group.insert(*other)));
            }
        }
        let fastest = |number: &usize| {
            // a body that touches another is solved
            let position = self.solved.binary_search(number);
            let before = position.map_or(&bodies[*number].state, |k| &self.before[k]);
            before.top_speed(bodies.infos[*number].radius)
        };
        touches.then(|| group.iter().map(fastest).fold(0.0, f64::max))
    }
}
