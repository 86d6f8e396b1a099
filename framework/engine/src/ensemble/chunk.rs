//! Chunks: members that one thread steps at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Variants;
use super::member::{Home, Member, SensorState};
use super::room::Room;
use crate::columns::Column;
use crate::quantities::Quantities;
use crate::simulation::{Simulation, StepError};
use crate::table::Table;

/// Greatest number of steps that a block takes at once.
const MOST: u64 = 16;

/// Members that one thread steps at a time.
pub(super) struct Chunk {
    /// Numbers of the members in the ensemble.
    pub range: Range<usize>,
    pub members: Vec<Member>,
    rooms: Vec<Room>,
    /// Indices of the rooms by variant.
    known: BTreeMap<usize, usize>,
    /// Steps that each member is to take.
    goals: Vec<u64>,
    /// Members that are to be put into blocks.
    settling: Vec<usize>,
    /// Values of a member.
    row: Vec<f64>,
    /// Columns of a command.
    columns: Vec<Option<Column>>,
}

impl Chunk {
    pub fn new(range: Range<usize>) -> Self {
        Self {
            range,
            members: Vec::new(),
            rooms: Vec::new(),
            known: BTreeMap::new(),
            goals: Vec::new(),
            settling: Vec::new(),
            row: Vec::new(),
            columns: Vec::new(),
        }
    }

    /// Creates the members at their starts.
    pub fn open<V: Variants>(&mut self, variants: &V) -> Result<(), V::Error> {
        self.members.reserve_exact(self.range.len());
        self.members.extend(self.range.clone().map(|number| Member {
            number,
            room: usize::MAX,
            seed: 0,
            steps: 0,
            due: u64::MAX,
            home: Home::None,
            sensors: SensorState::default(),
            start: None,
            failure: None,
        }));
        self.goals = vec![0; self.members.len()];
        self.reset(variants, &|_| true, &|_| true)
    }

    /// Returns the index of the room of a variant, which is built if there is none.
    fn room_of<V: Variants>(&mut self, variants: &V, variant: usize) -> Result<usize, V::Error> {
        if let Some(room) = self.known.get(&variant) {
            return Ok(*room);
        }
        self.rooms.push(Room::new(variants, variant)?);
        self.known.insert(variant, self.rooms.len() - 1);
        Ok(self.rooms.len() - 1)
    }

    /// Moves the members that are reset into the rooms of their variants, and drops the rooms that nobody needs.
    fn change_rooms<V: Variants>(
        &mut self,
        variants: &V,
        is_reset: &impl Fn(usize) -> bool,
    ) -> Result<(), V::Error> {
        let mut has_moved = false;
        for index in 0..self.members.len() {
            let number = self.members[index].number;
            if !is_reset(number) {
                continue;
            }
            let room = self.room_of(variants, variants.variant_of(number))?;
            let Self { members, rooms, .. } = self;
            let member = &mut members[index];
            if let Some(old) = rooms.get_mut(member.room) {
                old.take_out(index, member);
            }
            has_moved |= member.room != room && member.room != usize::MAX;
            if member.room != room {
                (member.room, member.start) = (room, None);
            }
        }
        if has_moved {
            self.drop_empty_rooms();
        }
        Ok(())
    }

    fn drop_empty_rooms(&mut self) {
        let mut used = vec![false; self.rooms.len()];
        self.members.iter().for_each(|member| used[member.room] = true);
        let mut next = 0;
        let numbers: Vec<usize> = used
            .iter()
            .map(|used| {
                next += usize::from(*used);
                next.saturating_sub(1)
            })
            .collect();
        let mut kept = used.iter();
        self.rooms.retain(|_| kept.next().is_some_and(|used| *used));
        self.members.iter_mut().for_each(|member| member.room = numbers[member.room]);
        self.known = self.rooms.iter().enumerate().map(|(at, room)| (room.variant, at)).collect();
    }

    pub fn why_not_shared(&self) -> &[String] {
        self.rooms.first().map_or(&[], |room| &room.obstacles)
    }

    pub fn apart(&self) -> usize {
        self.members.iter().filter(|member| matches!(member.home, Home::Own(_))).count()
    }

    pub fn forget_starts(&mut self) {
        self.members.iter_mut().for_each(|member| member.start = None);
        self.rooms.iter_mut().for_each(Room::forget_start);
    }

