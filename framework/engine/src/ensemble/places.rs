//! The places of the members of a room: lanes of blocks, as numbers, or in simulations of their own.

use super::block::Block;
use super::member::{EnsembleMember, Home};
use super::room::{Room, take_encounter};
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
        let Home::Own(own) = &mut member.home else { return };
        if !self.obstacles.is_empty() || member.failure.is_some() || !own.can_meet() {
            return;
        }
        let mut image = self.spare_images.pop().unwrap_or_default();
        image.clear();
        own.save_vehicles(&mut image);
        save(own, &mut member.sensors);
        (member.steps, member.due) = (own.clock.steps, next_due(own));
        let encounter = take_encounter(&mut own.physics, &mut self.spare_physics);
        self.vacate(member);
        member.encounter = encounter;
        member.home = Home::Parked(image);
        self.parked.push(index);
    }

    /// Takes a member from its slot, or its simulation from it.
    pub fn vacate(&mut self, member: &mut EnsembleMember) {
        self.spare_physics.extend(member.encounter.take());
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

    /// Puts members that are parked, or at their starts, into blocks with members that are to take as many steps, whose
    /// number `goal` returns for the index of a member. Unless all models are time-invariant, these are at the same step.
    pub fn settle_all<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [EnsembleMember],
        indices: &mut [usize],
        goal: impl Fn(usize) -> u64,
    ) -> Result<(), V::Error> {
        let key = |room: &Self, members: &[EnsembleMember], index: usize| {
            (room.steps_key(members[index].steps), goal(index))
        };
        indices.sort_unstable_by_key(|index| (key(self, members, *index), *index));
        let mut rest = &*indices;
        while let Some(&first) = rest.first() {
            let at = key(self, members, first);
            let is_alike = |index: &&usize| key(self, members, **index) == at;
            let (group, others) = rest.split_at(rest.iter().take_while(is_alike).count());
            self.settle(variants, members, group, at.1)?;
            rest = others;
        }
        Ok(())
    }

    /// Puts members that are parked, or at their starts, which can be in one block and are to take `goal` steps, into
    /// blocks. Those for which no block is worth its memory are parked.
    fn settle<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [EnsembleMember],
        indices: &[usize],
        goal: u64,
    ) -> Result<(), V::Error> {
        let mut left = indices;
        while let Some((&index, rest)) = left.split_first() {
            let (wanted, steps) = ((left.len(), members.len() == 1), members[index].steps);
            // where it was, so that the members of a block remain in the order of their numbers
            let own = members[index].place.filter(|place| self.can_return(*place, (steps, goal)));
            let found = match own {
                Some(own) => Some(own),
                None => self.vacant_place(variants, (steps, goal), wanted)?,
            };
            let Some((block, slot)) = found else {
                left.iter().for_each(|index| self.keep_parked(*index, &mut members[*index]));
                break;
            };
            let member = &mut members[index];
            member.place = found;
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

    /// Returns whether a slot in which a member was is vacant, and the block is one for members that have completed `steps`
    /// steps and are to take `goal` more.
    fn can_return(&self, (block, slot): (usize, usize), key: (u64, u64)) -> bool {
        let block = &self.blocks[block];
        block.slots.member(slot).is_none() && self.has_members_alike(block, key)
    }

    /// Returns whether a block has members with which one that has completed `steps` steps can take `goal` more.
    fn has_members_alike(&self, block: &Block, (steps, goal): (u64, u64)) -> bool {
        let key = |steps: u64| self.steps_key(steps);
        block.slots.taken() > 0 && (key(block.steps), block.goal) == (key(steps), goal)
    }

    /// Returns a block with a vacant slot, and that slot, for `wanted` members, the first of which has completed `steps` steps
    /// and which are to take `goal` more. A member that is alone in its chunk has a block of its own.
    fn vacant_place<V: Variants>(
        &mut self,
        variants: &V,
        (steps, goal): (u64, u64),
        (wanted, is_alone): (usize, bool),
    ) -> Result<Option<(usize, usize)>, V::Error> {
        let mut places = self.blocks.iter().enumerate().filter_map(|(number, block)| {
            let slot = block.slots.vacant()?;
            self.has_members_alike(block, (steps, goal)).then_some((number, slot))
        });
        if let Some(found) = places.next() {
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
        Ok(Some((found, 0)))
    }

    /// Returns the number of steps that the members of a block, or one that is parked, can take at once.
    pub fn steps_to_command(&self, steps: u64) -> u64 {
        let next = self.commands.partition_point(|step| *step < steps);
        self.commands.get(next).map_or(u64::MAX, |step| step - steps)
    }
}
