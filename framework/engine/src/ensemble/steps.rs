//! The steps of the members of a chunk.

use super::block::{Block, BlockRun};
use super::chunk::Chunk;
use super::member::{EnsembleMember, Home, MembersProgress};
use super::room::Room;
use super::variants::Variants;
use crate::simulation::StepError;

/// Greatest number of steps that a block takes at once.
const MOST: u64 = 16;

/// Number of members of a chunk for one that is kept as numbers while it takes no steps.
const FEW: usize = 16;

/// How many steps members take.
#[derive(Clone, Copy)]
pub enum StepGoals<'g> {
    /// As many as this returns for the number of completed steps of a member.
    Alike(&'g (dyn Fn(u64) -> u64 + Sync)),
    /// As many as this returns for a member and the number of its completed steps.
    Each(&'g (dyn Fn(usize, u64) -> u64 + Sync)),
}

impl StepGoals<'_> {
    fn of(&self, member: usize, done: u64) -> u64 {
        match self {
            Self::Alike(steps) => steps(done),
            Self::Each(steps) => steps(member, done),
        }
    }
}

impl Chunk {
    /// Takes steps.
    pub fn step<V: Variants>(
        &mut self,
        variants: &V,
        steps: StepGoals<'_>,
    ) -> Result<(), V::Error> {
        self.set_goals(steps);
        for room in 0..self.rooms.len() {
            if self.rooms[room].obstacles.is_empty() {
                self.arrange(variants, room)?;
                for block in 0..self.rooms[room].blocks.len() {
                    self.run_block(variants, room, block)?;
                }
                self.run_parked(variants, room)?;
            }
        }
        self.progress = self.progress();
        Ok(())
    }

    /// Determines how many steps each member is to take. Members with a simulation of their own take them.
    fn set_goals(&mut self, steps: StepGoals<'_>) {
        let has_others = !self.are_all_in_blocks();
        let Self { range, members, rooms, goals, befores, .. } = self;
        for block in rooms.iter_mut().flat_map(|room| &mut room.blocks) {
            if let (StepGoals::Alike(steps), Some(done)) = (steps, block.common_steps()) {
                match block.slots.range() {
                    Some(range) => befores[range].fill(done),
                    None => block.slots.members().for_each(|(_, index)| befores[index] = done),
                }
                (block.goal, block.have_one_goal) = (steps(done), true);
                continue;
            }
            for (slot, index) in block.slots.members() {
                let done = block.steps_of(slot);
                (befores[index], goals[index]) = (done, steps.of(range.start + index, done));
            }
            let goals = || block.slots.members().map(|(_, index)| goals[index]);
            let goal = most_frequent(goals());
            block.have_one_goal = goals().all(|other| other == goal);
            block.goal = goal;
        }
        if !has_others {
            return;
        }
        let is_other = |member: &EnsembleMember| !matches!(member.home, Home::Lanes { .. });
        let others = members.iter_mut().enumerate();
        for (index, member) in others.filter(|(_, member)| is_other(member)) {
            rooms[member.room].take_back(index, member);
            befores[index] = member.steps;
            goals[index] = match member.failure {
                Some(_) => 0,
                None => steps.of(member.number, member.steps),
            };
            if let (Home::Own(simulation), 1..) = (&mut member.home, goals[index]) {
                member.failure = simulation.run(goals[index]).err();
                member.steps = simulation.clock.steps;
            }
        }
    }

    /// Returns how far the members are.
    pub fn progress(&self) -> MembersProgress {
        let has_others = !self.are_all_in_blocks();
        let blocks = self.rooms.iter().flat_map(|room| &room.blocks);
        let in_blocks = blocks.filter_map(Block::most_steps);
        let begun =
            MembersProgress { most_steps: in_blocks.max().unwrap_or(0), has_failures: false };
        if !has_others {
            return begun;
        }
        self.members.iter().fold(begun, |all, member| MembersProgress {
            most_steps: all.most_steps.max(member.steps),
            has_failures: all.has_failures | member.failure.is_some(),
        })
    }