    /// Puts members back to their starts.
    pub fn reset<V: Variants>(
        &mut self,
        variants: &V,
        is_reset: &impl Fn(usize) -> bool,
        has_changed: &impl Fn(usize) -> bool,
    ) -> Result<(), V::Error> {
        self.change_rooms(variants, is_reset)?;
        let Self { members, rooms, settling, .. } = self;
        for (number, room) in rooms.iter_mut().enumerate() {
            settling.clear();
            for (index, member) in members.iter_mut().enumerate() {
                if member.room != number || !is_reset(member.number) {
                    continue;
                }
                member.seed = variants.seed_of(member.number);
                member.failure = None;
                if !room.obstacles.is_empty() {
                    restart(variants, room, member)?;
                    continue;
                }
                let start = room.start(variants, member, has_changed(member.number))?;
                if let Some(start) = start {
                    member.sensors.copy_from(&start.sensors);
                    (member.steps, member.due) = (start.steps, start.due);
                    settling.push(index);
                }
            }
            // blocks of members at their starts have no goal yet
            room.blocks.iter_mut().for_each(|block| block.goal = 0);
            settling.sort_unstable_by_key(|index| (members[*index].steps, *index));
            let mut rest = &settling[..];
            while let Some(first) = rest.first() {
                let steps = members[*first].steps;
                let count = rest.iter().take_while(|at| members[**at].steps == steps).count();
                let (group, others) = rest.split_at(count);
                room.settle(variants, members, group, (steps, 0))?;
                rest = others;
            }
        }
        Ok(())
    }

    /// Takes steps, `steps` of them for each member.
    pub fn step<V: Variants>(
        &mut self,
        variants: &V,
        steps: &impl Fn(usize) -> u64,
    ) -> Result<(), V::Error> {
        for (goal, member) in self.goals.iter_mut().zip(&mut self.members) {
            *goal = if member.failure.is_some() { 0 } else { steps(member.number) };
            if let (Home::Own(simulation), 1..) = (&mut member.home, *goal) {
                member.failure = simulation.run(*goal).err();
                member.steps = simulation.clock.steps;
            }
        }
        for room in 0..self.rooms.len() {
            if self.rooms[room].obstacles.is_empty() {
                self.arrange(variants, room)?;
                for block in 0..self.rooms[room].blocks.len() {
                    self.run_block(variants, room, block)?;
                }
                self.run_parked(variants, room)?;
            }
        }
        Ok(())
    }

    /// Arranges members in blocks so that all of a block take as many steps.
    fn arrange<V: Variants>(&mut self, variants: &V, room: usize) -> Result<(), V::Error> {
        let Self { members, rooms, goals, settling, .. } = self;
        let room = &mut rooms[room];
        for number in 0..room.blocks.len() {
            let block = &mut room.blocks[number];
            block.goal = most_frequent(block.members().map(|(_, index)| goals[index]));
            let goal = block.goal;
            settling.clear();
            settling
                .extend(block.members().map(|(_, index)| index).filter(|at| goals[*at] != goal));
            settling.iter().for_each(|index| room.park(*index, &mut members[*index]));
        }
        if room.parked.is_empty() {
            return Ok(());
        }
        settling.clear();
        settling.append(&mut room.parked);
        let key = |index: &usize| (members[*index].steps, goals[*index]);
        settling.sort_unstable_by_key(|index| (key(index), *index));
        let mut rest = &settling[..];
        while let Some(first) = rest.first() {
            let at = (members[*first].steps, goals[*first]);
            let key = |index: &usize| (members[*index].steps, goals[*index]);
            let count = rest.iter().take_while(|index| key(index) == at).count();
            let (group, others) = rest.split_at(count);
            room.settle(variants, members, group, at)?;
            rest = others;
        }
        Ok(())
    }

    /// Lets a block take the steps of its goal.
    fn run_block<V: Variants>(
        &mut self,
        variants: &V,
        room: usize,
        block: usize,
    ) -> Result<(), V::Error> {
        let Self { members, rooms, settling: stopped, .. } = self;
        let room = &mut rooms[room];
        let end = room.blocks[block].steps + room.blocks[block].goal;
        while room.blocks[block].steps < end && room.blocks[block].taken > 0 {
            let now = room.blocks[block].steps;
            if room.steps_to_command(now) == 0 {
                visit_all(variants, room, block, members, (Visit::Commands, end))?;
            }
            let due = room.blocks[block].members().map(|(_, index)| members[index].due);
            let due = due.min().unwrap_or(u64::MAX).saturating_sub(now).max(1);
            let command = room.steps_to_command(now + 1).saturating_add(1);
            let count = (end - now).min(MOST).min(due).min(command);
            stopped.clear();
            stopped.extend_from_slice(room.blocks[block].run(count, &mut room.stage));
            let mut is_vacant_unsound = false;
            for &slot in &*stopped {
                let Some(index) = room.blocks[block].slots[slot] else {
                    is_vacant_unsound = true;
                    continue;
                };
                let member = &mut members[index];
                variants.set_parameters(member.number, &mut room.stage)?;
                room.enter_kept(member, block, slot);
                run_alone(variants, room, member, count, end)?;
            }
            for (_, index) in room.blocks[block].members() {
                let member = &mut members[index];
                member.steps = member.steps.max(now + count);
            }
            if is_vacant_unsound {
                room.blocks[block].fill_vacant();
            }
            if due <= count {
                visit_all(variants, room, block, members, (Visit::Sample, end))?;
            }
        }
        Ok(())
    }

