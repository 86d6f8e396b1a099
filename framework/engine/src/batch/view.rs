//! Borrowed columns of the tables that members share.

use super::block::Block;
use super::chunk::Chunk;
use super::group::VariantGroup;
use super::reading::ColumnView;
use super::selection::MemberQuantities;
use crate::quantity_list::Source;
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
}
