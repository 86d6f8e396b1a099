//! Reading the members of a chunk, and their commands.

use super::block::Block;
use super::chunk::Chunk;
use super::group::VariantGroup;
use super::member::MemberPlace;
use super::reading::{BlockMembers, ColumnView, MemberRows};
use super::selection::MemberQuantities;
use crate::quantity_list::Source;
use crate::simulation::Simulation;
use crate::table::Read;

/// A table with the vehicles of many members.
pub struct WideView<'m> {
    block: &'m Block,
    group: &'m VariantGroup,
    chunk: &'m Chunk,
}

impl<'m> WideView<'m> {
    /// Returns the slots that are taken, and the numbers of the members in them.
    pub fn members(&self) -> impl Iterator<Item = (usize, usize)> + use<'m> {
        let members = &self.chunk.members;
        self.block.slots.members().map(|(slot, index)| (slot, members[index].number))
    }

    /// Returns the column of the quantity with an index in [`MemberQuantities::infos`]; `None` for one that is not a column of
    /// a table: one that is computed when it is read, such as a pose, a reading of a sensor, or one with several values.
    /// Numbers of slots that are not taken have no meaning.
    pub fn column(&self, quantities: &MemberQuantities, index: usize) -> Option<ColumnView<'m>> {
        let bound = quantities.of(&self.group.world, &self.group.proxy);
        self.block.column(bound.source(index), &self.group.lanes)
    }
}

impl Block {
    /// Returns the column of a quantity that is one, given the numbers of vehicles of a member in each table.
    pub fn column(&self, source: &Source, lanes: &[usize]) -> Option<ColumnView<'_>> {
        let Source::Table { table, lane, wheel, field, .. } = source else { return None };
        let Read::Column(column) = self.reads[*table][*field] else { return None };
        let vehicles = &self.tables[*table].vehicles;
        let count = vehicles.lanes.len();
        let values = &vehicles.columns.get(column)[wheel * count..][..count];
        Some(ColumnView { values, first: *lane, stride: lanes[*table] })
    }
}

