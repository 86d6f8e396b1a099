//! States of members outside of blocks: the one that members of a variant share for what a block cannot do, and those of
//! detached members.

use super::block::Block;
use super::image::Start;
use super::member::BatchMember;
use super::sensors::load;
use crate::clock::Clock;
use crate::state::State;
use crate::table::{Kept, Table};

impl State {
    /// Becomes the state of a member at a start.
    pub(super) fn become_start(&mut self, start: &Start, seed: u64) {
        let (mut numbers, mut tipped) = (&start.image.numbers[..], start.image.tipped.iter());
        for table in &mut self.tables {
            for lane in 0..table.vehicles.lanes.len() {
                numbers = table.vehicles.load_lane(lane, numbers);
                table.vehicles.lanes[lane].tipped = tipped.next().copied().flatten();
            }
        }
        self.physics.load_free(start.image.bodies.iter().copied());
        load(self, &start.sensors, None);
        self.begin_member(start.steps, seed);
    }

    /// Becomes the state of the member in a slot of a block. Readings that a sample at its present step replaces are
    /// left out if it is `sampling`.
    pub(super) fn become_member(
        &mut self,
        member: &BatchMember,
        (block, slot): (&Block, usize),
        sampling: bool,
    ) {
        let Self { tables, physics, .. } = self;
        physics.load_free(block.lanes(slot).map(|[table, lane, own]| {
            tables[table].vehicles.put_lane(lane, &block.tables[table].vehicles, own);
            block.bodies[table][own]
        }));
        let now = Clock { steps: member.steps, ..self.clock };
        load(self, &member.sensors, sampling.then_some(&now));
        self.begin_member(member.steps, member.seed);
    }

    /// Becomes the state of the member in a slot of a block before the last steps of the block, for which `kept` has
    /// the state of each table.
    pub(super) fn become_member_before(
        &mut self,
        member: &BatchMember,
        (block, slot): (&Block, usize),
        kept: &[Kept],
    ) {
        let Self { tables, physics, .. } = self;
        physics.load_free(block.lanes(slot).map(|[table, lane, own]| {
            tables[table].vehicles.put_kept_lane(
                lane,
                (&block.tables[table].vehicles, &kept[table]),
                own,
            )
        }));
        for table in tables {
            table.vehicles.read_bodies(physics.bodies.range(&table.vehicles.bodies));
        }
        load(self, &member.sensors, None);
        self.begin_member(member.steps, member.seed);
    }

    /// Prepares for a member whose vehicles and sensors have been loaded.
    fn begin_member(&mut self, steps: u64, seed: u64) {
        self.clock.steps = steps;
        self.seed = seed;
        self.faults.clear();
        for table in &mut self.tables {
            table.vehicles.lanes.iter_mut().for_each(|lane| lane.run = None);
            table.forget_faults();
        }
        self.skip_commands();
    }

    /// Reads of the vehicles in a slot of a block only the columns that a sample of the sensors reads: for each table, those
    /// that `parts` has.
    pub(super) fn read_sampled(
        &mut self,
        member: &BatchMember,
        (block, slot): (&Block, usize),
        parts: &[Vec<usize>],
    ) {
        for [table, lane, own] in block.lanes(slot) {
            self.tables[table].vehicles.put_parts(
                lane,
                (&block.tables[table].vehicles, &parts[table]),
                own,
            );
        }
        let now = Clock { steps: member.steps, ..self.clock };
        load(self, &member.sensors, Some(&now));
        self.begin_member(member.steps, member.seed);
    }

    /// Returns whether its member can have lanes of a block: no model has faulted, and nothing is near a vehicle.
    pub(super) fn can_share(&self) -> bool {
        self.faults.is_empty()
            && self.tables.iter().all(Table::can_return)
            && !self.robot_faults.is_used()
            && self.collisions.is_none()
            && !self.physics.has_solved()
    }
}
