//! Reading quantities of the members of a block.

use super::block::Block;
use super::member::{EnsembleMember, SensorState};
use super::room::Room;
use crate::columns::Column;
use crate::quantities::Quantities;
use crate::quantity_list::Source;
use crate::sensors::KeptPlace;
use crate::table::QuantityPart;

/// Number of slots of which a number is read before the next number: their rows fit the first cache.
const TILE: usize = 64;

/// Where to read quantities of the members in a block.
#[derive(Default)]
pub(super) struct ReadPlan {
    /// Numbers and their places in a row.
    numbers: Vec<(usize, QuantityPart<NumberPlace>)>,
    /// Values of sensors and their first places in a row.
    kept: Vec<(usize, KeptPlace)>,
    /// Indices of the quantities that are computed for one member after the other, and their first places in a row.
    computed: Vec<(usize, usize)>,
    /// Parts of a quantity.
    parts: Vec<QuantityPart<Column>>,
}

/// Place of a number of all slots: a column, the number of slot 0 in it, and the distance of the next.
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
    pub fn fill(&mut self, room: &Room, block: &Block, quantities: &Quantities) {
        let Self { numbers, kept, computed, parts } = self;
        numbers.clear();
        kept.clear();
        computed.clear();
        let mut first = 0;
        for (number, info) in quantities.infos().iter().enumerate() {
            let source = quantities.source(number);
            parts.clear();
            if let Source::Sensor(place) = source {
                kept.push((first, room.stage.sensors.kept_place(place)));
            } else if block.parts(source, parts) {
                let place = |column| block.place(source, column, &room.lanes);
                numbers.extend((first..).zip(parts.drain(..).map(|part| part.map(place))));
            } else {
                computed.push((first, number));
            }
            first += info.count();
        }
    }

    /// Reads quantities of the members of a block, which lie in its tables and in the members.
    pub fn read<T>(
        &self,
        (room, block, members): (&Room, &Block, &[EnsembleMember]),
        quantities: &Quantities,
        (rows, width, convert): (&mut [T], usize, &impl Fn(f64) -> T),
        values: &mut Vec<f64>,
    ) {
        let mut taken = [(0, 0); TILE];
        let mut all = block.members();
        loop {
            let mut count = 0;
            for (to, found) in taken.iter_mut().zip(&mut all) {
                *to = found;
                count += 1;
            }
            if count == 0 {
                return;
            }
            let tile = Tile::new(&taken[..count]);
            self.read_numbers(block, &tile, (&mut *rows, width), convert);
            for &(slot, index) in tile.members {
                let row = &mut rows[index * width..][..width];
                for (first, place) in &self.kept {
                    members[index].sensors.copy(place, &mut row[*first..], convert);
                }
                for (first, number) in &self.computed {
                    values.clear();
                    let tables = (&block.tables[..], &block.reads[..]);
                    quantities.read_of_member(*number, tables, slot, &room.stage, values);
                    copy(values.iter().copied(), &mut row[*first..], convert);
                }
            }
        }
    }

    /// Reads the numbers of some slots, number by number.
    #[inline]
    fn read_numbers<T>(
        &self,
        block: &Block,
        tile: &Tile<'_>,
        (rows, width): (&mut [T], usize),
        convert: &impl Fn(f64) -> T,
    ) {
        let view = |place: &NumberPlace| block.values(place);
        for (number, part) in &self.numbers {
            let to = (&mut *rows, width, *number);
            match part {
                QuantityPart::Constant(value) => tile.fill(to, || convert(*value)),
                QuantityPart::Column(place) => tile.read(to, [view(place)], |[one]| convert(one)),
                QuantityPart::Sum(places) => {
                    tile.read(to, places.each_ref().map(view), |[one, other]| convert(one + other));
                }
                QuantityPart::Difference(places) => {
                    tile.read(to, places.each_ref().map(view), |[one, other]| convert(one - other));
                }
            }
        }
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

impl<'t> Tile<'t> {
    fn new(members: &'t [(usize, usize)]) -> Self {
        let follows = |pair: &[(usize, usize)]| {
            let ((slot, index), next) = (pair[0], pair[1]);
            next == (slot + 1, index + 1)
        };
        Self { members, is_in_order: members.windows(2).all(follows) }
    }

    /// Writes a number of each slot, which follows from those in some columns, to its place in the row of the member.
    #[inline(always)]
    fn read<T, const N: usize>(
        &self,
        (rows, width, place): (&mut [T], usize, usize),
        columns: [ColumnView<'_>; N],
        value: impl Fn([f64; N]) -> T,
    ) {
        let Some(&(first, index)) = self.members.first() else { return };
        let count = self.members.len();
        if self.is_in_order && columns.iter().all(|column| column.stride == 1) {
            // the numbers of the slots follow each other
            let numbers = columns.map(|column| &column.values[column.first + first..][..count]);
            let to = rows[index * width + place..].iter_mut().step_by(width);
            for (slot, to) in (0..count).zip(to) {
                *to = value(numbers.map(|numbers| numbers[slot]));
            }
            return;
        }
        for (slot, index) in self.members {
            rows[index * width + place] = value(columns.map(|column| column.value(*slot)));
        }
    }

    /// Writes the same number to the rows of all members.
    fn fill<T>(&self, (rows, width, place): (&mut [T], usize, usize), value: impl Fn() -> T) {
        self.members.iter().for_each(|(_, index)| rows[index * width + place] = value());
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

impl SensorState {
    /// Copies the values of a quantity to the start of `to`; NaN for readings that do not exist yet.
    pub fn copy<T>(&self, place: &KeptPlace, to: &mut [T], convert: &impl Fn(f64) -> T) {
        if place.reading_of.is_some_and(|sensor| !self.sampled[sensor]) {
            to[..place.len()].fill_with(|| convert(f64::NAN));
        } else {
            place.copy(&self.numbers, to, convert);
        }
    }
}
