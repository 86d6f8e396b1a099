//! Lines and cells of CSV files.
//!
//! The first line names the columns. Empty lines and lines that begin with `#` are skipped. Files are untrusted: the
//! number of rows is limited, and every error names its line.

/// Largest number of rows.
const MOST_ROWS: usize = 20_000;

/// Why a table is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// A cell is invalid.
    #[error("line {line}, column `{column}`: {what}")]
    Cell {
        /// Line number, starting at 1.
        line: usize,
        /// Name of the column.
        column: String,
        /// The problem, and what was expected.
        what: String,
    },
    /// A line is invalid.
    #[error("line {line}: {what}")]
    Line {
        /// Line number, starting at 1.
        line: usize,
        /// The problem, and what was expected.
        what: String,
    },
    /// The table as a whole is invalid.
    #[error("{0}")]
    Table(String),
}

/// A line with its number.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
}

/// Returns the line with the names of the columns, and the rows.
pub(crate) fn lines(text: &str) -> Result<(Line<'_>, Vec<Line<'_>>), TableError> {
    let lines = text.lines().enumerate().map(|(k, text)| Line { number: k + 1, text: text.trim() });
    let mut lines = lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('#'));
    let empty =
        || TableError::Table("is empty, expected a line with the names of the columns".into());
    let header = lines.next().ok_or_else(empty)?;
    let rows: Vec<_> = lines.take(MOST_ROWS + 1).collect();
    if let Some(line) = rows.get(MOST_ROWS) {
        let what = format!("more than {MOST_ROWS} points; reduce the table");
        return Err(TableError::Line { line: line.number, what });
    }
    Ok((header, rows))
}

impl<'a> Line<'a> {
    /// Returns the cells of a row with `count` columns.
    pub(crate) fn cells(&self, count: usize) -> Result<Vec<&'a str>, TableError> {
        let cells: Vec<&str> = self.text.split(',').map(str::trim).collect();
        if cells.len() == count {
            return Ok(cells);
        }
        let what = format!("found {} cells, expected {count}", cells.len());
        Err(TableError::Line { line: self.number, what })
    }

    /// Returns the number in a cell of a column.
    pub(crate) fn number_in(&self, column: &str, cell: &str) -> Result<f64, TableError> {
        let value = cell.parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| {
            let what = format!("found '{}', expected a finite number", shortened(cell));
            TableError::Cell { line: self.number, column: column.into(), what }
        })
    }
}

/// Shortens a text for an error message.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
