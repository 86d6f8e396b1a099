//! The reader of map files.

use simhost_sdk::prelude::*;

use super::Map;

/// A cell of the file.
#[derive(Clone, Copy)]
struct Cell<'a> {
    /// Line and first character, from 1.
    at: [usize; 2],
    text: &'a str,
}

/// Reads a map from a text file.
///
/// # Errors
///
/// [`MapError`] with line and column of the first cell that is wrong.
pub fn read(file: &TextFile) -> Result<Map, MapError> {
    of_text(&file.text).map_err(|([line, column], problem)| MapError {
        file: file.path.clone(),
        line,
        column,
        problem,
    })
}

type Wrong = ([usize; 2], Problem);

fn of_text(text: &str) -> Result<Map, Wrong> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut lines = lines.map(|(number, line)| (number + 1, cells(number + 1, line)));
    let (line, head) = lines.next().ok_or(([1, 1], Problem::Empty))?;
    let columns = axis("column", head[1..].iter())?;
    if columns.len() < 2 {
        return Err(([line, 1], Problem::TooSmall { found: columns.len(), of: "columns" }));
    }
    let (mut places, mut values, mut last) = (Vec::new(), Vec::new(), line);
    for (line, row) in lines {
        if row.len() != head.len() {
            let problem = Problem::Ragged { found: row.len(), expected: head.len() };
            return Err(([line, 1], problem));
        }
        places.push(row[0]);
        for cell in &row[1..] {
            values.push(number(cell)?);
        }
        last = line;
    }
    let rows = axis("row", places.iter())?;
    if rows.len() < 2 {
        return Err(([last, 1], Problem::TooSmall { found: rows.len(), of: "rows" }));
    }
    Ok(Map { columns, rows, values })
}

fn cells(number: usize, line: &str) -> Vec<Cell<'_>> {
    let mut start = 0;
    line.split(',')
        .map(|cell| {
            let blank = cell.len() - cell.trim_start().len();
            let column = line[..start + blank].chars().count() + 1;
            start += cell.len() + 1;
            Cell { at: [number, column], text: cell.trim() }
        })
        .collect()
}

fn number(cell: &Cell<'_>) -> Result<f64, Wrong> {
    let wrong = || (cell.at, Problem::NotANumber(cell.text.to_owned()));
    let number: f64 = cell.text.parse().map_err(|_| wrong())?;
    if number.is_finite() { Ok(number) } else { Err(wrong()) }
}

fn axis<'a>(
    axis: &'static str,
    cells: impl Iterator<Item = &'a Cell<'a>>,
) -> Result<Vec<f64>, Wrong> {
    let mut numbers: Vec<f64> = Vec::new();
    for cell in cells {
        let found = number(cell)?;
        if let Some(before) = numbers.last()
            && found <= *before
        {
            let problem =
                Problem::NotRising { axis, found: found.to_string(), before: before.to_string() };
            return Err((cell.at, problem));
        }
        numbers.push(found);
    }
    Ok(numbers)
}

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
