//! Columns of numbers: the memory that models read and write.
//!
//! A column begins on a cache line and occupies an odd number of lines. Columns therefore do not lie
//! at powers of two from each other, where they would compete for the same cache sets.

mod finite;

use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::LiveState;
pub(crate) use finite::all_finite;

/// Numbers per cache line.
const LINE: usize = 8;
/// Unused cache lines before the first column and after the last one, in which writes outside of columns are found.
const MARGIN: usize = 64;
/// Number between columns. It is finite, and no model writes it.
const UNUSED: f64 = -4.670_912_345_678_9e-133;

#[repr(align(64))]
#[derive(Clone)]
#[expect(dead_code, reason = "read and written through pointers to its numbers")]
struct CacheLine([f64; LINE]);

/// Handle of one column of a store: its place in the memory of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Index of its first number.
    start: usize,
    /// Count of its numbers.
    len: usize,
}

impl Column {
    /// No column.
    pub const NONE: Self = Self { start: 0, len: 0 };

    /// Returns the part of the column with `len` numbers from number `first` on.
    pub fn part(self, first: usize, len: usize) -> Self {
        debug_assert!(first + len <= self.len);
        Self { start: self.start + first, len }
    }

    /// Returns the number of values.
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns the index in the memory of the store of a number of the column.
    pub fn place(self, number: usize) -> usize {
        self.start + number
    }

    /// Returns how far an index in the memory of the store is before (negative) or behind the column; 0 if it is that of
    /// one of its numbers.
    pub fn distance(self, place: usize) -> isize {
        if place < self.start {
            place as isize - self.start as isize
        } else {
            (place as isize - (self.start + self.len) as isize + 1).max(0)
        }
    }

    /// Returns the distance of the first number from that of a column that was added before.
    pub fn offset_from(self, first: Self) -> usize {
        self.start - first.start
    }
}

/// Returns the first and the last of the columns that follow each other in memory.
pub(crate) fn spans(columns: &[Column]) -> Vec<[Column; 2]> {
    let mut spans: Vec<[Column; 2]> = Vec::new();
    for column in columns {
        match spans.last_mut() {
            Some([_, last]) if last.start + lines(last.len) * LINE == column.start => {
                *last = *column
            }
            _ => spans.push([*column; 2]),
        }
    }
    spans
}

/// Returns the number of cache lines of a column with `len` numbers.
fn lines(len: usize) -> usize {
    len.div_ceil(LINE) | 1
}

/// Collects columns before they are laid out.
#[derive(Default)]
pub(crate) struct Layout {
    columns: Vec<ColumnEntry>,
    values: Vec<Vec<f64>>,
    /// Number of cache lines of all columns.
    lines: usize,
}

/// A column of a store.
#[derive(Clone, Copy)]
struct ColumnEntry {
    column: Column,
    change: Change,
    /// Whether all numbers of the first lane come first, then those of the second. Otherwise it has the first
    /// number of all lanes, then the second of all lanes.
    is_by_lane: bool,
}

/// When the numbers of a column change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Each step changes them, and the next one reads them.
    InStep,
    /// Commands and the ground change them between steps, or each step sets them before it reads them.
    OutsideOrFirst,
    /// The world file determines them, and nothing changes them.
    Never,
}

impl ColumnEntry {
    /// Returns the numbers of the lanes, of which there are `lanes`.
    fn part(&self, lanes: usize) -> LanePart {
        let (each, first) = (self.column.len / lanes, self.column.start);
        let (next_lane, next) = if self.is_by_lane { (each, 1) } else { (1, lanes) };
        LanePart { change: self.change, first, each, next_lane, next }
    }
}

impl Layout {
    /// Adds a column with these values.
    pub fn add(&mut self, values: Vec<f64>) -> Column {
        self.push(values, Change::InStep, false)
    }

    /// Adds a column of `len` equal values in which the numbers of a lane stand together. As with
    /// [`Self::add_passing`], a table need not save it.
    pub fn fill_by_lane(&mut self, len: usize, value: f64) -> Column {
        self.push(vec![value; len], Change::OutsideOrFirst, true)
    }

    /// Adds a column with these values that a table needs not save in order to return to an earlier
    /// step: either no step changes them, or every step sets them before it reads them.
    pub fn add_passing(&mut self, values: Vec<f64>) -> Column {
        self.push(values, Change::OutsideOrFirst, false)
    }

