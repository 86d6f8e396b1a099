//! Chunks: members that one thread steps at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::group::VariantGroup;
use super::member::{BatchMember, BatchProgress, MemberPlace};
use super::reading::ReadPlan;
use super::variants::Variants;
use crate::columns::Column;
use crate::simulation::Simulation;

/// Number of edits after which detached members return to blocks, so that few of them take memory at a time.
const MOST_EDITED: usize = 128;

/// Members that one thread steps at a time.
#[derive(Default)]
pub(super) struct Chunk {
    /// Numbers of the members in the batch.
    pub range: Range<usize>,
    /// The members.
    pub members: Vec<BatchMember>,
    /// The members by variant, and what they share.
    pub groups: Vec<VariantGroup>,
    /// Indices of the groups by variant.
    known: BTreeMap<usize, usize>,
    /// Steps that each member is to take.
    pub goals: Vec<u64>,
    /// Number of completed steps of each member before the last call that stepped the members.
    pub befores: Vec<u64>,
    /// Members that are to be put into blocks.
    pub settling: Vec<usize>,
    /// Slots of a block and their members, which take some steps detached.
    pub interrupted: Vec<(usize, usize)>,
    /// Values of a member.
    pub row: Vec<f64>,
    /// Columns of a command.
    pub columns: Vec<Option<Column>>,
    /// Where quantities are read.
    pub read_plan: ReadPlan,
    /// How far the members were after the last steps.
    pub progress: BatchProgress,
    /// Number of edits since detached members have last returned to blocks.
    edited: usize,
}

impl Chunk {
    /// Creates a chunk without members.
    pub fn new(range: Range<usize>) -> Self {
        Self { range, ..Self::default() }
    }

    /// Creates the members at their starts.
    pub fn open<V: Variants>(&mut self, variants: &V) -> Result<(), V::Error> {
        self.members = self.range.clone().map(BatchMember::new).collect();
        (self.goals, self.befores) = (vec![0; self.members.len()], vec![0; self.members.len()]);
        self.reset(variants, &|_| true, &|_| true)
    }

    /// Returns the index of the group of a variant, which is built if there is none.
    fn group_of<V: Variants>(&mut self, variants: &V, variant: usize) -> Result<usize, V::Error> {
        if let Some(group) = self.known.get(&variant) {
            return Ok(*group);
        }
        self.groups.push(VariantGroup::new(variants, variant)?);
        self.known.insert(variant, self.groups.len() - 1);
        Ok(self.groups.len() - 1)
    }

