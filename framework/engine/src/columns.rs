//! Columns of numbers: the memory that models read and write.
//!
//! A column begins on a cache line and occupies an odd number of lines. Columns therefore do not lie
//! at powers of two from each other, where they would compete for the same cache sets.

use std::cell::Cell;
use std::ptr::NonNull;

use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

/// Numbers per cache line.
const LINE: usize = 8;

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

    /// Returns the number of values.
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns the distance of the first number from that of a column that was added before.
    pub fn offset_from(self, first: Self) -> usize {
        self.start - first.start
    }
}

/// Returns whether all numbers are finite.
#[inline]
pub(crate) fn all_finite(values: &[f64]) -> bool {
    if values.len() < LINE {
        return values.iter().all(|value| value.is_finite());
    }
    // without a branch per number
    values.iter().fold(true, |finite, value| finite & value.is_finite())
}

/// Collects columns before they are laid out.
#[derive(Default)]
pub(crate) struct Layout {
    columns: Vec<(Column, Change)>,
    values: Vec<Vec<f64>>,
    /// Number of cache lines of all columns.
    lines: usize,
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

impl Layout {
    /// Adds a column with these values.
    pub fn add(&mut self, values: Vec<f64>) -> Column {
        self.push(values, Change::InStep)
    }

    /// Adds a column with these values that a table needs not save in order to return to an earlier
    /// step: either no step changes them, or every step sets them before it reads them.
    pub fn add_passing(&mut self, values: Vec<f64>) -> Column {
        self.push(values, Change::OutsideOrFirst)
    }

    /// Adds a column whose values do not change after the construction, so that snapshots do not
    /// hold them.
    pub fn add_constant(&mut self, values: Vec<f64>) -> Column {
        self.push(values, Change::Never)
    }

    /// Adds a column of `len` equal values.
    pub fn fill(&mut self, len: usize, value: f64) -> Column {
        self.add(vec![value; len])
    }

    /// Adds a column of `len` equal values, as [`Self::add_passing`] does.
    pub fn fill_passing(&mut self, len: usize, value: f64) -> Column {
        self.add_passing(vec![value; len])
    }

    fn push(&mut self, values: Vec<f64>, change: Change) -> Column {
        let column = Column { start: self.lines * LINE, len: values.len() };
        self.lines += values.len().div_ceil(LINE) | 1;
        self.columns.push((column, change));
        self.values.push(values);
        column
    }

    /// Lays the columns out in memory.
    pub fn finish(self) -> Columns {
        let memory = vec![CacheLine([0.0; LINE]); self.lines].into_boxed_slice();
        let base = NonNull::from(Box::leak(memory));
        let mut columns = Columns { base, columns: self.columns };
        for (index, values) in self.values.into_iter().enumerate() {
            let (column, _) = columns.columns[index];
            columns.get_mut(column).copy_from_slice(&values);
        }
        columns
    }
}

/// Columns in memory. Their addresses do not change until the store is dropped.
pub(crate) struct Columns {
    base: NonNull<[CacheLine]>,
    /// All columns in their order in memory.
    columns: Vec<(Column, Change)>,
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
        let pairs = self.columns.iter().zip(&other.columns);
        let is_same =
            |((one, change), (other, other_change)): (&(Column, Change), &(Column, Change))| {
                change == other_change && one.len * other_lanes == other.len * lanes
            };
        self.columns.len() == other.columns.len() && pairs.into_iter().all(is_same)
    }

    /// Copies the numbers of a lane that can change from the lane of a store that [`Self::is_like`] this
    /// one; each lane is given with the number of lanes. Columns hold the first number of all lanes, then
    /// the second of all lanes.
    pub fn copy_lane(&mut self, to: [usize; 2], other: &Self, from: [usize; 2]) {
        let ([lane, lanes], [old_lane, old_lanes]) = (to, from);
        for index in 0..self.columns.len() {
            let ((column, change), (old, _)) = (self.columns[index], other.columns[index]);
            if change == Change::Never || !column.len.is_multiple_of(lanes) {
                continue;
            }
            let (to, from) = (self.get_mut(column), other.get(old));
            for number in 0..to.len() / lanes {
                to[number * lanes + lane] = from[number * old_lanes + old_lane];
            }
        }
    }

    /// Copies all numbers that can change from a store with the same columns.
    pub fn copy_all(&mut self, other: &Self) {
        for index in 0..self.columns.len() {
            let ((column, change), (old, _)) = (self.columns[index], other.columns[index]);
            if change != Change::Never {
                self.get_mut(column).copy_from_slice(other.get(old));
            }
        }
    }

    /// Returns the columns that can change.
    fn states(&self) -> impl Iterator<Item = Column> {
        let states = self.columns.iter().filter(|(_, change)| *change != Change::Never);
        states.map(|(column, _)| *column)
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
        let columns = || self.columns.iter().filter(|(_, change)| is_saved(*change));
        to.clear();
        to.reserve_exact(columns().map(|(column, _)| column.len).sum());
        for (column, _) in columns() {
            to.extend_from_slice(self.get(*column));
        }
    }

    fn load_some(&mut self, mut numbers: &[f64], is_saved: impl Fn(Change) -> bool) {
        for index in 0..self.columns.len() {
            let (column, change) = self.columns[index];
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
        self.columns.iter().flat_map(|(column, _)| self.get(*column)).copied().collect()
    }

    /// Makes those numbers NaN that [`Self::save`] does not copy and that have changed since
    /// [`Self::all`] returned `numbers`.
    #[cfg(test)]
    pub fn spoil_unsaved(&mut self, mut numbers: &[f64]) {
        for index in 0..self.columns.len() {
            let (column, change) = self.columns[index];
            let (before, rest) = numbers.split_at(column.len);
            numbers = rest;
            if change == Change::OutsideOrFirst && self.get(column) != before {
                self.get_mut(column).fill(f64::NAN);
            }
        }
    }

    /// Writes all numbers that are not constant.
    ///
    /// # Errors
    /// [`SnapshotError`] if they cannot be encoded.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.states().try_for_each(|column| to.put(self.get(column)))
    }

    /// Reads the numbers that [`Self::write`] wrote for a store with the same layout.
    ///
    /// # Errors
    /// [`DecodeError`] if the layouts differ.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        for index in 0..self.columns.len() {
            let (column, change) = self.columns[index];
            if change == Change::Never {
                continue;
            }
            let values: Vec<f64> = from.take()?;
            if values.len() != column.len {
                let (expected, found) = (column.len, values.len());
                let text = format!("expected a column of {expected} values, found {found}");
                return Err(DecodeError::damaged(text));
            }
            self.get_mut(column).copy_from_slice(&values);
        }
        Ok(())
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