    /// Adds a column whose values do not change after the construction, so that snapshots do not
    /// hold them.
    pub fn add_constant(&mut self, values: Vec<f64>) -> Column {
        self.push(values, Change::Never, false)
    }

    /// Adds a column of `len` equal values.
    pub fn fill(&mut self, len: usize, value: f64) -> Column {
        self.add(vec![value; len])
    }

    /// Adds a column of `len` equal values, as [`Self::add_passing`] does.
    pub fn fill_passing(&mut self, len: usize, value: f64) -> Column {
        self.add_passing(vec![value; len])
    }

    fn push(&mut self, values: Vec<f64>, change: Change, is_by_lane: bool) -> Column {
        let column = Column { start: (MARGIN + self.lines) * LINE, len: values.len() };
        self.lines += lines(values.len());
        self.columns.push(ColumnEntry { column, change, is_by_lane });
        self.values.push(values);
        column
    }

    /// Lays the columns out in memory.
    pub fn finish(self) -> Columns {
        let memory = vec![CacheLine([UNUSED; LINE]); self.lines + 2 * MARGIN].into_boxed_slice();
        let base = NonNull::from(Box::leak(memory));
        let mut columns = Columns { base, columns: self.columns.into(), parts: Arc::default() };
        for (index, values) in self.values.into_iter().enumerate() {
            let column = columns.columns[index].column;
            columns.get_mut(column).copy_from_slice(&values);
        }
        columns
    }
}

/// Columns in memory. Their addresses do not change until the store is dropped.
pub(crate) struct Columns {
    base: NonNull<[CacheLine]>,
    /// All columns in their order in memory.
    columns: Arc<[ColumnEntry]>,
    /// Parts of the columns, if lanes are copied often.
    parts: Arc<[LanePart]>,
}

/// The numbers of the lanes in a column.
#[derive(Clone, Copy)]
struct LanePart {
    change: Change,
    /// Index in memory of the first number of the first lane.
    first: usize,
    /// Count of the numbers of a lane.
    each: usize,
    /// Distance to the first number of the next lane, and to the next number of the same lane.
    next_lane: usize,
    next: usize,
}

impl LanePart {
    /// Returns the index in memory of the first number of a lane.
    #[inline]
    fn of(&self, lane: usize) -> usize {
        self.first + lane * self.next_lane
    }

    /// Copies the numbers of a lane from those of another part, in the memories of their stores.
    #[inline]
    fn copy(&self, own: &mut [f64], to: usize, other: &Self, source: &[f64], from: usize) {
        let (mut at, mut from) = (self.of(to), other.of(from));
        for _ in 0..self.each {
            own[at] = source[from];
            (at, from) = (at + self.next, from + other.next);
        }
    }
}

impl Columns {
    /// Returns a pointer to the first number of a column. Reads and writes through it must not
    /// overlap with a slice of the same column.
    #[inline(always)]
    pub fn pointer(&self, column: Column) -> *mut f64 {
        let end = column.start + column.len;
        assert!(end <= self.base.len() * LINE, "a column lies within its store");
        // SAFETY: checked above.
        unsafe { self.base.as_ptr().cast::<f64>().add(column.start) }
    }

    /// Returns a pointer to `N` numbers of a column from `at` on, which lie within the store.
    #[inline(always)]
    pub fn tile<const N: usize>(&self, column: Column, at: usize) -> *mut [f64; N] {
        debug_assert!(at + N <= column.len, "a tile lies within its column");
        let start = column.start + at;
        assert!(start + N <= self.base.len() * LINE, "a tile lies within its store");
        // SAFETY: checked above.
        unsafe { self.base.as_ptr().cast::<f64>().add(start).cast() }
    }

    /// Returns the numbers of a column.
    #[inline(always)]
    pub fn get(&self, column: Column) -> &[f64] {
        // SAFETY: `pointer` checks that the column lies within the allocation, and models write only
        // while a call holds the store exclusively.
        unsafe { std::slice::from_raw_parts(self.pointer(column), column.len) }
    }

    /// Returns the numbers of a column for writing.
    #[inline(always)]
    pub fn get_mut(&mut self, column: Column) -> &mut [f64] {
        // SAFETY: as above, and `self` is held exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.pointer(column), column.len) }
    }

    /// Returns the memory from the start of one column to the end of another that was added later.
    pub fn between(&self, first: Column, last: Column) -> &[f64] {
        let all = Column { start: first.start, len: last.start + last.len - first.start };
        self.get(all)
    }