    /// Moves the members that are reset into the groups of their variants, and drops empty groups.
    fn change_groups<V: Variants>(
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
            let group = self.group_of(variants, variants.variant_of(number))?;
            let Self { members, groups, .. } = self;
            let member = &mut members[index];
            if let Some(old) = groups.get_mut(member.group) {
                old.take_out(member);
            }
            has_moved |= member.group != group && member.group != usize::MAX;
            if member.group != group {
                (member.group, member.start, member.last) = (group, None, None);
            }
        }
        if has_moved {
            self.drop_empty_groups();
        }
        Ok(())
    }

    fn drop_empty_groups(&mut self) {
        let mut used = vec![false; self.groups.len()];
        self.members.iter().for_each(|member| used[member.group] = true);
        let mut next = 0;
        let numbers: Vec<usize> = used
            .iter()
            .map(|used| {
                next += usize::from(*used);
                next.saturating_sub(1)
            })
            .collect();
        let mut kept = used.iter();
        self.groups.retain(|_| kept.next().is_some_and(|used| *used));
        self.members.iter_mut().for_each(|member| member.group = numbers[member.group]);
        self.known =
            self.groups.iter().enumerate().map(|(at, group)| (group.variant, at)).collect();
    }

    /// Returns why the members of the first variant cannot share tables.
    pub fn why_not_shared(&self) -> &[String] {
        self.groups.first().map_or(&[], |group| &group.obstacles)
    }

    /// Returns the number of detached members.
    pub fn detached(&self) -> usize {
        self.members.iter().filter(|member| member.is_detached()).count()
    }

    /// Returns whether every member is in a block, so that none has to be looked at by itself.
    pub fn are_all_in_blocks(&self) -> bool {
        let blocks = self.groups.iter().flat_map(|group| &group.blocks);
        blocks.map(|block| block.slots.taken()).sum::<usize>() == self.members.len()
    }

    /// Forgets the starts of all members.
    pub fn forget_starts(&mut self) {
        self.members.iter_mut().for_each(|member| member.start = None);
        self.groups.iter_mut().for_each(VariantGroup::forget_start);
    }

    /// Puts members back to their starts.
    pub fn reset<V: Variants>(
        &mut self,
        variants: &V,
        is_reset: &impl Fn(usize) -> bool,
        has_changed: &impl Fn(usize) -> bool,
    ) -> Result<(), V::Error> {
        self.change_groups(variants, is_reset)?;
        let Self { members, groups, settling, .. } = self;
        settling.clear();
        for (index, member) in members.iter_mut().enumerate() {
            if !is_reset(member.number) {
                continue;
            }
            let group = &mut groups[member.group];
            member.seed = variants.seed_of(member.number);
            member.failure = None;
            if !group.obstacles.is_empty() {
                restart(variants, group, member)?;
                continue;
            }
            group.begin(variants, member, has_changed(member.number))?;
            if !member.is_detached() {
                settling.push(index);
            }
        }
        self.settle(variants)?;
        self.progress = self.progress();
        Ok(())
    }

    /// Puts the members in `settling` into blocks, between steps.
    fn settle<V: Variants>(&mut self, variants: &V) -> Result<(), V::Error> {
        let Self { members, groups, settling, .. } = self;
        // blocks have no goal between steps
        groups.iter_mut().flat_map(|group| &mut group.blocks).for_each(|block| block.goal = 0);
        settling.sort_by_key(|index| members[*index].group);
        let mut rest = &mut settling[..];
        while let Some(first) = rest.first() {
            let group = members[*first].group;
            let count = rest.partition_point(|index| members[*index].group == group);
            let (own, others) = rest.split_at_mut(count);
            groups[group].settle_all(variants, members, own, |_| 0)?;
            rest = others;
        }
        Ok(())
    }

    /// Calls `edit` with a simulation in the state of a member, which then is the state of the member.
    pub fn edit<V: Variants, R>(
        &mut self,
        variants: &V,
        index: usize,
        edit: impl FnOnce(&mut Simulation) -> R,
    ) -> Result<R, V::Error> {
        let Self { members, groups, .. } = self;
        let member = &mut members[index];
        groups[member.group].detach(variants, member, false)?;
        let MemberPlace::Detached(own) = &mut member.place else {
            unreachable!("a member has lanes or a simulation of its own between steps");
        };
        let result = edit(own);
        member.steps = own.state.clock.steps;
        self.edited += 1;
        if self.edited >= MOST_EDITED {
            self.edited = 0;
            self.settle_detached(variants, |_, _| true)?;
        }
        Ok(result)
    }

    /// Puts those detached members into blocks that can share tables and that `is_wanted` selects, between steps.
    pub fn settle_detached<V: Variants>(
        &mut self,
        variants: &V,
        is_wanted: impl Fn(usize, &BatchMember) -> bool,
    ) -> Result<(), V::Error> {
        if self.are_all_in_blocks() {
            return Ok(());
        }
        let Self { members, groups, settling, .. } = self;
        settling.clear();
        let all = members.iter().enumerate().filter(|(index, member)| {
            let shares = groups[member.group].obstacles.is_empty();
            shares && member.can_attach() && is_wanted(*index, member)
        });
        settling.extend(all.map(|(index, _)| index));
        self.settle(variants)
    }
}

/// Builds the simulation of a member that shares nothing, or restarts it.
fn restart<V: Variants>(
    variants: &V,
    group: &mut VariantGroup,
    member: &mut BatchMember,
) -> Result<(), V::Error> {
    let mut simulation = variants.build(group.variant, member.seed)?;
    member.failure = variants.start(member.number, &mut simulation)?;
    member.steps = simulation.state.clock.steps;
    member.place = MemberPlace::Detached(Box::new(simulation));
    Ok(())
}
