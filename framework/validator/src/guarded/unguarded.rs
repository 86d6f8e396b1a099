//! Columns without inaccessible pages, for systems other than Unix.

use std::path::Path;

use crate::guarded::{Side, UNWRITTEN};

/// Unused numbers on each side.
const MARGIN: usize = 512;

/// A column of numbers between unused numbers.
pub(crate) struct Guarded {
    memory: Vec<u64>,
}

impl Guarded {
    /// Creates a column of numbers.
    #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
    pub fn new(values: &[u64], _: Side) -> std::io::Result<Self> {
        let mut memory = vec![UNWRITTEN; values.len() + 2 * MARGIN];
        memory[MARGIN..MARGIN + values.len()].copy_from_slice(values);
        Ok(Self { memory })
    }

    /// Returns the address of the first value.
    pub fn pointer(&self) -> *mut u64 {
        self.memory[MARGIN..].as_ptr().cast_mut()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.memory.len() - 2 * MARGIN
    }

    /// Returns the values.
    pub fn values(&mut self) -> &mut [u64] {
        let end = self.memory.len() - MARGIN;
        &mut self.memory[MARGIN..end]
    }

    /// Sets all values to a pattern that no model writes.
    pub fn forget(&mut self) {
        self.values().fill(UNWRITTEN);
    }

    /// Returns the distance from the first value to the first number outside of the column that was
    /// written.
    pub fn written_beside(&mut self) -> Option<isize> {
        let own = MARGIN..self.memory.len() - MARGIN;
        let mut numbers = self.memory.iter().enumerate();
        let index =
            numbers.position(|(index, number)| !own.contains(&index) && *number != UNWRITTEN)?;
        Some(index as isize - MARGIN as isize)
    }
}

/// Does nothing.
pub(crate) fn report_to(_: &Path) {}

/// Does nothing.
pub(crate) fn watch<'c>(_: &str, _: impl Iterator<Item = (&'c Guarded, String)>) {}