    /// Returns the numbers of one column for reading and those of another for writing.
    ///
    /// # Panics
    /// Panics if the columns overlap.
    pub fn read_and_write(&mut self, read: Column, write: Column) -> (&[f64], &mut [f64]) {
        let apart = read.start + read.len <= write.start || write.start + write.len <= read.start;
        assert!(apart, "two columns");
        let from = self.pointer(read).cast_const();
        // SAFETY: the column lies within the allocation, `self` is held exclusively for the life of
        // both slices, and they do not overlap.
        (unsafe { std::slice::from_raw_parts(from, read.len) }, self.get_mut(write))
    }

    /// Copies a column to another one of the same length.
    pub fn copy(&mut self, from: Column, to: Column) {
        assert_eq!(from.len, to.len, "the columns have the same length");
        // SAFETY: both columns lie within the allocation and are as long; `self` is held exclusively.
        unsafe { std::ptr::copy(self.pointer(from), self.pointer(to), to.len) }
    }

    /// Returns whether another store has the same columns for `other_lanes` lanes that this one has for
    /// `lanes` lanes.
    pub fn is_like(&self, lanes: usize, other: &Self, other_lanes: usize) -> bool {
        let is_same = |(one, other): (&ColumnEntry, &ColumnEntry)| {
            one.change == other.change && one.column.len * other_lanes == other.column.len * lanes
        };
        self.columns.len() == other.columns.len()
            && self.columns.iter().zip(&*other.columns).all(is_same)
    }

    /// Prepares for copies of single lanes, of a number of lanes.
    pub fn divide(&mut self, lanes: usize) {
        self.parts = self.parts(lanes);
    }

    /// Returns the parts of all columns that have as many numbers for each of `lanes` lanes.
    fn parts(&self, lanes: usize) -> Arc<[LanePart]> {
        if !self.parts.is_empty() {
            return Arc::clone(&self.parts);
        }
        let divided = self.columns.iter().filter(|entry| entry.column.len.is_multiple_of(lanes));
        divided.map(|entry| entry.part(lanes)).collect()
    }

    /// Returns all numbers in memory.
    pub fn memory(&self) -> &[f64] {
        self.get(Column { start: 0, len: self.base.len() * LINE })
    }

    /// Returns all numbers in memory for writing.
    pub fn memory_mut(&mut self) -> &mut [f64] {
        self.get_mut(Column { start: 0, len: self.base.len() * LINE })
    }

    /// Copies the numbers of a lane that can change from the lane of a store that [`Self::is_like`] this
    /// one; each lane is given with the number of lanes.
    pub fn copy_lane(&mut self, to: [usize; 2], other: &Self, from: [usize; 2]) {
        self.copy_some_of_lane(to, other, from, |change| change != Change::Never);
    }

    /// Copies all numbers of a lane, including constants, as [`Self::copy_lane`] does.
    pub fn copy_whole_lane(&mut self, to: [usize; 2], other: &Self, from: [usize; 2]) {
        self.copy_some_of_lane(to, other, from, |_| true);
    }

    fn copy_some_of_lane(
        &mut self,
        [to, lanes]: [usize; 2],
        other: &Self,
        [from, other_lanes]: [usize; 2],
        is_copied: impl Fn(Change) -> bool,
    ) {
        let (parts, others) = (self.parts(lanes), other.parts(other_lanes));
        let (own, source) = (self.memory_mut(), other.memory());
        for (part, other) in parts.iter().zip(&*others).filter(|(part, _)| is_copied(part.change)) {
            part.copy(own, to, other, source, from);
        }
    }

    /// Returns the numbers of columns, for [`Self::copy_parts`] of stores of `lanes` lanes.
    pub fn parts_of(&self, lanes: usize, columns: &[Column]) -> Vec<usize> {
        let parts = self.parts(lanes);
        let is_wanted = |part: &LanePart| columns.iter().any(|column| column.start == part.first);
        (0..parts.len()).filter(|number| is_wanted(&parts[*number])).collect()
    }

    /// Copies the numbers of a lane in a few columns, as [`Self::copy_lane`] does.
    pub fn copy_parts(
        &mut self,
        [to, lanes]: [usize; 2],
        other: &Self,
        chosen: &[usize],
        [from, other_lanes]: [usize; 2],
    ) {
        let (parts, others) = (self.parts(lanes), other.parts(other_lanes));
        let (own, source) = (self.memory_mut(), other.memory());
        for &number in chosen {
            parts[number].copy(own, to, &others[number], source, from);
        }
    }

