//! Chunks: members that one thread steps at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::member::{EnsembleMember, Home, MembersProgress};
use super::reading::ReadPlan;
use super::room::Room;
use super::variants::Variants;
use crate::columns::Column;
use crate::sensors::SensorState;

/// Members that one thread steps at a time.
pub(super) struct Chunk {
    /// Numbers of the members in the ensemble.
    pub range: Range<usize>,
    pub members: Vec<EnsembleMember>,
    pub rooms: Vec<Room>,
    /// Indices of the rooms by variant.
    known: BTreeMap<usize, usize>,
    /// Steps that each member is to take.
    pub goals: Vec<u64>,
    /// Number of completed steps of each member before the last call that stepped the members.
    pub befores: Vec<u64>,
    /// Members that are to be put into blocks.
    pub settling: Vec<usize>,
    /// Values of a member.
    pub row: Vec<f64>,
    /// Columns of a command.
    pub columns: Vec<Option<Column>>,
    /// Where quantities are read.
    pub read_plan: ReadPlan,
    /// How far the members were after the last steps.
    pub progress: MembersProgress,
}

impl Chunk {
    pub fn new(range: Range<usize>) -> Self {
        Self {
            range,
            members: Vec::new(),
            rooms: Vec::new(),
            known: BTreeMap::new(),
            goals: Vec::new(),
            befores: Vec::new(),
            settling: Vec::new(),
            row: Vec::new(),
            columns: Vec::new(),
            read_plan: ReadPlan::default(),
            progress: MembersProgress::default(),
        }
    }

    /// Creates the members at their starts.
    pub fn open<V: Variants>(&mut self, variants: &V) -> Result<(), V::Error> {
        self.members.reserve_exact(self.range.len());
        self.members.extend(self.range.clone().map(|number| EnsembleMember {
            number,
            room: usize::MAX,
            seed: 0,
            steps: 0,
            due: u64::MAX,
            home: Home::None,
            encounter: None,
            place: None,
            sensors: SensorState::default(),
            start: None,
            failure: None,
        }));
        (self.goals, self.befores) = (vec![0; self.members.len()], vec![0; self.members.len()]);
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
                (member.room, member.start, member.place) = (room, None, None);
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

    /// Returns the values of its members among those of all, of which each has `width`.
    pub fn own<'v>(&self, values: &'v [f64], width: usize) -> &'v [f64] {
        &values[self.range.start * width..self.range.end * width]
    }

    pub fn why_not_shared(&self) -> &[String] {
        self.rooms.first().map_or(&[], |room| &room.obstacles)
    }

    pub fn apart(&self) -> usize {
        self.members.iter().filter(|member| matches!(member.home, Home::Own(_))).count()
    }

    /// Returns whether every member is in a block, so that none has to be looked at by itself.
    pub fn are_all_in_blocks(&self) -> bool {
        let blocks = self.rooms.iter().flat_map(|room| &room.blocks);
        blocks.map(|block| block.slots.taken()).sum::<usize>() == self.members.len()
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
        settling.clear();
        for (index, member) in members.iter_mut().enumerate() {
            if !is_reset(member.number) {
                continue;
            }
            let room = &mut rooms[member.room];
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
        rooms.iter_mut().flat_map(|room| &mut room.blocks).for_each(|block| block.goal = 0);
        settling.sort_by_key(|index| members[*index].room);
        let mut rest = &mut settling[..];
        while let Some(first) = rest.first() {
            let room = members[*first].room;
            let count = rest.partition_point(|index| members[*index].room == room);
            let (own, others) = rest.split_at_mut(count);
            rooms[room].settle_all(variants, members, own, |_| 0)?;
            rest = others;
        }
        self.progress = self.progress();
        Ok(())
    }
}

/// Builds the simulation of a member that shares nothing, or restarts it.
fn restart<V: Variants>(
    variants: &V,
    room: &mut Room,
    member: &mut EnsembleMember,
) -> Result<(), V::Error> {
    let mut simulation = variants.build(variants.variant_of(member.number), member.seed)?;
    member.failure = variants.start(member.number, &mut simulation)?;
    room.vacate(member);
    member.steps = simulation.clock.steps;
    member.home = Home::Own(Box::new(simulation));
    Ok(())
}