    /// Arranges members in blocks so that all of a block take as many steps, and few slots are vacant.
    fn arrange<V: Variants>(&mut self, variants: &V, room: usize) -> Result<(), V::Error> {
        let Self { members, rooms, goals, settling, .. } = self;
        let room = &mut rooms[room];
        for number in 0..room.blocks.len() {
            let block = &room.blocks[number];
            let (is_sparse, goal) = (room.is_sparse(block), block.goal);
            let have_one_goal = block.have_one_goal;
            if have_one_goal && !is_sparse {
                continue;
            }
            settling.clear();
            for (_, index) in block.slots.members() {
                goals[index] = if have_one_goal { goal } else { goals[index] };
                if is_sparse || goals[index] != goal {
                    settling.push(index);
                }
            }
            settling.iter().for_each(|index| room.park(*index, &mut members[*index]));
        }
        if room.parked.is_empty() {
            return Ok(());
        }
        settling.clear();
        settling.append(&mut room.parked);
        let waits = |index: &usize| goals[*index] == 0;
        let waiting = settling.iter().filter(|index| waits(index)).count();
        if room.mixes_steps() && FEW * waiting <= members.len() {
            // those that take no steps now find their places vacant afterwards
            room.parked.extend(settling.extract_if(.., |index| waits(index)));
        }
        room.settle_all(variants, members, settling, |index| goals[index])
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
        while room.blocks[block].steps < end && room.blocks[block].slots.taken() > 0 {
            let now = room.blocks[block].steps;
            if room.steps_to_command(now) == 0 {
                visit_all(variants, room, block, members, (Visit::Commands, end - now))?;
            }
            let due = room.blocks[block].slots.members().map(|(_, index)| {
                let member = &members[index];
                member.due.saturating_sub(member.steps)
            });
            let due = due.min().unwrap_or(u64::MAX).max(1);
            let command = room.steps_to_command(now + 1).saturating_add(1);
            let count = (end - now).min(MOST).min(due).min(command);
            stopped.clear();
            let Room { blocks, stage, kept, spare_physics: spare, .. } = &mut *room;
            let run = BlockRun { count, members, kept, spare };
            stopped.extend_from_slice(blocks[block].run(stage, run));
            let left = end - now - count;
            rerun(variants, room, (block, stopped), members, (count, left))?;
            if due <= count {
                visit_all(variants, room, block, members, (Visit::Sample, left))?;
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
}

/// Lets the members in some slots of a block, which could not take the last `count` steps there, take them elsewhere. After
/// these, `left` more are to be taken.
fn rerun<V: Variants>(
    variants: &V,
    room: &mut Room,
    (block, slots): (usize, &[usize]),
    members: &mut [EnsembleMember],
    (count, left): (u64, u64),
) -> Result<(), V::Error> {
    let mut is_vacant_unsound = false;
    for &slot in slots {
        let Some(index) = room.blocks[block].slots.member(slot) else {
            is_vacant_unsound = true;
            continue;
        };
        let member = &mut members[index];
        variants.set_parameters(member.number, &mut room.stage)?;
        room.enter_kept(member, block, slot);
        let end = member.steps + count + left;
        run_alone(variants, room, member, count, end)?;
    }
    for (slot, index) in room.blocks[block].slots.members() {
        members[index].steps = room.blocks[block].steps_of(slot);
    }
    if is_vacant_unsound {
        room.blocks[block].fill_vacant();
    }
    Ok(())
}

/// Lets the member that is on the stage take `count` of the steps to `end`, and takes it from there. If it cannot
/// return to its place, it takes all of them in a simulation of its own.
fn run_alone<V: Variants>(
    variants: &V,
    room: &mut Room,
    member: &mut EnsembleMember,
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
    member: &mut EnsembleMember,
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

/// Puts all members of a block on the stage one by one: for the commands that act in the step after this one, or for
/// samples of their sensors at the end of the last step. Those that cannot return take the `left` steps by themselves.
fn visit_all<V: Variants>(
    variants: &V,
    room: &mut Room,
    block: usize,
    members: &mut [EnsembleMember],
    (reason, left): (Visit, u64),
) -> Result<(), V::Error> {
    for slot in 0..room.blocks[block].slots.width() {
        let Some(index) = room.blocks[block].slots.member(slot) else { continue };
        let member = &mut members[index];
        let samples = matches!(reason, Visit::Sample);
        if samples && (member.due > member.steps || room.sample_in_block(member)) {
            continue;
        }
        room.enter_for(member, samples);
        let failure = match reason {
            Visit::Commands => room.stage.act_on_commands().err(),
            Visit::Sample => room.stage.sample().err(),
        };
        let end = member.steps + left;
        leave_or_run(variants, room, member, (failure, !samples), end)?;
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
