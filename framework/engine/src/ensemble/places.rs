//! The places of the members of a room: lanes of blocks, as numbers, or in simulations of their own.

use super::block::Block;
use super::member::{EnsembleMember, Home};
use super::room::Room;
use super::sensors::{next_due, save};
use super::variants::Variants;

/// Numbers of vehicles of one kind in blocks, ascending.
const WIDTHS: [usize; 5] = [8, 16, 32, 64, 128];

impl Room {
    /// Gives the member that is on the stage a simulation of its own.
    pub fn move_out<V: Variants>(
        &mut self,
        variants: &V,
        member: &mut EnsembleMember,
    ) -> Result<(), V::Error> {
        let next = match self.spare.pop() {
            Some(spare) => spare,
            None => Box::new(variants.build(self.variant, member.seed)?),
        };
        let mut own = next;
        std::mem::swap(&mut *own, &mut self.stage);
        self.vacate(member);
        member.steps = own.clock.steps;
        member.home = Home::Own(own);
        Ok(())
    }

    /// Takes the simulation from a member that has one of its own, if it can share tables again: it is parked.
    pub fn take_back(&mut self, index: usize, member: &mut EnsembleMember) {
        let Home::Own(own) = &member.home else { return };
        if !self.obstacles.is_empty() || member.failure.is_some() || !own.can_share() {
            return;
        }
        let mut image = self.spare_images.pop().unwrap_or_default();
        image.clear();
        own.save_vehicles(&mut image);
        save(own, &mut member.sensors);
        (member.steps, member.due) = (own.clock.steps, next_due(own));
        self.vacate(member);
        member.home = Home::Parked(image);
        self.parked.push(index);
    }

    /// Takes a member from its slot, or its simulation from it.
    pub fn vacate(&mut self, member: &mut EnsembleMember) {
        match std::mem::replace(&mut member.home, Home::None) {
            Home::Lanes { block, slot } => self.blocks[block].clear(slot),
            Home::Own(simulation) if self.obstacles.is_empty() => self.spare.push(simulation),
            Home::Parked(image) => self.spare_images.push(image),
            Home::Own(_) | Home::None => {}
        }
    }

    /// Takes a member out, which starts again.
    pub fn take_out(&mut self, index: usize, member: &mut EnsembleMember) {
        if matches!(member.home, Home::Parked(_)) {
            self.parked.retain(|parked| *parked != index);
        }
        self.vacate(member);
    }

    /// Makes numbers of the vehicles of a member in a block.
    pub fn park(&mut self, index: usize, member: &mut EnsembleMember) {
        if let Home::Lanes { block, slot } = member.home {
            let mut image = self.spare_images.pop().unwrap_or_default();
            image.clear();
            self.blocks[block].save(slot, &mut image);
            self.blocks[block].clear(slot);
            member.home = Home::Parked(image);
            self.parked.push(index);
        }
    }

    /// Puts members that are parked, or at their starts, into blocks with members at the same step that are to take as many
    /// more, whose number `goal` returns for the index of a member.
    pub fn settle_all<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [EnsembleMember],
        indices: &mut [usize],
        goal: impl Fn(usize) -> u64,
    ) -> Result<(), V::Error> {
        let key = |members: &[EnsembleMember], index: usize| (members[index].steps, goal(index));
        indices.sort_unstable_by_key(|index| (key(members, *index), *index));
        let mut rest = &*indices;
        while let Some(&first) = rest.first() {
            let at = key(members, first);
            let count = rest.iter().take_while(|index| key(members, **index) == at).count();
            let (group, others) = rest.split_at(count);
            self.settle(variants, members, group, at)?;
            rest = others;
        }
        Ok(())
    }

    /// Puts members that are parked, or at their starts, which have completed `steps` steps and are to take `goal`
    /// more, into blocks. Those for which no block is worth its memory are parked.
    fn settle<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [EnsembleMember],
        indices: &[usize],
        (steps, goal): (u64, u64),
    ) -> Result<(), V::Error> {
        let mut left = indices;
        while let Some((&index, rest)) = left.split_first() {
            let wanted = (left.len(), members.len() == 1);
            let Some(block) = self.vacant_block(variants, (steps, goal), wanted)? else {
                left.iter().for_each(|index| self.keep_parked(*index, &mut members[*index]));
                break;
            };
            let Some(slot) = self.blocks[block].slots.vacant() else { break };
            let member = &mut members[index];
            match &member.home {
                Home::Parked(image) => self.blocks[block].put(slot, index, member, image),
                _ => {
                    let Some(start) = member.start.clone() else { break };
                    self.blocks[block].put(slot, index, member, &start.image);
                }
            }
            let home = std::mem::replace(&mut member.home, Home::Lanes { block, slot });
            if let Home::Parked(image) = home {
                self.spare_images.push(image);
            }
            left = rest;
        }
        Ok(())
    }

    fn keep_parked(&mut self, index: usize, member: &mut EnsembleMember) {
        if let (Home::None, Some(start)) = (&member.home, &member.start) {
            let mut image = self.spare_images.pop().unwrap_or_default();
            image.copy_from(&start.image);
            member.home = Home::Parked(image);
        }
        if matches!(member.home, Home::Parked(_)) {
            self.parked.push(index);
        }
    }

    /// Returns the number of slots of a new block for `wanted` members, or for some of them.
    fn width_for(&self, wanted: usize) -> usize {
        let most = self.lanes.iter().copied().max().unwrap_or(1).max(1);
        let [.., widest] = WIDTHS;
        let width = WIDTHS.into_iter().find(|lanes| lanes / most >= wanted).unwrap_or(widest);
        (width / most).max(2)
    }

    /// Returns whether the members of a block fit into one of half the width, so that they are better off there: vacant
    /// slots are computed, too.
    pub fn is_sparse(&self, block: &Block) -> bool {
        block.slots.taken() > 0 && 2 * self.width_for(block.slots.taken()) <= block.slots.width()
    }

    /// Returns a block with a vacant slot at a step and with a number of steps to take, for `wanted` members. A member that
    /// is alone in its chunk has a block of its own.
    fn vacant_block<V: Variants>(
        &mut self,
        variants: &V,
        (steps, goal): (u64, u64),
        (wanted, is_alone): (usize, bool),
    ) -> Result<Option<usize>, V::Error> {
        let fits =
            |block: &Block| (block.steps, block.goal) == (steps, goal) && block.slots.taken() > 0;
        let with_room = |block: &Block| block.slots.taken() < block.slots.width();
        if let Some(found) = self.blocks.iter().position(|block| fits(block) && with_room(block)) {
            return Ok(Some(found));
        }
        let width = match wanted {
            1 if is_alone => 1,
            0 | 1 => return Ok(None),
            _ => self.width_for(wanted),
        };
        let is_empty = |block: &Block| block.slots.taken() == 0 && block.slots.width() == width;
        let found = match self.blocks.iter().position(is_empty) {
            Some(found) => found,
            None => {
                let tables = variants.build_tables(self.variant, width)?.0;
                self.blocks.push(Block::new(tables, self.lanes.clone(), width));
                self.blocks.len() - 1
            }
        };
        (self.blocks[found].steps, self.blocks[found].goal) = (steps, goal);
        Ok(Some(found))
    }

    /// Returns the number of steps that the members of a block, or one that is parked, can take at once.
    pub fn steps_to_command(&self, steps: u64) -> u64 {
        let next = self.commands.partition_point(|step| *step < steps);
        self.commands.get(next).map_or(u64::MAX, |step| step - steps)
    }
}