    /// Returns the column that is the same one as a column of a store that [`Self::is_like`] this one.
    pub fn same_column(&self, other: &Self, column: Column) -> Option<Column> {
        let start = |entry: &ColumnEntry| entry.column.start;
        let index = other.columns.binary_search_by_key(&column.start, start).ok()?;
        self.columns.get(index).map(|entry| entry.column)
    }

    /// Copies all numbers of a lane to another lane, including constants.
    pub fn repeat_lane(&mut self, [from, lanes]: [usize; 2], to: usize) {
        let parts = self.parts(lanes);
        let own = self.memory_mut();
        for part in &*parts {
            let (mut at, mut from) = (part.of(to), part.of(from));
            for _ in 0..part.each {
                own[at] = own[from];
                (at, from) = (at + part.next, from + part.next);
            }
        }
    }

    /// Appends all numbers of a lane, including constants, to `numbers`, for [`Self::load_lane`].
    pub fn save_lane(&self, [lane, lanes]: [usize; 2], numbers: &mut Vec<f64>) {
        let all = self.memory();
        for part in &*self.parts(lanes) {
            let first = part.of(lane);
            numbers.extend((0..part.each).map(|number| all[first + number * part.next]));
        }
    }

    /// Sets the numbers of a lane to those that [`Self::save_lane`] has appended for a lane of a store that
    /// [`Self::is_like`] this one. Returns the rest of `numbers`.
    pub fn load_lane<'n>(
        &mut self,
        [lane, lanes]: [usize; 2],
        mut numbers: &'n [f64],
    ) -> &'n [f64] {
        let parts = self.parts(lanes);
        let all = self.memory_mut();
        for part in &*parts {
            let (own, rest) = numbers.split_at(part.each);
            let first = part.of(lane);
            own.iter().enumerate().for_each(|(at, number)| all[first + at * part.next] = *number);
            numbers = rest;
        }
        numbers
    }

    /// Sets those numbers of a lane that a step changes to those of a lane of a store that [`Self::is_like`]
    /// this one, at the time at which it was [saved](Self::save).
    pub fn load_saved_lane(
        &mut self,
        to: [usize; 2],
        other: &Self,
        saved: &[f64],
        from: [usize; 2],
    ) {
        let mut rest = saved;
        for index in 0..self.columns.len() {
            let (entry, old) = (self.columns[index], other.columns[index]);
            if entry.change != Change::InStep {
                continue;
            }
            let (own, after) = rest.split_at(old.column.len);
            rest = after;
            if entry.column.len.is_multiple_of(to[1]) {
                let (part, old_part) = (entry.part(to[1]), old.part(from[1]));
                let (mut at, mut of) = (part.of(to[0]), old_part.of(from[0]) - old.column.start);
                let all = self.memory_mut();
                for _ in 0..part.each {
                    all[at] = own[of];
                    (at, of) = (at + part.next, of + old_part.next);
                }
            }
        }
    }

    /// Copies all numbers that can change from a store with the same columns.
    pub fn copy_all(&mut self, other: &Self) {
        for index in 0..self.columns.len() {
            let (ColumnEntry { column, change, .. }, old) =
                (self.columns[index], other.columns[index]);
            if change != Change::Never {
                self.get_mut(column).copy_from_slice(other.get(old.column));
            }
        }
    }

    /// Returns the columns that can change.
    fn states(&self) -> impl Iterator<Item = Column> {
        let states = self.columns.iter().filter(|entry| entry.change != Change::Never);
        states.map(|entry| entry.column)
    }

    /// Returns how many numbers can change.
    pub fn state_count(&self) -> usize {
        self.states().map(Column::len).sum()
    }

    /// Copies all numbers to `to` that a step changes and the next one reads, for [`Self::load`].
    pub fn save(&self, to: &mut Vec<f64>) {
        self.save_some(to, |change| change == Change::InStep);
    }

    /// Copies back the numbers that [`Self::save`] has copied.
    pub fn load(&mut self, numbers: &[f64]) {
        self.load_some(numbers, |change| change == Change::InStep);
    }

    /// Copies all numbers to `to` that can change, for [`Self::load_states`].
    pub fn save_states(&self, to: &mut Vec<f64>) {
        self.save_some(to, |change| change != Change::Never);
    }

    /// Copies back the numbers that [`Self::save_states`] has copied.
    pub fn load_states(&mut self, numbers: &[f64]) {
        self.load_some(numbers, |change| change != Change::Never);
    }

    fn save_some(&self, to: &mut Vec<f64>, is_saved: impl Fn(Change) -> bool) {
        let columns = || self.columns.iter().filter(|entry| is_saved(entry.change));
        to.clear();
        to.reserve_exact(columns().map(|entry| entry.column.len).sum());
        for entry in columns() {
            to.extend_from_slice(self.get(entry.column));
        }
    }

    fn load_some(&mut self, mut numbers: &[f64], is_saved: impl Fn(Change) -> bool) {
        for index in 0..self.columns.len() {
            let ColumnEntry { column, change, .. } = self.columns[index];
            if is_saved(change) {
                let (own, rest) = numbers.split_at(column.len);
                self.get_mut(column).copy_from_slice(own);
                numbers = rest;
            }
        }
    }

    /// Returns all numbers, in the order of the columns.
    #[cfg(test)]
    pub fn all(&self) -> Vec<f64> {
        self.columns.iter().flat_map(|entry| self.get(entry.column)).copied().collect()
    }

    /// Makes those numbers NaN that [`Self::save`] does not copy and that have changed since
    /// [`Self::all`] returned `numbers`.
    #[cfg(test)]
    pub fn spoil_unsaved(&mut self, mut numbers: &[f64]) {
        for index in 0..self.columns.len() {
            let ColumnEntry { column, change, .. } = self.columns[index];
            let (before, rest) = numbers.split_at(column.len);
            numbers = rest;
            if change == Change::OutsideOrFirst && self.get(column) != before {
                self.get_mut(column).fill(f64::NAN);
            }
        }
    }

    /// Returns a view through which several columns can be read and written in one loop.
    pub fn cells(&mut self) -> Cells<'_> {
        Cells(self)
    }
}

