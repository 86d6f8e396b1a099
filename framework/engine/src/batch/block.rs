//! Blocks: tables with the vehicles of many members.

use super::image::Image;
use super::slots::Slots;
use crate::clock::Clock;
use crate::columns::Column;
use crate::limits::Limits;
use crate::physics::{Physics, RigidBody};
use crate::simulation::Simulation;
use crate::state::State;
use crate::table::{Interruptions, Kept, OwnRun, Read, StepsAlone, Table};

/// Tables with the vehicles of many members, each of which has the lanes of a slot.
///
/// Lanes of vacant slots are computed with the others, and their results are not used.
pub(super) struct Block {
    /// Tables as wide as all slots.
    pub tables: Vec<Table>,
    /// How the fields of each table are read.
    pub reads: Vec<Vec<Read>>,
    /// Bodies of the vehicles of each table.
    pub bodies: Vec<Vec<RigidBody>>,
    /// The slots, with the indices in the chunk of their members.
    pub slots: Slots,
    /// Number of completed steps of members that are not behind.
    pub steps: u64,
    /// Number of steps by which the member in each slot is behind, modulo 2⁶⁴; 0 for a vacant slot.
    behind: Vec<u64>,
    /// Number of steps to take now.
    pub goal: u64,
    /// Whether all members are to take that number.
    pub have_one_goal: bool,
    /// Number of vehicles of a member in each table.
    lanes: Vec<usize>,
    /// Slots whose members could not take the last steps here.
    pub stopped: Vec<usize>,
    /// Buffer for the bodies of one member.
    one: Vec<RigidBody>,
}

