//! Errors in map files.

/// A map file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct MapError {
    /// Path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// First character of the cell, from 1.
    pub column: usize,
    /// The reason.
    pub problem: Problem,
}

/// Why a map file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file has no rows.
    #[error(
        "the map is empty; expected a row of column coordinates, then one row per row coordinate"
    )]
    Empty,
    /// A row has fewer or more cells than the first one.
    #[error("the row has {found} cells; expected {expected}, as in the first row")]
    Ragged {
        /// Number of cells of the row.
        found: usize,
        /// Number of cells of the first row.
        expected: usize,
    },
    /// The map has too few columns or rows to interpolate.
    #[error("the map has {found} {of} of values; expected at least 2")]
    TooSmall {
        /// Number of columns or rows of values.
        found: usize,
        /// `columns` or `rows`.
        of: &'static str,
    },
    /// A cell is not a finite number.
    #[error("`{0}` is not a number; expected a finite number")]
    NotANumber(String),
    /// A coordinate does not exceed the one before it.
    #[error("the {axis} coordinate {found} follows {before}; expected strictly rising coordinates")]
    NotRising {
        /// `row` or `column`.
        axis: &'static str,
        /// The coordinate.
        found: String,
        /// The coordinate before it.
        before: String,
    },
}
