//! Reading quantities of the members of a block.

use std::ops::Range;

use super::block::Block;
use super::group::VariantGroup;
use super::member::BatchMember;
use crate::columns::Column;
use crate::quantities::Quantities;
use crate::quantity_list::Source;
use crate::sensors::KeptPlace;
use crate::table::QuantityPart;

/// Number of slots whose numbers are read before those of the next slots: their rows fit the first cache.
const TILE: usize = 64;
/// Number of slots and of places in a row that are written together: a square that fits registers.
const SQUARE: usize = 4;

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

/// MemberPlace of a number of all slots: a column, the number of slot 0 in it, and the distance of the next.
#[derive(Clone, Copy)]
struct NumberPlace {
    table: usize,
    column: Column,
    first: usize,
    stride: usize,
}

/// The present values of one quantity for all slots of a table: slot `s` has the number `values[first + s * stride]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnView<'m> {
    /// The column, with one number for each vehicle of the table.
    pub values: &'m [f64],
    /// Index of the number of slot 0.
    pub first: usize,
    /// Number of vehicles of a member in the table.
    pub stride: usize,
}

impl ColumnView<'_> {
    /// Returns the number of a slot.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn value(&self, slot: usize) -> f64 {
        self.values[self.first + slot * self.stride]
    }
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
    pub fn read<T: Copy>(
        &self,
        (group, block, members): (&VariantGroup, &Block, &[BatchMember]),
        quantities: &Quantities,
        (rows, width, convert): (&mut [T], usize, &impl Fn(f64) -> T),
        values: &mut Vec<f64>,
    ) {
        let read = |tile: &Tile<'_>| {
            self.read_numbers(block, tile, (&mut *rows, width), convert);
            if !(self.kept.is_empty() && self.computed.is_empty()) {
                let members = (block, group, members);
                self.read_others(members, tile, quantities, (&mut *rows, width, convert), values);
            }
        };
        match block.slots.range() {
            Some(range) => for_tiles(range.enumerate(), true, read),
            None => for_tiles(block.slots.members(), false, read),
        }
    }

    /// Reads what is not a number of tables of the members in some slots.
    fn read_others<T: Copy>(
        &self,
        (block, group, members): (&Block, &VariantGroup, &[BatchMember]),
        tile: &Tile<'_>,
        quantities: &Quantities,
        (rows, width, convert): (&mut [T], usize, &impl Fn(f64) -> T),
        values: &mut Vec<f64>,
    ) {
        for &(slot, index) in tile.members {
            let row = &mut rows[index * width..][..width];
            for (places, place) in &self.kept {
                members[index].sensors.copy(place, &mut row[places.clone()], convert);
            }
            for (first, number) in &self.computed {
                values.clear();
                let tables = (&block.tables[..], &block.reads[..]);
                quantities.read_of_member(*number, tables, slot, &group.proxy, values);
                copy(values.iter().copied(), &mut row[*first..], convert);
            }
        }
    }

    /// Reads the numbers of some slots.
    fn read_numbers<T: Copy>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        to: (&mut [T], usize),
        convert: &impl Fn(f64) -> T,
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.read_numbers_avx2(block, tile, to, convert) };
        }
        self.read_squares(block, tile, to, convert);
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn read_numbers_avx2<T: Copy>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        to: (&mut [T], usize),
        convert: &impl Fn(f64) -> T,
    ) {
        self.read_squares(block, tile, to, convert);
    }

    /// Reads the numbers of some slots, those of a square of a row together.
    #[inline(always)]
    fn read_squares<T: Copy>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        (rows, width): (&mut [T], usize),
        convert: &impl Fn(f64) -> T,
    ) {
        let mut left = &self.numbers[..];
        let mut spare = [[0.0; TILE]; SQUARE];
        while let Some((number, part)) = left.first() {
            let to = (&mut *rows, width, *number);
            match left.first_chunk::<SQUARE>() {
                Some(all) if all[SQUARE - 1].0 == number + SQUARE - 1 => {
                    let mut columns = [&[][..]; SQUARE];
                    let pairs = all.iter().zip(&mut spare);
                    for (column, ((_, part), spare)) in columns.iter_mut().zip(pairs) {
                        *column = tile.values(block, part, spare);
                    }
                    tile.write(to, columns, convert);
                    left = &left[SQUARE..];
                }
                _ => {
                    tile.write(to, [tile.values(block, part, &mut spare[0])], convert);
                    left = &left[1..];
                }
            }
        }
    }
}

