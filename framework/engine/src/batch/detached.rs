//! Simulations that take the state of a member: the one that members of a variant share for what a block cannot do, and
//! those of detached members.

use super::block::Block;
use super::image::Start;
use super::member::BatchMember;
use super::sensors::load;
use crate::clock::Clock;
use crate::simulation::Simulation;
use crate::state::State;
use crate::table::{Kept, Table};

impl Simulation {
    /// Becomes the simulation of a member at a start.
    pub(super) fn become_start(&mut self, start: &Start, seed: u64) {
        let (mut numbers, mut tipped) = (&start.image.numbers[..], start.image.tipped.iter());
        for table in &mut self.state.tables {
            for lane in 0..table.vehicles.lanes.len() {
                numbers = table.vehicles.load_lane(lane, numbers);
                table.vehicles.lanes[lane].tipped = tipped.next().copied().flatten();
            }
        }
        self.state.physics.load_free(start.image.bodies.iter().copied());
        load(self, &start.sensors, None);
        self.begin_member(start.steps, seed);
    }

    /// Becomes the simulation of the member in a slot of a block. Readings that a sample at its present step replaces are
    /// left out if it is `sampling`.
    pub(super) fn become_member(
        &mut self,
        member: &BatchMember,
        (block, slot): (&Block, usize),
        sampling: bool,
    ) {
        let State { tables, physics, .. } = &mut self.state;
        physics.load_free(block.lanes(slot).map(|[table, lane, own]| {
            tables[table].vehicles.put_lane(lane, &block.tables[table].vehicles, own);
            block.bodies[table][own]
        }));
        let now = Clock { steps: member.steps, ..self.state.clock };
        load(self, &member.sensors, sampling.then_some(&now));
        self.begin_member(member.steps, member.seed);
    }

    /// Becomes the simulation of the member in a slot of a block before the last steps of the block, for which `kept` has
    /// the state of each table.
    pub(super) fn become_member_before(
        &mut self,
        member: &BatchMember,
        (block, slot): (&Block, usize),
        kept: &[Kept],
    ) {
        let State { tables, physics, .. } = &mut self.state;
        physics.load_free(block.lanes(slot).map(|[table, lane, own]| {
            tables[table].vehicles.put_kept_lane(
                lane,
                (&block.tables[table].vehicles, &kept[table]),
                own,
            )
        }));
        for table in tables {
            table.vehicles.read_bodies(physics.bodies(&table.vehicles.bodies));
        }
        load(self, &member.sensors, None);
        self.begin_member(member.steps, member.seed);
    }

    /// Prepares for a member whose vehicles and sensors have been loaded.
    fn begin_member(&mut self, steps: u64, seed: u64) {
        self.state.clock.steps = steps;
        self.state.seed = seed;
        self.state.faults.clear();
        for table in &mut self.state.tables {
            table.vehicles.lanes.iter_mut().for_each(|lane| lane.run = None);
            table.forget_faults();
        }
        self.state.skip_commands();
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
            self.state.tables[table].vehicles.put_parts(
                lane,
                (&block.tables[table].vehicles, &parts[table]),
                own,
            );
        }
        let now = Clock { steps: member.steps, ..self.state.clock };
        load(self, &member.sensors, Some(&now));
        self.begin_member(member.steps, member.seed);
    }

    /// Returns whether its member can have lanes of a block: no model has faulted, and nothing is near a vehicle.
    pub(super) fn can_share(&self) -> bool {
        self.state.faults.is_empty()
            && self.state.tables.iter().all(Table::can_return)
            && !self.state.robot_faults.is_used()
            && self.state.collisions.is_none()
            && !self.state.physics.has_solved()
    }
}
