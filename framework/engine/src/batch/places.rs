//! The places of the members of a variant: lanes of blocks, or simulations of their own.

use super::block::Block;
use super::group::VariantGroup;
use super::member::BatchMember;
use super::variants::Variants;

/// Numbers of vehicles of one kind in blocks, ascending.
const WIDTHS: [usize; 5] = [8, 16, 32, 64, 128];

impl VariantGroup {
    /// Puts members into blocks with members that are to take as many steps, whose number `goal` returns for the index of a
    /// member. Unless all models are time-invariant, these are at the same step.
    pub fn settle_all<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [BatchMember],
        indices: &mut [usize],
        goal: impl Fn(usize) -> u64,
    ) -> Result<(), V::Error> {
        let key = |group: &Self, members: &[BatchMember], index: usize| {
            (group.steps_key(members[index].steps), goal(index))
        };
        indices.sort_unstable_by_key(|index| (key(self, members, *index), *index));
        let mut rest = &*indices;
        while let Some(&first) = rest.first() {
            let at = key(self, members, first);
            let is_alike = |index: &&usize| key(self, members, **index) == at;
            let (alike, others) = rest.split_at(rest.iter().take_while(is_alike).count());
            self.settle(variants, members, alike, at.1)?;
            rest = others;
        }
        Ok(())
    }

    /// Puts members that can be in one block and are to take `goal` steps into blocks. Those for which no block is worth its
    /// memory are detached.
    fn settle<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [BatchMember],
        indices: &[usize],
        goal: u64,
    ) -> Result<(), V::Error> {
        for (at, &index) in indices.iter().enumerate() {
            let (wanted, is_alone) = (indices.len() - at, members.len() == 1);
            let steps = members[index].steps;
            // where it was, so that the members of a block remain in the order of their numbers
            let own =
                members[index].last.filter(|place| self.can_return(place.0, place.1, steps, goal));
            let found = match own {
                Some(own) => Some(own),
                None => self.vacant_place(variants, steps, goal, wanted, is_alone)?,
            };
            match found {
                Some((block, slot)) => self.attach(block, slot, index, &mut members[index]),
                None => self.detach(variants, &mut members[index], false)?,
            }
        }
        Ok(())
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
    fn can_return(&self, block: usize, slot: usize, steps: u64, goal: u64) -> bool {
        let block = &self.blocks[block];
        block.slots.member(slot).is_none() && self.has_members_alike(block, steps, goal)
    }

    /// Returns whether a block has members with which one that has completed `steps` steps can take `goal` more.
    fn has_members_alike(&self, block: &Block, steps: u64, goal: u64) -> bool {
        let key = |steps: u64| self.steps_key(steps);
        block.slots.taken() > 0 && (key(block.steps), block.goal) == (key(steps), goal)
    }

    /// Returns a block with a vacant slot, and that slot, for `wanted` members, the first of which has completed `steps` steps
    /// and which are to take `goal` more. A member that is alone in its chunk has a block of its own.
    fn vacant_place<V: Variants>(
        &mut self,
        variants: &V,
        steps: u64,
        goal: u64,
        wanted: usize,
        is_alone: bool,
    ) -> Result<Option<(usize, usize)>, V::Error> {
        let mut places = self.blocks.iter().enumerate().filter_map(|(number, block)| {
            let slot = block.slots.vacant()?;
            self.has_members_alike(block, steps, goal).then_some((number, slot))
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
}
