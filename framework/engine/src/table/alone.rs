//! Steps that tables take without the rest of the world, while nothing but their own models acts on their vehicles.

use super::step::Table;
use crate::clock::Clock;
use crate::ground::Ground;
use crate::limits::Limits;
use crate::moment::Moment;
use crate::physics::RigidBody;

/// Steps of tables without the rest of the world.
pub(crate) struct StepsAlone<'w> {
    /// Clock at the start of the first step.
    pub start: Clock,
    /// Number of substeps of a step.
    pub substeps: u32,
    /// Seed of the run.
    pub seed: u64,
    /// The ground, which is level.
    pub ground: &'w Ground,
    /// Limits beyond which a state counts as diverged.
    pub limits: &'w Limits,
}

/// Decides what happens where a step cannot be completed without the rest of the world.
pub(crate) trait Interruptions<B> {
    /// Called in a substep of `dt` seconds in which a body leaves the circle of its last neighbour search. Returns
    /// whether the step goes on.
    fn leave_search(&mut self, tables: &mut [Table], bodies: &mut [B], dt: f64) -> bool;

    /// Called at the end of a step in which a model has faulted or a state has diverged. Returns whether the next step
    /// follows.
    fn end_unsound(&mut self, tables: &mut [Table], bodies: &mut [B]) -> bool;
}

/// Ends the steps at the first interruption.
pub(crate) struct EndAtFirst;

impl<B> Interruptions<B> for EndAtFirst {
    fn leave_search(&mut self, _: &mut [Table], _: &mut [B], _: f64) -> bool {
        false
    }

    fn end_unsound(&mut self, _: &mut [Table], _: &mut [B]) -> bool {
        false
    }
}

impl StepsAlone<'_> {
    /// Takes `count` steps with tables, each of which has the bodies of the same index. Returns the index of the step
    /// in which the steps end early.
    pub fn run<B: AsMut<[RigidBody]>>(
        &self,
        count: u64,
        tables: &mut [Table],
        bodies: &mut [B],
        interruptions: &mut impl Interruptions<B>,
    ) -> Option<u64> {
        let moment = |clock: Clock| Moment::new(clock, self.seed, self.ground);
        (0..count).find(|step| {
            let step = moment(Clock { steps: self.start.steps + step, ..self.start });
            for part in 0..self.substeps {
                let clock = step.clock.substep(part, self.substeps);
                let divided = (self.substeps > 1).then(|| moment(clock).divided(self.substeps));
                let moments = [&step, divided.as_ref().unwrap_or(&step)];
                let mut leave = false;
                for (table, bodies) in tables.iter_mut().zip(&mut *bodies) {
                    table.begin_substep(moments, part == 0, bodies.as_mut());
                    leave |= table.leaves_search;
                }
                if leave && !interruptions.leave_search(tables, bodies, clock.dt) {
                    return true;
                }
                for (table, bodies) in tables.iter_mut().zip(&mut *bodies) {
                    table.finish_substep(clock.dt, bodies.as_mut());
                }
            }
            let mut is_sound = true;
            for (table, bodies) in tables.iter_mut().zip(&mut *bodies) {
                table.post(&step, bodies.as_mut());
                table.check_states(self.limits, bodies.as_mut());
                is_sound &= table.is_sound && !table.has_failed() && !table.has_faults();
            }
            !is_sound && !interruptions.end_unsound(tables, bodies)
        })
    }
}
