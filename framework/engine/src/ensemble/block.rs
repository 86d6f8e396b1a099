//! Blocks: tables with the vehicles of many members.

mod meetings;

use super::member::{EnsembleMember, Image};
use super::past::Meeting;
use super::slots::Slots;
use crate::clock::Clock;
use crate::limits::Limits;
use crate::moment::Moment;
use crate::physics::{Physics, RigidBody};
use crate::simulation::Simulation;
use crate::table::{Kept, OwnRun, Read, Table};

/// Tables with the vehicles of many members. A slot has room for one of them.
///
/// Lanes of vacant slots are computed with the others; what comes out is not used.
pub(super) struct Block {
    pub tables: Vec<Table>,
    /// How the fields of each table are read.
    pub reads: Vec<Vec<Read>>,
    /// Bodies of the vehicles of each table.
    pub bodies: Vec<Vec<RigidBody>>,
    /// The slots, with the indices in the chunk of their members.
    pub slots: Slots,
    /// Number of completed steps of members that are not behind.
    pub steps: u64,
    /// Number of steps by which the member in each slot is behind, modulo 2⁶⁴; 0 for a vacant one.
    behind: Vec<u64>,
    /// Number of steps to take now.
    pub goal: u64,
    /// Whether all members are to take that number.
    pub have_one_goal: bool,
    /// Number of vehicles of a member in each table.
    lanes: Vec<usize>,
    /// Slots whose members cannot take the present steps here.
    stopped: Vec<usize>,
    /// The members whose bodies rapier moves.
    meeting: Vec<Meeting>,
    /// Bodies of one member.
    one: Vec<RigidBody>,
}

/// A run of a block: several steps at once.
pub(super) struct BlockRun<'r> {
    /// Number of steps.
    pub count: u64,
    /// The members of the chunk.
    pub members: &'r mut [EnsembleMember],
    /// The state of each table before the run, which it fills.
    pub kept: &'r mut Vec<Kept>,
    /// Worlds of rapier without encounters.
    pub spare: &'r mut Vec<Box<Physics>>,
}

impl Block {
    /// Creates a block without members from tables for `width` members.
    pub fn new(tables: Vec<Table>, lanes: Vec<usize>, width: usize) -> Self {
        let bodies = lanes.iter().map(|lanes| vec![RigidBody::absent(); lanes * width]).collect();
        let (slots, one) = (Slots::new(width), Vec::with_capacity(lanes.iter().sum()));
        let stopped = Vec::with_capacity(width);
        let reads = tables.iter().map(Table::reads).collect();
        let behind = vec![0; width];
        Self {
            tables,
            reads,
            bodies,
            slots,
            steps: 0,
            behind,
            goal: 0,
            have_one_goal: true,
            lanes,
            stopped,
            meeting: Vec::new(),
            one,
        }
    }

    /// Returns the number of completed steps of the member in a slot.
    pub fn steps_of(&self, slot: usize) -> u64 {
        self.steps.wrapping_sub(self.behind[slot])
    }

    /// Returns the number of completed steps of all members, if it is the same.
    pub fn common_steps(&self) -> Option<u64> {
        self.behind.iter().all(|behind| *behind == 0).then_some(self.steps)
    }

    /// Returns the largest number of completed steps of a member; `None` without members.
    pub fn most_steps(&self) -> Option<u64> {
        let steps = || self.slots.members().map(|(slot, _)| self.steps_of(slot));
        let common = self.common_steps().filter(|_| self.slots.taken() > 0);
        common.or_else(|| steps().max())
    }

    /// Returns for each vehicle of the member in a slot: its table, its lane in the table of a member, and its lane here.
    pub fn lanes(&self, slot: usize) -> impl Iterator<Item = [usize; 3]> {
        let tables = self.lanes.iter().enumerate();
        tables.flat_map(move |(table, count)| {
            (0..*count).map(move |lane| [table, lane, slot * count + lane])
        })
    }

