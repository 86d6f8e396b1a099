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
struct Line([f64; LINE]);

/// Handle of one column of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column(usize);

/// Returns whether all numbers are finite.
pub(crate) fn all_finite(values: &[f64]) -> bool {
    // without a branch per number
    values.iter().fold(true, |finite, value| finite & value.is_finite())
}

/// Collects columns before they are laid out.
#[derive(Default)]
pub(crate) struct Layout {
    columns: Vec<(Vec<f64>, Kept)>,
}

/// Whether the numbers of a column belong to the state of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// They change from step to step.
    State,
    /// The world file determines them.
    Constant,
}

impl Layout {
    /// Adds a column with these values.
    pub fn add(&mut self, values: Vec<f64>) -> Column {
        self.columns.push((values, Kept::State));
        Column(self.columns.len() - 1)
    }

    /// Adds a column whose values do not change after the construction, so that snapshots do not
    /// hold them.
    pub fn add_constant(&mut self, values: Vec<f64>) -> Column {
        self.columns.push((values, Kept::Constant));
        Column(self.columns.len() - 1)
    }

    /// Adds a column of `len` equal values.
    pub fn fill(&mut self, len: usize, value: f64) -> Column {
        self.add(vec![value; len])
    }

    /// Returns the number of values of a column.
    pub fn len(&self, column: Column) -> usize {
        self.columns[column.0].0.len()
    }

    /// Lays the columns out in memory.
    pub fn finish(self) -> Columns {
        let mut spans = Vec::with_capacity(self.columns.len());
        let mut lines = 0;
        for (column, kept) in &self.columns {
            spans.push(Span { start: lines * LINE, len: column.len(), kept: *kept });
            lines += column.len().div_ceil(LINE) | 1;
        }
        let memory = vec![Line([0.0; LINE]); lines].into_boxed_slice();
        let base = NonNull::from(Box::leak(memory));
        let mut columns = Columns { base, spans };
        for (index, (values, _)) in self.columns.into_iter().enumerate() {
            columns.get_mut(Column(index)).copy_from_slice(&values);
        }
        columns
    }
}

/// Columns in memory. Their addresses do not change until the store is dropped.
pub(crate) struct Columns {
    base: NonNull<[Line]>,
    spans: Vec<Span>,
}

/// Place of a column in the store.
struct Span {
    /// Index of its first number.
    start: usize,
    /// Count of its numbers.
    len: usize,
    kept: Kept,
}

impl Columns {
    /// Returns a pointer to the first number of a column. Reads and writes through it must not
    /// overlap with a slice of the same column.
    pub fn pointer(&self, column: Column) -> *mut f64 {
        // SAFETY: the offset was computed from the size of the allocation.
        unsafe { self.base.as_ptr().cast::<f64>().add(self.spans[column.0].start) }
    }

    /// Returns the numbers of a column.
    pub fn get(&self, column: Column) -> &[f64] {
        // SAFETY: the span lies within the allocation, and models write only while a call holds
        // the store exclusively.
        unsafe { std::slice::from_raw_parts(self.pointer(column), self.spans[column.0].len) }
    }

    /// Returns the numbers of a column for writing.
    pub fn get_mut(&mut self, column: Column) -> &mut [f64] {
        let len = self.spans[column.0].len;
        // SAFETY: the span lies within the allocation, and `self` is held exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.pointer(column), len) }
    }

    /// Returns the numbers of one column for reading and those of another for writing.
    ///
    /// # Panics
    /// Panics if the columns are the same.
    pub fn read_and_write(&mut self, read: Column, write: Column) -> (&[f64], &mut [f64]) {
        assert_ne!(read, write, "two columns");
        let (from, len) = (self.pointer(read).cast_const(), self.spans[read.0].len);
        // SAFETY: the span lies within the allocation, `self` is held exclusively for the life of both
        // slices, and different columns do not overlap.
        (unsafe { std::slice::from_raw_parts(from, len) }, self.get_mut(write))
    }

    /// Copies a column to another one of the same length.
    pub fn copy(&mut self, from: Column, to: Column) {
        let (source, len) = (self.get(from), self.spans[to.0].len);
        assert_eq!(source.len(), len, "the columns have the same length");
        // SAFETY: both spans lie within the allocation and are as long; `self` is held exclusively.
        unsafe { std::ptr::copy(source.as_ptr(), self.pointer(to), len) }
    }

    /// Returns whether the numbers of a column can change.
    fn is_state(&self, index: usize) -> bool {
        self.spans[index].kept == Kept::State
    }

    /// Copies all numbers that are not constant to `to`, for [`Self::load`].
    pub fn save(&self, to: &mut Vec<f64>) {
        to.clear();
        for index in (0..self.spans.len()).filter(|index| self.is_state(*index)) {
            to.extend_from_slice(self.get(Column(index)));
        }
    }

    /// Copies back the numbers that [`Self::save`] has copied.
    pub fn load(&mut self, mut numbers: &[f64]) {
        for index in 0..self.spans.len() {
            if !self.is_state(index) {
                continue;
            }
            let column = self.get_mut(Column(index));
            let (own, rest) = numbers.split_at(column.len());
            column.copy_from_slice(own);
            numbers = rest;
        }
    }

    /// Writes all numbers that are not constant.
    ///
    /// # Errors
    /// [`SnapshotError`] if they cannot be encoded.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let mut states = (0..self.spans.len()).filter(|index| self.is_state(*index));
        states.try_for_each(|index| to.put(self.get(Column(index))))
    }

    /// Reads the numbers that [`Self::write`] wrote for a store with the same layout.
    ///
    /// # Errors
    /// [`DecodeError`] if the layouts differ.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        for index in 0..self.spans.len() {
            if !self.is_state(index) {
                continue;
            }
            let values: Vec<f64> = from.take()?;
            let column = self.get_mut(Column(index));
            if values.len() != column.len() {
                let text =
                    format!("expected a column of {} values, found {}", column.len(), values.len());
                return Err(DecodeError::damaged(text));
            }
            column.copy_from_slice(&values);
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
        let len = self.0.spans[column.0].len;
        // SAFETY: the span lies within the allocation; the store is held exclusively for the life
        // of this view, which gives out nothing but cells, on one thread.
        unsafe { std::slice::from_raw_parts(self.0.pointer(column).cast(), len) }
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