/// Calls `read` for slots and their members, a tile at a time.
fn for_tiles(
    mut all: impl Iterator<Item = (usize, usize)>,
    is_in_order: bool,
    mut read: impl FnMut(&Tile<'_>),
) {
    let mut taken = [(0, 0); TILE];
    loop {
        let mut count = 0;
        for (to, found) in taken.iter_mut().zip(&mut all) {
            *to = found;
            count += 1;
        }
        if count == 0 {
            return;
        }
        read(&Tile { members: &taken[..count], is_in_order });
    }
}

fn copy<T>(values: impl Iterator<Item = f64>, to: &mut [T], convert: &impl Fn(f64) -> T) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to = convert(value));
}

/// Slots of a block that are read together, with the indices of their members.
struct Tile<'t> {
    members: &'t [(usize, usize)],
    /// Whether slots and members follow each other, as they mostly do.
    is_in_order: bool,
}

impl Tile<'_> {
    /// Returns a number of each slot: those of a column in place, and others in `to`.
    fn values<'v>(
        &self,
        block: &'v Block,
        part: &QuantityPart<NumberPlace>,
        to: &'v mut [f64; TILE],
    ) -> &'v [f64] {
        let to = &mut to[..self.members.len()];
        let view = |place: &NumberPlace| block.values(place);
        match part {
            QuantityPart::Constant(value) => to.fill(*value),
            QuantityPart::Column(place) => match self.in_place(&view(place)) {
                Some(values) => return values,
                None => self.combine(to, [view(place), view(place)], |one, _| one),
            },
            QuantityPart::Sum([one, other]) => {
                self.combine(to, [view(one), view(other)], |one, other| one + other);
            }
            QuantityPart::Difference([one, other]) => {
                self.combine(to, [view(one), view(other)], |one, other| one - other);
            }
        }
        to
    }

    /// Returns the numbers of a column, if those of the slots follow each other.
    fn in_place<'v>(&self, column: &ColumnView<'v>) -> Option<&'v [f64]> {
        let (first, _) = self.members.first().filter(|_| self.is_in_order && column.stride == 1)?;
        Some(&column.values[column.first + first..][..self.members.len()])
    }

    /// Computes a number of each slot from those in two columns.
    #[inline(always)]
    fn combine(
        &self,
        to: &mut [f64],
        [one, other]: [ColumnView<'_>; 2],
        value: impl Fn(f64, f64) -> f64,
    ) {
        if let (Some(one), Some(other)) = (self.in_place(&one), self.in_place(&other)) {
            for (to, (one, other)) in to.iter_mut().zip(one.iter().zip(other)) {
                *to = value(*one, *other);
            }
            return;
        }
        for (to, (slot, _)) in to.iter_mut().zip(self.members) {
            *to = value(one.value(*slot), other.value(*slot));
        }
    }

    /// Writes numbers of each slot to consecutive places in the row of its member.
    #[inline(always)]
    fn write<T: Copy, const N: usize>(
        &self,
        (rows, width, place): (&mut [T], usize, usize),
        columns: [&[f64]; N],
        convert: &impl Fn(f64) -> T,
    ) {
        let count = self.members.len();
        let mut done = 0;
        if let Some((_, index)) = self.members.first().filter(|_| self.is_in_order) {
            let rows = &mut rows[index * width..][..count * width];
            // `array::map` is not always inlined
            let mut squares = [&[][..]; N];
            for (square, column) in squares.iter_mut().zip(&columns) {
                *square = column[..count].as_chunks::<SQUARE>().0;
            }
            for (at, rows) in rows.chunks_exact_mut(SQUARE * width).enumerate() {
                let mut square = [[convert(0.0); N]; SQUARE];
                for k in 0..N {
                    for row in 0..SQUARE {
                        square[row][k] = convert(squares[k][at][row]);
                    }
                }
                for (row, numbers) in square.iter().enumerate() {
                    rows[row * width + place..][..N].copy_from_slice(numbers);
                }
            }
            done = count - count % SQUARE;
        }
        for (at, (_, index)) in self.members.iter().enumerate().skip(done) {
            let row = &mut rows[index * width + place..][..N];
            for (to, column) in row.iter_mut().zip(&columns) {
                *to = convert(column[at]);
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

    #[inline]
    fn values(&self, place: &NumberPlace) -> ColumnView<'_> {
        let NumberPlace { table, column, first, stride } = *place;
        ColumnView { values: self.tables[table].vehicles.columns.get(column), first, stride }
    }
}
