//! Reading quantities of the members of a block.

mod tile;

use std::ops::Range;

use super::block::Block;
use super::group::VariantGroup;
use super::member::BatchMember;
use crate::columns::Column;
use crate::quantities::Quantities;
use crate::quantity_list::Source;
use crate::sensors::KeptPlace;
use crate::table::QuantityPart;
use tile::{NumberPlace, SQUARE, TILE, Tile, for_tiles};

pub use tile::ColumnView;
pub(super) use tile::MemberRows;

/// Where to read quantities of the members in a block.
#[derive(Default)]
pub(super) struct ReadPlan {
    /// Numbers and their places in a row.
    numbers: Vec<(usize, QuantityPart<NumberPlace>)>,
    /// Values of sensors and their places in a row.
    kept: Vec<(Range<usize>, KeptPlace)>,
    /// Indices of the quantities that are computed for one member after the other, and their first places in a row.
    computed: Vec<(usize, usize)>,
    /// Parts of a quantity.
    parts: Vec<QuantityPart<Column>>,
}

/// A block with its group and the members of the batch.
#[derive(Clone, Copy)]
pub(super) struct BlockMembers<'b> {
    pub group: &'b VariantGroup,
    pub block: &'b Block,
    pub members: &'b [BatchMember],
}

impl ReadPlan {
    pub fn fill(&mut self, group: &VariantGroup, block: &Block, quantities: &Quantities) {
        let Self { numbers, kept, computed, parts } = self;
        numbers.clear();
        kept.clear();
        computed.clear();
        let mut first = 0;
        for (number, info) in quantities.infos().iter().enumerate() {
            let source = quantities.source(number);
            let places = first..first + info.count();
            first = places.end;
            parts.clear();
            let found = if let Source::Sensor(place) = source {
                let place = group.proxy.state.sensors.kept_place(place);
                let found = place.len();
                kept.push((places.clone(), place));
                found
            } else if block.parts(source, parts) {
                let place = |column| block.place(source, column, &group.lanes);
                let found = parts.len();
                numbers.extend(places.clone().zip(parts.drain(..).map(|part| part.map(place))));
                found
            } else {
                computed.push((places.start, number));
                places.len()
            };
            // what the variant does not have
            let missing = places.skip(found);
            numbers.extend(missing.map(|place| (place, QuantityPart::Constant(f64::NAN))));
        }
    }

    /// Reads quantities of the members of a block, which lie in its tables and in the members.
    pub fn read<T: Copy, F: Fn(f64) -> T>(
        &self,
        from: BlockMembers<'_>,
        quantities: &Quantities,
        to: &mut MemberRows<'_, T, F>,
        values: &mut Vec<f64>,
    ) {
        let read = |tile: &Tile<'_>| {
            self.read_numbers(from.block, tile, to);
            if !(self.kept.is_empty() && self.computed.is_empty()) {
                self.read_others(from, tile, quantities, to, values);
            }
        };
        match from.block.slots.range() {
            Some(range) => for_tiles(range.enumerate(), true, read),
            None => for_tiles(from.block.slots.members(), false, read),
        }
    }

    /// Reads what is not a number of tables of the members in some slots.
    fn read_others<T: Copy, F: Fn(f64) -> T>(
        &self,
        from: BlockMembers<'_>,
        tile: &Tile<'_>,
        quantities: &Quantities,
        to: &mut MemberRows<'_, T, F>,
        values: &mut Vec<f64>,
    ) {
        let BlockMembers { group, block, members } = from;
        for &(slot, index) in tile.members {
            for (places, place) in &self.kept {
                let row = &mut to.rows[index * to.width..][places.clone()];
                members[index].sensors.copy(place, row, to.convert);
            }
            for (first, number) in &self.computed {
                values.clear();
                let Block { tables, reads, .. } = block;
                quantities.read_of_member(*number, tables, reads, slot, &group.proxy, values);
                to.write(index, *first, values.iter().copied());
            }
        }
    }

    /// Reads the numbers of some slots.
    fn read_numbers<T: Copy, F: Fn(f64) -> T>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        to: &mut MemberRows<'_, T, F>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.read_numbers_avx2(block, tile, to) };
        }
        self.read_squares(block, tile, to);
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn read_numbers_avx2<T: Copy, F: Fn(f64) -> T>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        to: &mut MemberRows<'_, T, F>,
    ) {
        self.read_squares(block, tile, to);
    }

    /// Reads the numbers of some slots, those of a square of a row together.
    #[inline(always)]
    fn read_squares<T: Copy, F: Fn(f64) -> T>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        to: &mut MemberRows<'_, T, F>,
    ) {
        let mut left = &self.numbers[..];
        let mut spare = [[0.0; TILE]; SQUARE];
        while let Some((number, part)) = left.first() {
            match left.first_chunk::<SQUARE>() {
                Some(all) if all[SQUARE - 1].0 == number + SQUARE - 1 => {
                    let mut columns = [&[][..]; SQUARE];
                    let pairs = all.iter().zip(&mut spare);
                    for (column, ((_, part), spare)) in columns.iter_mut().zip(pairs) {
                        *column = tile.values(block, part, spare);
                    }
                    tile.write(to, *number, columns);
                    left = &left[SQUARE..];
                }
                _ => {
                    tile.write(to, *number, [tile.values(block, part, &mut spare[0])]);
                    left = &left[1..];
                }
            }
        }
    }
}

impl Block {
    /// Appends the parts of a quantity. Returns false if it has none.
    fn parts(&self, source: &Source, to: &mut Vec<QuantityPart<Column>>) -> bool {
        match source {
            Source::Constant(values) => {
                to.extend(values.iter().copied().map(QuantityPart::Constant))
            }
            Source::Table { table, field, .. } => {
                return self.tables[*table].parts(self.reads[*table][*field], to);
            }
            _ => return false,
        }
        true
    }

    /// Returns where a column of the table of a quantity has its numbers, given the numbers of vehicles of a member in each
    /// table. Only quantities in tables have columns.
    fn place(&self, source: &Source, column: Column, lanes: &[usize]) -> NumberPlace {
        let Source::Table { table, lane, wheel, .. } = *source else {
            return NumberPlace { table: 0, column: Column::NONE, first: 0, stride: 0 };
        };
        let count = self.tables[table].vehicles.lanes.len();
        NumberPlace { table, column, first: wheel * count + lane, stride: lanes[table] }
    }
}