impl Chunk {
    /// Returns the tables that have members.
    pub fn views(&self) -> impl Iterator<Item = WideView<'_>> {
        let groups = self.groups.iter();
        groups.flat_map(move |group| {
            let taken = group.blocks.iter().filter(|block| block.slots.taken() > 0);
            taken.map(move |block| WideView { block, group, chunk: self })
        })
    }

    /// Calls `look` with a simulation in the state of a member.
    pub fn look<R>(&mut self, index: usize, look: impl FnOnce(&Simulation) -> R) -> R {
        let Self { members, groups, .. } = self;
        let member = &members[index];
        groups[member.group].look(member, look)
    }

    /// Returns the simulation of a member, if it is detached.
    pub fn simulation_of(&self, index: usize) -> Option<&Simulation> {
        match &self.members[index].place {
            MemberPlace::Detached(own) => Some(own),
            MemberPlace::Start | MemberPlace::Lanes { .. } => None,
        }
    }

    /// Reads quantities of all members.
    pub fn read<T: Copy>(
        &mut self,
        quantities: &MemberQuantities,
        rows: &mut [T],
        convert: &impl Fn(f64) -> T,
    ) {
        let width = quantities.width();
        let (mut row, mut plan) =
            (std::mem::take(&mut self.row), std::mem::take(&mut self.read_plan));
        let mut are_all_read = self.are_all_in_blocks();
        for group in &self.groups {
            let taken = || group.blocks.iter().filter(|block| block.slots.taken() > 0);
            if taken().next().is_none() {
                continue;
            }
            let bound = quantities.of(&group.world, &group.proxy);
            if !bound.are_of_members() {
                are_all_read = false;
                continue;
            }
            let mut planned = 0;
            for block in taken() {
                // the tables of blocks of one width have the same columns
                if planned != block.slots.width() {
                    plan.fill(group, block, &bound);
                    planned = block.slots.width();
                }
                let from = BlockMembers { group, block, members: &self.members };
                plan.read(from, &bound, &mut MemberRows { rows, width, convert }, &mut row);
            }
        }
        (self.row, self.read_plan) = (row, plan);
        if !are_all_read {
            self.read_others(quantities, rows, convert);
        }
    }

    /// Reads quantities of the members that are in no block, and of those in a block whose quantities are not all in tables
    /// and members.
    fn read_others<T: Copy>(
        &mut self,
        quantities: &MemberQuantities,
        rows: &mut [T],
        convert: &impl Fn(f64) -> T,
    ) {
        let mut row = std::mem::take(&mut self.row);
        for (index, to) in rows.chunks_exact_mut(quantities.width().max(1)).enumerate() {
            let member = &self.members[index];
            let group = &self.groups[member.group];
            let is_in_block = matches!(member.place, MemberPlace::Lanes { .. });
            if is_in_block && quantities.of(&group.world, &group.proxy).are_of_members() {
                continue;
            }
            row.clear();
            self.read_one(index, quantities, &mut row);
            to.iter_mut().zip(&row).for_each(|(to, value)| *to = convert(*value));
        }
        self.row = row;
    }

    /// Reads quantities of a member.
    pub fn read_one(&mut self, index: usize, quantities: &MemberQuantities, to: &mut Vec<f64>) {
        let Self { members, groups, .. } = self;
        let member = &members[index];
        let group = &mut groups[member.group];
        let quantities = quantities.of(&group.world, &group.proxy);
        if let (MemberPlace::Lanes { block, slot }, true) =
            (&member.place, quantities.are_of_members())
        {
            let block = &group.blocks[*block];
            let Block { tables, reads, .. } = block;
            for number in 0..quantities.infos().len() {
                match quantities.source(number) {
                    Source::Sensor(place) => {
                        let place = group.proxy.state.sensors.kept_place(place);
                        let first = to.len();
                        to.resize(first + quantities.infos()[number].count(), f64::NAN);
                        member.sensors.copy(&place, &mut to[first..], &|value| value);
                    }
                    _ => quantities.read_of_member(number, tables, reads, *slot, &group.proxy, to),
                }
            }
            return;
        }
        let reads = std::mem::take(&mut group.reads);
        group.look(member, |simulation| {
            quantities.read_member(&simulation.state.tables, &reads, 0, simulation, to);
        });
        group.reads = reads;
    }

    /// Sets a command of all members.
    pub fn command(&mut self, vehicle: usize, kind: &str, values: &[f64]) {
        let Self { members, groups, columns, .. } = self;
        let width = values.len() / members.len().max(1);
        for group in groups.iter_mut() {
            let Some(&(table, lane)) = group.proxy.blueprint.places.get(vehicle) else { continue };
            let count = group.lanes[table];
            for block in group.blocks.iter_mut().filter(|block| block.slots.taken() > 0) {
                let slots = &block.slots;
                let table = &mut block.tables[table];
                columns.clear();
                columns.extend(table.command_columns(kind).into_iter().flatten());
                for (number, column) in columns.iter().take(width).enumerate() {
                    let Some(column) = column else { continue };
                    let to = table.vehicles.columns.get_mut(*column);
                    match slots.range() {
                        Some(range) => {
                            let rows = &values[range.start * width..range.end * width];
                            let lanes = to.iter_mut().skip(lane).step_by(count);
                            let rows = rows.chunks_exact(width);
                            lanes.zip(rows).for_each(|(to, row)| *to = row[number]);
                        }
                        None => slots.members().for_each(|(slot, index)| {
                            to[slot * count + lane] = values[index * width + number];
                        }),
                    }
                }
            }
        }
        if self.are_all_in_blocks() {
            return;
        }
        for (index, member) in self.members.iter_mut().enumerate() {
            let row = &values[index * width..(index + 1) * width];
            if let MemberPlace::Detached(own) = &mut member.place
                && let Some(&(table, lane)) = own.blueprint.places.get(vehicle)
            {
                own.state.tables[table].command(lane, kind, row);
            }
        }
    }
}