    /// Lets members take their steps that are parked.
    fn run_parked<V: Variants>(&mut self, variants: &V, room: usize) -> Result<(), V::Error> {
        let Self { members, rooms, goals, .. } = self;
        let room = &mut rooms[room];
        for number in (0..room.parked.len()).rev() {
            let index = room.parked[number];
            let (member, goal) = (&mut members[index], goals[index]);
            if goal == 0 {
                continue;
            }
            variants.set_parameters(member.number, &mut room.stage)?;
            room.enter(member);
            run_alone(variants, room, member, goal, member.steps + goal)?;
            if !matches!(member.home, Home::Parked(_)) {
                room.parked.swap_remove(number);
            }
        }
        Ok(())
    }

    /// Calls `look` with a simulation in the state of a member.
    pub fn look<R>(&mut self, index: usize, look: impl FnOnce(&Simulation) -> R) -> R {
        let member = &self.members[index];
        match &member.home {
            Home::Own(simulation) => look(simulation),
            _ => {
                let room = &mut self.rooms[member.room];
                room.enter(member);
                look(&room.stage)
            }
        }
    }

    /// Reads quantities of all members.
    pub fn read<T>(
        &mut self,
        quantities: &Quantities,
        (rows, width): (&mut [T], usize),
        convert: &impl Fn(f64) -> T,
    ) {
        let mut row = std::mem::take(&mut self.row);
        for (index, to) in rows.chunks_exact_mut(width.max(1)).enumerate() {
            row.clear();
            self.read_one(index, quantities, &mut row);
            to.iter_mut().zip(&row).for_each(|(to, value)| *to = convert(*value));
        }
        self.row = row;
    }

    /// Reads quantities of a member.
    pub fn read_one(&mut self, index: usize, quantities: &Quantities, to: &mut Vec<f64>) {
        let member = &self.members[index];
        let room = &mut self.rooms[member.room];
        if let Home::Own(simulation) = &member.home {
            let tables = (&simulation.tables[..], &room.reads[..]);
            return quantities.read_member(tables, 0, simulation, to);
        }
        if let (Home::Lanes { block, slot }, true) = (&member.home, quantities.are_in_tables()) {
            let block = &room.blocks[*block];
            let tables = (&block.tables[..], &block.reads[..]);
            return quantities.read_member(tables, *slot, &room.stage, to);
        }
        room.enter(member);
        quantities.read_member((&room.stage.tables, &room.reads), 0, &room.stage, to);
    }

    /// Sets a command of all members.
    pub fn command<V: Variants>(
        &mut self,
        variants: &V,
        vehicle: usize,
        kind: &str,
        values: &[f64],
    ) -> Result<(), V::Error> {
        let width = values.len() / self.members.len().max(1);
        let row = |index: usize| &values[index * width..(index + 1) * width];
        let set = |table: &mut Table, lane: usize, columns: &[Option<Column>], values: &[f64]| {
            for (column, value) in columns.iter().zip(values) {
                if let Some(column) = column {
                    table.vehicles.columns.get_mut(*column)[lane] = *value;
                }
            }
        };
        let mut columns = std::mem::take(&mut self.columns);
        for room in &mut self.rooms {
            let Some(&(table, lane)) = room.stage.places.get(vehicle) else { continue };
            let count = room.stage.tables[table].vehicles.lanes.len();
            for block in room.blocks.iter_mut().filter(|block| block.taken > 0) {
                let table = &mut block.tables[table];
                columns.clear();
                columns.extend(table.command_columns(kind).into_iter().flatten());
                for (slot, index) in block.slots.iter().enumerate() {
                    if let Some(index) = index {
                        set(table, slot * count + lane, &columns, row(*index));
                    }
                }
            }
        }
        for index in 0..self.members.len() {
            let Some(&(table, lane)) =
                self.rooms[self.members[index].room].stage.places.get(vehicle)
            else {
                continue;
            };
            let mut act = |simulation: &mut Simulation| {
                let table = &mut simulation.tables[table];
                columns.clear();
                columns.extend(table.command_columns(kind).into_iter().flatten());
                set(table, lane, &columns, row(index));
            };
            match &mut self.members[index].home {
                Home::Own(simulation) => act(simulation),
                Home::Parked(_) => self.edit(variants, index, act)?,
                Home::Lanes { .. } | Home::None => {}
            }
        }
        self.columns = columns;
        Ok(())
    }