    /// Puts a member into a vacant slot.
    pub fn put(&mut self, slot: usize, index: usize, member: &EnsembleMember, image: &Image) {
        self.slots.put(slot, index);
        if member.encounter.is_some() {
            self.join(slot);
        }
        let run = self.begin(slot, member.seed, member.steps);
        let mut numbers = &image.numbers[..];
        let mut others = image.bodies.iter().zip(&image.tipped);
        for table in 0..self.tables.len() {
            for lane in slot * self.lanes[table]..(slot + 1) * self.lanes[table] {
                numbers = self.tables[table].load_vehicle(lane, numbers);
                let Some((body, tipped)) = others.next() else { return };
                self.bodies[table][lane] = *body;
                let vehicle = &mut self.tables[table].vehicles.lanes[lane];
                (vehicle.tipped, vehicle.run) = (*tipped, Some(run));
            }
        }
        if self.slots.taken() == 1 {
            (0..self.slots.width())
                .filter(|other| *other != slot)
                .for_each(|other| self.copy(slot, other));
        }
    }

    /// Returns the run of a member that comes into a slot after `steps` steps.
    fn begin(&mut self, slot: usize, seed: u64, steps: u64) -> OwnRun {
        let behind = self.steps.wrapping_sub(steps);
        self.behind[slot] = behind;
        OwnRun { seed, behind }
    }

    /// Replaces the vehicles of a member by those on the stage.
    pub fn take(&mut self, slot: usize, stage: &Simulation, seed: u64) {
        let run = OwnRun { seed, behind: self.behind[slot] };
        let mut bodies = stage.physics.bodies(&(0..stage.physics.body_count())).iter();
        for (table, count) in self.lanes.iter().enumerate() {
            for lane in 0..*count {
                let own = slot * count + lane;
                self.tables[table].put_vehicle(own, &stage.tables[table], lane);
                self.tables[table].vehicles.lanes[own].run = Some(run);
                if let Some(body) = bodies.next() {
                    self.bodies[table][own] = *body;
                }
            }
        }
    }

    /// Makes a slot vacant.
    pub fn clear(&mut self, slot: usize) {
        self.slots.clear(slot);
        self.part(slot);
        self.behind[slot] = 0;
        self.silence(slot);
    }

    /// Appends the vehicles of a member to an image.
    pub fn save(&self, slot: usize, image: &mut Image) {
        for table in 0..self.tables.len() {
            for lane in slot * self.lanes[table]..(slot + 1) * self.lanes[table] {
                self.tables[table].save_vehicle(lane, &mut image.numbers);
                image.bodies.push(self.bodies[table][lane]);
                image.tipped.push(self.tables[table].vehicles.lanes[lane].tipped);
            }
        }
    }

    /// Takes the steps of a run from the present one on. Returns the slots of the members that cannot: a model faults, or a
    /// state diverges. These have to take the steps elsewhere, from the state before the run, to which [`Self::take_past`]
    /// leads where rapier has moved bodies.
    pub fn run(&mut self, stage: &mut Simulation, mut run: BlockRun<'_>) -> &[usize] {
        let (clock, substeps, seed) = (stage.clock, stage.substeps, stage.seed);
        let limits = stage.limits;
        self.stopped.clear();
        run.kept.resize_with(self.tables.len(), Kept::default);
        for ((table, bodies), kept) in self.tables.iter().zip(&self.bodies).zip(&mut *run.kept) {
            kept.fill(&table.vehicles.columns, bodies);
        }
        self.begin_meetings(&run);
        for step in 0..run.count {
            let start = Clock { steps: self.steps + step, ..clock };
            for part in 0..substeps {
                self.substep(start, part, stage, &mut run);
            }
            let moment = Moment::new(start, seed, &stage.ground);
            let mut sound = true;
            for (table, bodies) in self.tables.iter_mut().zip(&mut self.bodies) {
                table.post(&moment, bodies);
                table.check_states(&limits, bodies);
                sound &= table.is_sound && !table.has_faults();
            }
            if !sound {
                self.find_unsound(&limits);
            }
            self.end_meetings(run.members, stage.limits);
        }
        self.steps += run.count;
        &self.stopped
    }

