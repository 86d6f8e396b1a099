//! The steps of the members of a chunk.

use super::block::Block;
use super::chunk::Chunk;
use super::group::VariantGroup;
use super::member::{BatchMember, BatchProgress, MemberPlace};
use super::variants::Variants;

/// Greatest number of steps that a block takes at once.
const MOST: u64 = 16;

/// Number of members of a chunk for each one that is detached while it takes no steps, so that it finds its place vacant
/// afterwards. With more of them, a block of their own is faster.
const PER_WAITING: usize = 16;

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
        for group in 0..self.groups.len() {
            if self.groups[group].obstacles.is_empty() {
                self.arrange(variants, group)?;
            }
        }
        if !self.are_all_in_blocks() {
            let detached = self.members.iter_mut().zip(&self.goals);
            for (member, goal) in
                detached.filter(|(member, goal)| member.is_detached() && **goal > 0)
            {
                member.run_detached(*goal);
            }
        }
        for group in 0..self.groups.len() {
            for block in 0..self.groups[group].blocks.len() {
                self.run_block(variants, group, block)?;
            }
        }
        let befores = std::mem::take(&mut self.befores);
        // those that have taken no steps find their places vacant later
        let settled = self.settle_detached(variants, |index, member| member.steps > befores[index]);
        self.befores = befores;
        settled?;
        self.progress = self.progress();
        Ok(())
    }

    /// Determines how many steps each member is to take.
    fn set_goals(&mut self, steps: StepGoals<'_>) {
        let has_others = !self.are_all_in_blocks();
        let Self { range, members, groups, goals, befores, .. } = self;
        for block in groups.iter_mut().flat_map(|group| &mut group.blocks) {
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
        let members = members.iter().enumerate();
        for (index, member) in members.filter(|(_, member)| member.is_detached()) {
            befores[index] = member.steps;
            goals[index] = match member.failure {
                Some(_) => 0,
                None => steps.of(member.number, member.steps),
            };
        }
    }

    /// Returns how far the members are.
    pub fn progress(&self) -> BatchProgress {
        let has_others = !self.are_all_in_blocks();
        let blocks = self.groups.iter().flat_map(|group| &group.blocks);
        let in_blocks = blocks.filter_map(Block::most_steps);
        let begun = BatchProgress { most_steps: in_blocks.max().unwrap_or(0), has_failures: false };
        if !has_others {
            return begun;
        }
        self.members.iter().fold(begun, |all, member| BatchProgress {
            most_steps: all.most_steps.max(member.steps),
            has_failures: all.has_failures | member.failure.is_some(),
        })
    }

    /// Arranges members in blocks so that all of a block take the same number of steps, and few slots are vacant.
    fn arrange<V: Variants>(&mut self, variants: &V, number: usize) -> Result<(), V::Error> {
        let has_others = !self.are_all_in_blocks();
        let Self { members, groups, goals, settling, .. } = self;
        let group = &mut groups[number];
        settling.clear();
        for block in 0..group.blocks.len() {
            let is_sparse = group.is_sparse(&group.blocks[block]);
            let Block { slots, have_one_goal, goal, .. } = &mut group.blocks[block];
            if *have_one_goal && !is_sparse {
                continue;
            }
            for (_, index) in slots.members() {
                goals[index] = if *have_one_goal { *goal } else { goals[index] };
                if is_sparse || goals[index] != *goal {
                    settling.push(index);
                }
            }
            if is_sparse {
                // no member settles here
                *goal = u64::MAX;
            }
        }
        let waits = |index: &usize| goals[*index] == 0;
        let waiting = settling.iter().filter(|index| waits(index)).count();
        if group.mixes_steps && PER_WAITING * waiting <= members.len() {
            for index in settling.extract_if(.., |index| waits(index)) {
                group.detach(variants, &mut members[index], false)?;
            }
        }
        if has_others {
            let others = members.iter().enumerate();
            let others = others.filter(|(index, member)| {
                member.group == number && goals[*index] > 0 && member.can_attach()
            });
            settling.extend(others.map(|(index, _)| index));
        }
        group.settle_all(variants, members, settling, |index| goals[index])
    }

    /// Lets a block take the steps of its goal. A member that cannot take some of them there takes them in a simulation of its
    /// own, and returns to its slot as soon as it can.
    fn run_block<V: Variants>(
        &mut self,
        variants: &V,
        group: usize,
        block: usize,
    ) -> Result<(), V::Error> {
        let Self { members, groups, interrupted, .. } = self;
        let group = &mut groups[group];
        interrupted.clear();
        if group.blocks[block].slots.taken() == 0 {
            return Ok(());
        }
        let end = group.blocks[block].steps + group.blocks[block].goal;
        while group.blocks[block].steps < end && group.blocks[block].slots.taken() > 0 {
            let now = group.blocks[block].steps;
            if group.steps_to_command(now) == 0 {
                group.act_on_commands(block);
            }
            let due = group.blocks[block].slots.members().map(|(_, index)| {
                let member = &members[index];
                member.due.saturating_sub(member.steps)
            });
            let due = due.min().unwrap_or(u64::MAX).max(1);
            let command = group.steps_to_command(now + 1).saturating_add(1);
            let count = (end - now).min(MOST).min(due).min(command);
            run_some(variants, group, block, members, count, interrupted)?;
            interrupted.retain(|&(slot, index)| {
                let member = &mut members[index];
                member.run_detached(count);
                let returns = member.can_attach();
                if returns {
                    group.attach(block, slot, index, member);
                }
                !returns
            });
            if due <= count {
                sample(variants, group, block, members, interrupted)?;
            }
        }
        let left = end - group.blocks[block].steps.min(end);
        interrupted.iter().for_each(|(_, index)| members[*index].run_detached(left));
        Ok(())
    }
}

