//! The side of a column on which accesses are looked for, and its content before it is written.

/// Content of memory that has not been written.
pub(crate) const UNWRITTEN: u64 = 0x7ff8_dead_beef_5eed;

/// The side of a column that is next to an inaccessible page, on systems that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The first value is the first one that can be accessed.
    Start,
    /// The last value is the last one that can be accessed.
    End,
}

/// Returns whether a number was never written.
pub(crate) fn is_unwritten(number: u64) -> bool {
    number == UNWRITTEN
}