    /// Takes a substep of the step that begins at `start`.
    fn substep(&mut self, start: Clock, part: u32, stage: &mut Simulation, run: &mut BlockRun<'_>) {
        let (substeps, seed) = (stage.substeps, stage.seed);
        let part_clock = start.substep(part, substeps);
        let ground = &stage.ground;
        let [step, substep] = [start, part_clock].map(|clock| Moment::new(clock, seed, ground));
        let substep = substep.divided(substeps);
        let mut leaves = false;
        for (table, bodies) in self.tables.iter_mut().zip(&mut self.bodies) {
            table.begin_substep([&step, &substep], part == 0, bodies);
            leaves |= table.leaves_search;
        }
        if leaves {
            self.search(part_clock.dt, stage, run);
        }
        if !self.meeting.is_empty() {
            self.meet(run);
        }
        if part + 1 == substeps && !self.meeting.is_empty() {
            self.impose_on_solved(part_clock.dt, run.members);
        }
        for (table, bodies) in self.tables.iter_mut().zip(&mut self.bodies) {
            table.finish_substep(part_clock.dt, bodies);
        }
    }

    /// Searches neighbours of the members that leave the circles of the last search in this substep of `dt` seconds. Those
    /// that have some begin an encounter.
    fn search(&mut self, dt: f64, stage: &mut Simulation, run: &mut BlockRun<'_>) {
        for slot in 0..self.slots.width() {
            let Some(index) = self.slots.member(slot) else { continue };
            if self.stopped.contains(&slot) || self.meets(slot) {
                continue;
            }
            self.gather(slot);
            if self.one.iter().all(|body| body.stays_within_search(dt)) {
                continue;
            }
            if stage.physics.search_free(&mut self.one, dt) {
                self.scatter(slot);
                continue;
            }
            self.gather(slot);
            let spare = run.spare.pop();
            let mut own = spare.unwrap_or_else(|| Box::new(stage.physics.without_encounter()));
            own.load_free(self.one.iter().copied());
            run.members[index].encounter = Some(own);
            self.begin_meeting(slot, run, stage);
        }
    }

    /// Collects the bodies of a slot.
    fn gather(&mut self, slot: usize) {
        self.one.clear();
        for (bodies, count) in self.bodies.iter().zip(&self.lanes) {
            self.one.extend_from_slice(&bodies[slot * count..(slot + 1) * count]);
        }
    }

    /// Replaces the bodies of a slot by those that have been collected.
    fn scatter(&mut self, slot: usize) {
        let mut changed = self.one.iter();
        for (bodies, count) in self.bodies.iter_mut().zip(&self.lanes) {
            let own = &mut bodies[slot * count..(slot + 1) * count];
            own.iter_mut().zip(&mut changed).for_each(|(body, changed)| *body = *changed);
        }
    }

    /// Stops the members of which a model has faulted or a state has diverged in this step.
    fn find_unsound(&mut self, limits: &Limits) {
        for slot in 0..self.slots.width() {
            if self.stopped.contains(&slot) {
                continue;
            }
            let is_sound = |[table, _, lane]: [usize; 3]| {
                self.tables[table].is_lane_sound(lane, limits, &self.bodies[table][lane])
            };
            if !self.lanes(slot).all(is_sound) {
                self.stop(slot);
            }
        }
        self.tables.iter_mut().for_each(Table::forget_faults);
    }

    fn stop(&mut self, slot: usize) {
        self.stopped.push(slot);
        self.silence(slot);
    }

    /// Makes the bodies of a slot need no search.
    fn silence(&mut self, slot: usize) {
        for (bodies, count) in self.bodies.iter_mut().zip(&self.lanes) {
            bodies[slot * count..(slot + 1) * count].iter_mut().for_each(RigidBody::silence);
        }
    }

    /// Copies the vehicles of a member to those of a vacant slot, where they are not used.
    fn copy(&mut self, from: usize, to: usize) {
        for (table, count) in self.lanes.iter().enumerate() {
            for lane in 0..*count {
                self.tables[table].repeat_vehicle(from * count + lane, to * count + lane);
                self.bodies[table][to * count + lane] = self.bodies[table][from * count + lane];
            }
        }
        self.silence(to);
    }

    /// Replaces what vacant slots compute by the vehicles of a member, so that it stays sound.
    pub fn fill_vacant(&mut self) {
        let Some((from, _)) = self.slots.members().find(|(slot, _)| !self.stopped.contains(slot))
        else {
            return;
        };
        for slot in 0..self.slots.width() {
            if self.slots.member(slot).is_none() {
                self.copy(from, slot);
            }
        }
    }
}