/// Lets a block take `count` steps. Members that cannot are detached in the state before these, and added to `interrupted` with
/// their slots.
fn run_some<V: Variants>(
    variants: &V,
    group: &mut VariantGroup,
    block: usize,
    members: &mut [BatchMember],
    count: u64,
    interrupted: &mut Vec<(usize, usize)>,
) -> Result<(), V::Error> {
    let VariantGroup { blocks, proxy, kept, .. } = &mut *group;
    let ran = &mut blocks[block];
    ran.run(count, proxy, kept);
    let first = interrupted.len();
    let mut is_vacant_unsound = false;
    for &slot in &ran.stopped {
        match ran.slots.member(slot) {
            Some(index) => interrupted.push((slot, index)),
            None => is_vacant_unsound = true,
        }
    }
    for (_, index) in &interrupted[first..] {
        group.detach(variants, &mut members[*index], true)?;
    }
    let block = &mut group.blocks[block];
    for (slot, index) in block.slots.members() {
        members[index].steps = block.steps_of(slot);
    }
    if is_vacant_unsound {
        block.fill_vacant();
    }
    Ok(())
}

/// Samples the sensors that are due of the members of a block. Members of which a model faults are detached.
fn sample<V: Variants>(
    variants: &V,
    group: &mut VariantGroup,
    block: usize,
    members: &mut [BatchMember],
    interrupted: &mut Vec<(usize, usize)>,
) -> Result<(), V::Error> {
    for slot in 0..group.blocks[block].slots.width() {
        let Some(index) = group.blocks[block].slots.member(slot) else { continue };
        let member = &mut members[index];
        if member.due > member.steps || group.sample(member) {
            continue;
        }
        group.detach(variants, member, false)?;
        if let MemberPlace::Detached(own) = &mut member.place {
            member.failure =
                crate::step::sample(&mut own.state, &own.blueprint, &own.workers).err();
        }
        interrupted.push((slot, index));
    }
    Ok(())
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