    /// Calls `edit` with a simulation in the state of a member, which then is the state of the member.
    pub fn edit<V: Variants, R>(
        &mut self,
        variants: &V,
        index: usize,
        edit: impl FnOnce(&mut Simulation) -> R,
    ) -> Result<R, V::Error> {
        let Self { members, rooms, .. } = self;
        let member = &mut members[index];
        if let Home::Own(simulation) = &mut member.home {
            let result = edit(simulation);
            member.steps = simulation.clock.steps;
            return Ok(result);
        }
        let room = &mut rooms[member.room];
        variants.set_parameters(member.number, &mut room.stage)?;
        room.enter(member);
        let result = edit(&mut room.stage);
        let was = member.steps;
        let is_parked = matches!(member.home, Home::Parked(_));
        if !room.leave(member, true) {
            room.move_out(variants, member)?;
            room.parked.retain(|parked| *parked != index);
        } else if member.steps != was && !is_parked {
            room.park(index, member);
        }
        Ok(result)
    }
}

/// Lets the member that is on the stage take `count` of the steps to `end`, and takes it from there. If it cannot
/// return to its place, it takes all of them in a simulation of its own.
fn run_alone<V: Variants>(
    variants: &V,
    room: &mut Room,
    member: &mut Member,
    count: u64,
    end: u64,
) -> Result<(), V::Error> {
    let failure = room.stage.run(count).err();
    leave_or_run(variants, room, member, (failure, true), end)
}

/// Takes a member from the stage. If it cannot return to its place, it takes its steps up to `end` in a simulation of
/// its own.
fn leave_or_run<V: Variants>(
    variants: &V,
    room: &mut Room,
    member: &mut Member,
    (failure, has_changed): (Option<StepError>, bool),
    end: u64,
) -> Result<(), V::Error> {
    if failure.is_none() && room.leave(member, has_changed) {
        return Ok(());
    }
    room.move_out(variants, member)?;
    member.failure = failure;
    if let (Home::Own(simulation), None) = (&mut member.home, &member.failure) {
        member.failure = simulation.run(end.saturating_sub(simulation.clock.steps)).err();
        member.steps = simulation.clock.steps;
    }
    Ok(())
}

/// Builds the simulation of a member that shares nothing, or restarts it.
fn restart<V: Variants>(
    variants: &V,
    room: &mut Room,
    member: &mut Member,
) -> Result<(), V::Error> {
    let mut simulation = variants.build(variants.variant_of(member.number), member.seed)?;
    member.failure = variants.start(member.number, &mut simulation)?;
    room.vacate(member);
    member.steps = simulation.clock.steps;
    member.home = Home::Own(Box::new(simulation));
    Ok(())
}

/// Puts all members of a block on the stage one by one: for the commands that act in the step after this one, or for
/// samples of their sensors at the end of the last step. Those that cannot return take their steps up to `end`.
fn visit_all<V: Variants>(
    variants: &V,
    room: &mut Room,
    block: usize,
    members: &mut [Member],
    (reason, end): (Visit, u64),
) -> Result<(), V::Error> {
    for slot in 0..room.blocks[block].width() {
        let Some(index) = room.blocks[block].slots[slot] else { continue };
        let member = &mut members[index];
        if matches!(reason, Visit::Sample) && member.due > member.steps {
            continue;
        }
        room.enter(member);
        let failure = match reason {
            Visit::Commands => room.stage.act_on_commands().err(),
            Visit::Sample => room.stage.sample().err(),
        };
        let has_changed = matches!(reason, Visit::Commands);
        leave_or_run(variants, room, member, (failure, has_changed), end)?;
    }
    Ok(())
}

/// Why a member is put on the stage.
#[derive(Clone, Copy)]
enum Visit {
    /// Commands act.
    Commands,
    /// A sensor is due, or a sample arrives.
    Sample,
}

/// Returns the most frequent of some numbers, 0 if there is none.
fn most_frequent(numbers: impl Iterator<Item = u64>) -> u64 {
    let (mut found, mut votes) = (0, 0usize);
    let mut best = (0, 0usize);
    for number in numbers {
        if votes == 0 {
            found = number;
        }
        if number == found {
            votes += 1
        } else {
            votes -= 1
        }
        if votes > best.1 {
            best = (found, votes);
        }
    }
    if votes > 0 { found } else { best.0 }
}
