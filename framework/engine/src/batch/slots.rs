//! The slots of a block.

use std::ops::Range;

/// The slots of a block, and the indices of the members in them.
pub(super) struct Slots {
    members: Vec<Option<usize>>,
    taken: usize,
    /// The first vacant slot.
    vacant: usize,
    /// Index of the first member, less its slot.
    offset: usize,
    /// Number of members whose index is that of the slot and the offset.
    following: usize,
}

impl Slots {
    pub fn new(width: usize) -> Self {
        Self { members: vec![None; width], taken: 0, vacant: 0, offset: 0, following: 0 }
    }

    pub fn width(&self) -> usize {
        self.members.len()
    }

    /// Returns the number of members.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Returns the first slot without a member.
    pub fn vacant(&self) -> Option<usize> {
        Some(self.vacant).filter(|slot| *slot < self.width())
    }

    /// Returns the member in a slot.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn member(&self, slot: usize) -> Option<usize> {
        self.members[slot]
    }

    /// Returns the slots that have members, and these.
    #[inline]
    pub fn members(&self) -> impl Iterator<Item = (usize, usize)> {
        let slots = self.members.iter().enumerate();
        slots.filter_map(|(slot, member)| member.map(|member| (slot, member)))
    }

    /// Returns the members if they follow each other from the first slot on, as they mostly do. Where others were there
    /// before, they may follow each other unnoticed.
    #[inline]
    pub fn range(&self) -> Option<Range<usize>> {
        let is_dense = self.vacant == self.taken && self.following == self.taken;
        is_dense.then(|| self.offset..self.offset + self.taken)
    }

    /// Puts a member into a vacant slot.
    pub fn put(&mut self, slot: usize, member: usize) {
        if self.taken == 0 {
            self.offset = member.wrapping_sub(slot);
        }
        self.members[slot] = Some(member);
        self.taken += 1;
        self.following += self.follows(slot, member);
        while self.members.get(self.vacant).is_some_and(Option::is_some) {
            self.vacant += 1;
        }
    }

    /// Makes a slot vacant.
    pub fn clear(&mut self, slot: usize) {
        if let Some(member) = self.members[slot].take() {
            self.taken -= 1;
            self.following -= self.follows(slot, member);
            self.vacant = self.vacant.min(slot);
        }
    }

    fn follows(&self, slot: usize, member: usize) -> usize {
        usize::from(member.wrapping_sub(slot) == self.offset)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Slots;

    proptest! {
        #[test]
        fn slots_agree_with_a_list_of_members(
            changes in prop::collection::vec((0..6_usize, 0..9_usize, any::<bool>()), 0..40),
        ) {
            let (mut slots, mut list, mut all_follow) = (Slots::new(6), [None; 6], true);
            for (slot, member, follows) in changes {
                match list[slot] {
                    Some(_) => {
                        slots.clear(slot);
                        list[slot] = None;
                    }
                    None => {
                        let member = if follows { slot + 3 } else { member };
                        all_follow = member == slot + 3 && (all_follow || slots.taken() == 0);
                        slots.put(slot, member);
                        list[slot] = Some(member);
                    }
                }
                let taken: Vec<usize> = list.iter().copied().flatten().collect();
                prop_assert_eq!(slots.taken(), taken.len());
                prop_assert_eq!(slots.vacant(), list.iter().position(Option::is_none));
                prop_assert_eq!(slots.members().map(|(_, member)| member).collect::<Vec<_>>(), &taken[..]);
                prop_assert!((0..6).all(|slot| slots.member(slot) == list[slot]));
                let is_dense = list[..taken.len()].iter().all(Option::is_some);
                match slots.range() {
                    Some(range) => prop_assert!(range.eq(taken.iter().copied())),
                    None => prop_assert!(!(is_dense && all_follow)),
                }
            }
        }
    }
}
