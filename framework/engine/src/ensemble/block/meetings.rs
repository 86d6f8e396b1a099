//! Members of a block whose bodies rapier moves, because something is near. Each has a world of rapier for itself.

use super::{Block, BlockRun};
use crate::ensemble::member::EnsembleMember;
use crate::ensemble::past::{Meeting, Past};
use crate::limits::Limits;
use crate::physics::Physics;
use crate::simulation::Simulation;

impl Block {
    /// Prepares members whose bodies rapier moves for a run.
    pub(super) fn begin_meetings(&mut self, run: &BlockRun<'_>) {
        let mut meeting = std::mem::take(&mut self.meeting);
        meeting.retain(|met| !met.has_ended);
        for Meeting { slot, past, .. } in &mut meeting {
            let member = self.slots.member(*slot).map(|index| &run.members[index]);
            if past.needs_world() {
                let encounter = member.and_then(|member| member.encounter.as_ref());
                let copy = encounter.map(|physics| physics.duplicate());
                let copy = copy.transpose().expect("members have no joints");
                past.begin(copy.map(Box::new));
            }
            past.push(run.count, |image| self.save(*slot, image));
        }
        self.meeting = meeting;
    }

    /// Returns the last runs of the member in a slot, if rapier moved its bodies before or in the last one.
    pub fn take_past(&mut self, slot: usize) -> Option<Past> {
        let found = self.meeting.iter().position(|met| met.slot == slot)?;
        Some(self.meeting.swap_remove(found).past)
    }

    /// Returns whether rapier moves the bodies of the member in a slot.
    pub(super) fn meets(&self, slot: usize) -> bool {
        self.meeting.iter().any(|met| met.slot == slot && !met.has_ended)
    }

    /// Lets rapier move the bodies of the member in a slot from the present substep on.
    pub(super) fn begin_meeting(
        &mut self,
        slot: usize,
        run: &BlockRun<'_>,
        stage: &mut Simulation,
    ) {
        if let Some(met) = self.meeting.iter_mut().find(|met| met.slot == slot) {
            met.has_ended = false;
            return;
        }
        let mut past = Past::default();
        past.push(run.count, |image| {
            for [table, lane, own] in self.lanes(slot) {
                let from = (&self.tables[table], &run.kept[table]);
                let body = stage.tables[table].put_kept_vehicle(lane, from, own);
                stage.tables[table].save_vehicle(lane, &mut image.numbers);
                image.tipped.push(stage.tables[table].vehicles.lanes[lane].tipped);
                image.bodies.push(body);
            }
        });
        self.meeting.push(Meeting { slot, has_ended: false, past });
    }

    /// Lets rapier move the bodies of the members that have an encounter, which then may have ended.
    pub(super) fn meet(&mut self, run: &mut BlockRun<'_>) {
        self.for_each_meeting(run.members, |physics| {
            physics.step_solved(None);
            false
        });
        for met in self.meeting.iter_mut().filter(|met| !met.has_ended) {
            let Some(index) = self.slots.member(met.slot) else { continue };
            let encounter = &mut run.members[index].encounter;
            met.has_ended = encounter.as_ref().is_some_and(|physics| physics.is_free());
            if met.has_ended {
                run.spare.extend(encounter.take());
            }
        }
    }

    /// Overwrites the velocities of bodies that rapier has moved, where their contacts permit it.
    pub(super) fn impose_on_solved(&mut self, dt: f64, members: &mut [EnsembleMember]) {
        let mut imposes = false;
        for (table, bodies) in self.tables.iter_mut().zip(&mut self.bodies) {
            imposes |= table.impose_on_solved(bodies);
        }
        if imposes {
            self.for_each_meeting(members, |physics| {
                physics.limit_prescribed(dt);
                false
            });
        }
    }

    /// Informs rapier of bodies that dynamics classes have placed, and stops the members of which a contact has exploded.
    pub(super) fn end_meetings(&mut self, members: &mut [EnsembleMember], limits: Limits) {
        let Limits { contact_gain, contact_margin, .. } = limits;
        self.for_each_meeting(members, |physics| {
            physics.settle_placed();
            physics.ejection(contact_gain, contact_margin).is_some()
        });
    }

    /// Calls `act` with the physics of each member whose bodies rapier moves, and takes its bodies from there. Stops those for
    /// which it returns true.
    fn for_each_meeting(
        &mut self,
        members: &mut [EnsembleMember],
        act: impl Fn(&mut Physics) -> bool,
    ) {
        for number in 0..self.meeting.len() {
            let Meeting { slot, has_ended, .. } = self.meeting[number];
            let Some(index) = self.slots.member(slot) else { continue };
            let Some(physics) = &mut members[index].encounter else { continue };
            if has_ended || self.stopped.contains(&slot) {
                continue;
            }
            self.gather(slot);
            let all = 0..physics.body_count();
            physics.bodies_mut(&all).copy_from_slice(&self.one);
            let stops = act(physics);
            self.one.copy_from_slice(physics.bodies(&all));
            self.scatter(slot);
            if stops {
                self.stop(slot);
            }
        }
    }

    /// Lets rapier move the bodies of the member in a slot, which has a world of rapier, from the next run on.
    pub fn join(&mut self, slot: usize) {
        self.part(slot);
        self.meeting.push(Meeting { slot, has_ended: false, past: Past::default() });
    }

    /// No longer lets rapier move the bodies of the member in a slot. The member keeps its world of rapier.
    pub fn part(&mut self, slot: usize) {
        self.meeting.retain(|met| met.slot != slot);
    }
}
