//! Members of a batch, and where they are.

use std::sync::Arc;

use super::block::Block;
use super::image::{Start, load_sensors};
use crate::clock::Clock;
use crate::sensors::SensorState;
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::StepError;
use crate::table::{Kept, Table};

/// A member of a batch.
pub(super) struct BatchMember {
    /// Number in the batch.
    pub number: usize,
    /// Index of its variant in the chunk.
    pub group: usize,
    /// Seed of its run.
    pub seed: u64,
    /// Number of completed steps.
    pub steps: u64,
    /// Number of the step after which a sensor is due or a sample arrives, at the latest step before which nothing
    /// of this kind happens. Not used while it is detached.
    pub due: u64,
    /// Where its vehicles are.
    pub place: MemberPlace,
    /// Block and slot in which it was last.
    pub last: Option<(usize, usize)>,
    /// State and readings of its sensors, unless it is detached.
    pub sensors: SensorState,
    /// State at the start, if the member has returned to it or can.
    pub start: Option<Arc<Start>>,
    /// Error of the last step.
    pub failure: Option<StepError>,
}

/// How far the members of a batch are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchProgress {
    /// Largest number of completed steps.
    pub most_steps: u64,
    /// Whether a step of some member has failed, now or earlier.
    pub has_failures: bool,
}

/// Where the vehicles of a member are.
pub(super) enum MemberPlace {
    /// At its start, in `start`.
    Start,
    /// In lanes of a block.
    Lanes { block: usize, slot: usize },
    /// Detached: in a simulation of its own.
    Detached(Box<Simulation>),
}

impl BatchMember {
    /// Creates a member before its first start.
    pub fn new(number: usize) -> Self {
        Self {
            number,
            group: usize::MAX,
            seed: 0,
            steps: 0,
            due: u64::MAX,
            place: MemberPlace::Start,
            last: None,
            sensors: SensorState::default(),
            start: None,
            failure: None,
        }
    }

    /// Returns whether it has a simulation of its own.
    pub fn is_detached(&self) -> bool {
        matches!(self.place, MemberPlace::Detached(_))
    }

    /// Takes `count` steps, if it is detached and no step has failed.
    pub fn run_detached(&mut self, count: u64) {
        if let (MemberPlace::Detached(own), None) = (&mut self.place, &self.failure) {
            self.failure = own.run(count).err();
            self.steps = own.state.clock.steps;
        }
    }

    /// Returns whether it is detached and could have lanes of a block.
    pub fn can_attach(&self) -> bool {
        self.failure.is_none()
            && matches!(&self.place, MemberPlace::Detached(own) if own.state.can_share())
    }
}

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
        load_sensors(self, &start.sensors, None);
        self.begin_member(start.steps, seed);
    }

    /// Becomes the state of the member in a slot of a block. Readings that a sample at its present step replaces are
    /// left out if it is `sampling`.
    pub(super) fn become_member(
        &mut self,
        member: &BatchMember,
        block: &Block,
        slot: usize,
        sampling: bool,
    ) {
        let Self { tables, physics, .. } = self;
        physics.load_free(block.lanes(slot).map(|[table, lane, own]| {
            tables[table].vehicles.put_lane(lane, &block.tables[table].vehicles, own);
            block.bodies[table][own]
        }));
        let now = Clock { steps: member.steps, ..self.clock };
        load_sensors(self, &member.sensors, sampling.then_some(&now));
        self.begin_member(member.steps, member.seed);
    }

    /// Becomes the state of the member in a slot of a block before the last steps of the block, for which `kept` has
    /// the state of each table.
    pub(super) fn become_member_before(
        &mut self,
        member: &BatchMember,
        block: &Block,
        slot: usize,
        kept: &[Kept],
    ) {
        let Self { tables, physics, .. } = self;
        physics.load_free(block.lanes(slot).map(|[table, lane, own]| {
            tables[table].vehicles.put_kept_lane(
                lane,
                &block.tables[table].vehicles,
                &kept[table],
                own,
            )
        }));
        for table in tables {
            table.vehicles.read_bodies(physics.bodies.range(&table.vehicles.bodies));
        }
        load_sensors(self, &member.sensors, None);
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
        block: &Block,
        slot: usize,
        parts: &[Vec<usize>],
    ) {
        for [table, lane, own] in block.lanes(slot) {
            self.tables[table].vehicles.put_parts(
                lane,
                &block.tables[table].vehicles,
                &parts[table],
                own,
            );
        }
        let now = Clock { steps: member.steps, ..self.clock };
        load_sensors(self, &member.sensors, Some(&now));
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