/// Columns as cells.
pub(crate) struct Cells<'a>(&'a mut Columns);

impl Cells<'_> {
    /// Returns the cells of a column.
    pub fn column(&self, column: Column) -> &[Cell<f64>] {
        // SAFETY: the column lies within the allocation; the store is held exclusively for the life
        // of this view, which gives out nothing but cells, on one thread.
        unsafe { std::slice::from_raw_parts(self.0.pointer(column).cast(), column.len) }
    }
}

/// All numbers that are not constant.
impl LiveState for Columns {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.states().try_for_each(|column| to.put_numbers(self.get(column)))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        for index in 0..self.columns.len() {
            let ColumnEntry { column, change, .. } = self.columns[index];
            if change != Change::Never {
                from.fill_numbers(self.get_mut(column))?;
            }
        }
        Ok(())
    }
}

impl Clone for Columns {
    /// The copy lies elsewhere in memory, so that its calls are others.
    fn clone(&self) -> Self {
        // SAFETY: the memory is that of a leaked box, and models write only while a call holds the store exclusively.
        let memory: Box<[CacheLine]> = unsafe { self.base.as_ref() }.into();
        let base = NonNull::from(Box::leak(memory));
        Self { base, columns: Arc::clone(&self.columns), parts: Arc::clone(&self.parts) }
    }
}

impl Drop for Columns {
    fn drop(&mut self) {
        // SAFETY: the memory came from a leaked box and is not used again.
        drop(unsafe { Box::from_raw(self.base.as_ptr()) });
    }
}

// SAFETY: the memory is owned, and shared access only reads.
unsafe impl Send for Columns {}
// SAFETY: as above.
unsafe impl Sync for Columns {}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[test]
    fn columns_are_aligned_and_apart() {
        let mut layout = Layout::default();
        let one = layout.add(vec![1.0; 512]);
        let two = layout.fill(3, 2.0);
        let mut columns = layout.finish();
        columns.get_mut(two)[2] = 5.0;
        assert_eq!(columns.pointer(one) as usize % 64, 0);
        assert_eq!(columns.pointer(two) as usize % 64, 0);
        assert_eq!(columns.get(one), &[1.0; 512]);
        assert_eq!(columns.get(two), &[2.0, 2.0, 5.0]);
        let apart = columns.pointer(two) as usize - columns.pointer(one) as usize;
        assert!(!apart.is_power_of_two());
    }
}