impl Block {
    /// Creates a block without members from tables for `width` members.
    pub fn new(tables: Vec<Table>, lanes: Vec<usize>, width: usize) -> Self {
        let bodies = lanes.iter().map(|lanes| vec![RigidBody::absent(); lanes * width]).collect();
        Self {
            reads: tables.iter().map(Table::reads).collect(),
            tables,
            bodies,
            slots: Slots::new(width),
            steps: 0,
            behind: vec![0; width],
            goal: 0,
            have_one_goal: true,
            one: Vec::with_capacity(lanes.iter().sum()),
            lanes,
            stopped: Vec::with_capacity(width),
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

    /// Puts a member that has completed `steps` steps into a vacant slot.
    pub fn put(&mut self, slot: usize, index: usize, seed: u64, steps: u64, image: &Image) {
        self.slots.put(slot, index);
        self.behind[slot] = self.steps.wrapping_sub(steps);
        let run = Some(OwnRun { seed, behind: self.behind[slot] });
        let mut numbers = &image.numbers[..];
        let mut others = image.bodies.iter().zip(&image.tipped);
        for table in 0..self.tables.len() {
            for lane in slot * self.lanes[table]..(slot + 1) * self.lanes[table] {
                numbers = self.tables[table].vehicles.load_lane(lane, numbers);
                let Some((body, tipped)) = others.next() else { return };
                self.bodies[table][lane] = *body;
                let vehicle = &mut self.tables[table].vehicles.lanes[lane];
                (vehicle.tipped, vehicle.run) = (*tipped, run);
            }
        }
        if self.slots.taken() == 1 {
            (0..self.slots.width())
                .filter(|other| *other != slot)
                .for_each(|other| self.copy(slot, other));
        }
    }

    /// Replaces the vehicles of a member by those of a simulation at the same step.
    pub fn take(&mut self, slot: usize, simulation: &Simulation, seed: u64) {
        let run = OwnRun { seed, behind: self.behind[slot] };
        let physics = &simulation.state.physics;
        let mut bodies = physics.bodies.range(&(0..physics.bodies.len())).iter();
        for (table, count) in self.lanes.iter().enumerate() {
            for lane in 0..*count {
                let own = slot * count + lane;
                self.tables[table].vehicles.put_lane(
                    own,
                    &simulation.state.tables[table].vehicles,
                    lane,
                );
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
        self.behind[slot] = 0;
        silence(&mut self.bodies, &self.lanes, slot);
    }

    /// Appends the vehicles of a member to an image.
    pub fn save(&self, slot: usize, image: &mut Image) {
        for [table, _, lane] in self.lanes(slot) {
            self.tables[table].vehicles.save_lane(lane, &mut image.numbers);
            image.bodies.push(self.bodies[table][lane]);
            image.tipped.push(self.tables[table].vehicles.lanes[lane].tipped);
        }
    }

    /// Sets a number of a vehicle of all members, in the column that is `column` in the table `of` of a simulation of one
    /// member.
    pub fn set_all(&mut self, of: &Table, table: usize, lane: usize, column: Column, to: f64) {
        let columns = &mut self.tables[table].vehicles.columns;
        if let Some(column) = columns.same_column(&of.vehicles.columns, column) {
            let lanes = columns.get_mut(column).iter_mut().skip(lane).step_by(self.lanes[table]);
            lanes.for_each(|number| *number = to);
        }
    }

    /// Takes `count` steps from the present one on. The members in the slots [`Self::stopped`] cannot: something is near one
    /// of their vehicles, a model faults, or a state diverges. They have to take the steps elsewhere, from the state before
    /// them, which `kept` receives.
    pub fn run(&mut self, count: u64, proxy: &mut Simulation, kept: &mut Vec<Kept>) {
        let substeps = &proxy.blueprint.substeps;
        let State { clock, seed, limits, ground, physics, .. } = &mut proxy.state;
        self.stopped.clear();
        kept.resize_with(self.tables.len(), Kept::default);
        for ((table, bodies), kept) in self.tables.iter().zip(&self.bodies).zip(&mut *kept) {
            kept.fill(&table.vehicles.columns, bodies);
        }
        let Self { tables, bodies, slots, lanes, stopped, one, .. } = self;
        let start = Clock { steps: self.steps, ..*clock };
        let mut leaving = StopMembers { slots, lanes, stopped, one, physics, limits };
        let alone = StepsAlone { start, substeps: *substeps, seed: *seed, ground, limits };
        alone.run(count, tables, bodies, &mut leaving);
        self.steps += count;
    }

    /// Copies the vehicles of a member to those of a vacant slot, where they are not used.
    fn copy(&mut self, from: usize, to: usize) {
        for (table, count) in self.lanes.iter().enumerate() {
            for lane in 0..*count {
                self.tables[table].vehicles.repeat_lane(from * count + lane, to * count + lane);
                self.bodies[table][to * count + lane] = self.bodies[table][from * count + lane];
            }
        }
        silence(&mut self.bodies, &self.lanes, to);
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

/// Makes the bodies of a slot need no search.
fn silence(bodies: &mut [Vec<RigidBody>], lanes: &[usize], slot: usize) {
    for (bodies, count) in bodies.iter_mut().zip(lanes) {
        bodies[slot * count..(slot + 1) * count].iter_mut().for_each(RigidBody::silence);
    }
}

/// Stops the members that are interrupted, while the others go on.
struct StopMembers<'b> {
    slots: &'b Slots,
    lanes: &'b [usize],
    stopped: &'b mut Vec<usize>,
    one: &'b mut Vec<RigidBody>,
    physics: &'b mut Physics,
    limits: &'b Limits,
}

impl StopMembers<'_> {
    fn stop(&mut self, slot: usize, bodies: &mut [Vec<RigidBody>]) {
        self.stopped.push(slot);
        silence(bodies, self.lanes, slot);
    }
}

impl Interruptions<Vec<RigidBody>> for StopMembers<'_> {
    /// Searches neighbours of the members that leave the circles of the last search, and stops those that have some.
    fn leave_search(&mut self, _: &mut [Table], bodies: &mut [Vec<RigidBody>], dt: f64) -> bool {
        for slot in 0..self.slots.width() {
            if self.slots.member(slot).is_none() || self.stopped.contains(&slot) {
                continue;
            }
            let own = |count: &usize| slot * count..(slot + 1) * count;
            self.one.clear();
            for (bodies, count) in bodies.iter().zip(self.lanes) {
                self.one.extend_from_slice(&bodies[own(count)]);
            }
            if self.one.iter().all(|body| body.stays_within_search(dt)) {
                continue;
            }
            if !self.physics.search_free(self.one, dt) {
                self.stop(slot, bodies);
                continue;
            }
            let mut changed = self.one.iter();
            for (bodies, count) in bodies.iter_mut().zip(self.lanes) {
                let bodies = bodies[own(count)].iter_mut();
                bodies.zip(&mut changed).for_each(|(body, changed)| *body = *changed);
            }
        }
        true
    }

    /// Stops the members of which a model has faulted or a state has diverged.
    fn end_unsound(&mut self, tables: &mut [Table], bodies: &mut [Vec<RigidBody>]) -> bool {
        for slot in 0..self.slots.width() {
            if self.stopped.contains(&slot) {
                continue;
            }
            let is_sound = |(table, count): (usize, &usize)| {
                (slot * count..(slot + 1) * count).all(|lane| {
                    tables[table].is_lane_sound(lane, self.limits, &bodies[table][lane])
                })
            };
            if !self.lanes.iter().enumerate().all(is_sound) {
                self.stop(slot, bodies);
            }
        }
        tables.iter_mut().for_each(Table::forget_faults);
        true
    }
}
