//! Numbers of the slots of a block that are read together, and the rows that they are written to.

use crate::batch::block::Block;
use crate::columns::Column;
use crate::table::QuantityPart;

/// Number of slots whose numbers are read before those of the next slots: their rows fit the first cache.
pub(super) const TILE: usize = 64;
/// Number of slots and of places in a row that are written together: a square that fits registers.
pub(super) const SQUARE: usize = 4;

/// Place of a number of all slots: a column, the number of slot 0 in it, and the distance of the next.
#[derive(Clone, Copy)]
pub(super) struct NumberPlace {
    pub table: usize,
    pub column: Column,
    pub first: usize,
    pub stride: usize,
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

/// A row of numbers for each member, to be filled.
pub(in crate::batch) struct MemberRows<'r, T, F> {
    /// Numbers, row by row.
    pub rows: &'r mut [T],
    /// Length of a row.
    pub width: usize,
    /// Conversion of a number.
    pub convert: &'r F,
}

impl<T: Copy, F: Fn(f64) -> T> MemberRows<'_, T, F> {
    /// Writes values into the row of a member from a place on.
    pub fn write(&mut self, index: usize, place: usize, values: impl Iterator<Item = f64>) {
        let row = &mut self.rows[index * self.width..][..self.width];
        row[place..].iter_mut().zip(values).for_each(|(to, value)| *to = (self.convert)(value));
    }
}

/// Calls `read` for slots and their members, a tile at a time.
pub(super) fn for_tiles(
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

/// Slots of a block that are read together, with the indices of their members.
pub(super) struct Tile<'t> {
    pub members: &'t [(usize, usize)],
    /// Whether slots and members follow each other, as they mostly do.
    is_in_order: bool,
}

impl Tile<'_> {
    /// Returns a number of each slot: those of a column in place, and others in `to`.
    pub fn values<'v>(
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
    pub fn write<T: Copy, F: Fn(f64) -> T, const N: usize>(
        &self,
        to: &mut MemberRows<'_, T, F>,
        place: usize,
        columns: [&[f64]; N],
    ) {
        let MemberRows { rows, width, convert } = to;
        let width = *width;
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
    #[inline]
    fn values(&self, place: &NumberPlace) -> ColumnView<'_> {
        let NumberPlace { table, column, first, stride } = *place;
        ColumnView { values: self.tables[table].vehicles.columns.get(column), first, stride }
    }
}
