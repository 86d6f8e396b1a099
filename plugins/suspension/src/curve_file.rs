//! Reader of the points of curves in CSV files.
//!
//! A file has two columns, in any order. A row is a point.

pub use crate::csv::TableError;
use crate::csv::{self, Line, shortened};

/// Columns of a file: names with their units in SI units.
#[derive(Clone, Copy, Debug)]
pub struct CurveColumns {
    /// What the curve depends on.
    pub along: &'static [(&'static str, f64)],
    /// Value of the curve.
    pub value: &'static [(&'static str, f64)],
}

/// A column of a file: its place, its name and its unit.
struct CurveColumn<'a> {
    place: usize,
    name: &'a str,
    unit: f64,
}

impl CurveColumn<'_> {
    fn value(&self, line: &Line, cells: &[&str]) -> Result<f64, TableError> {
        Ok(line.number_in(self.name, cells[self.place])? * self.unit)
    }
}

/// Reads the points of a curve in SI units.
///
/// # Errors
///
/// A text without these columns, and cells that are not finite numbers. The order of the points is not checked.
pub fn parse(text: &str, columns: &CurveColumns) -> Result<Vec<[f64; 2]>, TableError> {
    parse_checked(text, columns, |_, _| Ok(()))
}

/// Reads the points of a curve in SI units, and checks each with the point before it.
///
/// # Errors
///
/// The errors of [`parse`], and the message of `check` with the line of the point.
pub fn parse_checked(
    text: &str,
    columns: &CurveColumns,
    check: impl Fn(Option<[f64; 2]>, [f64; 2]) -> Result<(), String>,
) -> Result<Vec<[f64; 2]>, TableError> {
    let (header, rows) = csv::lines(text)?;
    let names: Vec<&str> = header.text.split(',').map(str::trim).collect();
    let known = [columns.along, columns.value];
    if let Some(name) =
        names.iter().find(|name| known.into_iter().flatten().all(|one| one.0 != **name))
    {
        let what = format!("unknown column `{}`, {}", shortened(name), expected(columns));
        return Err(TableError::Line { line: header.number, what });
    }
    let [along, value] = known.map(|columns| column(&names, columns));
    let (Some(along), Some(value), 2) = (along, value, names.len()) else {
        let what = format!("found {} columns, {}", names.len(), expected(columns));
        return Err(TableError::Line { line: header.number, what });
    };
    let mut points: Vec<[f64; 2]> = Vec::with_capacity(rows.len());
    for line in &rows {
        let cells = line.cells(2)?;
        let point = [along.value(line, &cells)?, value.value(line, &cells)?];
        check(points.last().copied(), point)
            .map_err(|what| TableError::Line { line: line.number, what })?;
        points.push(point);
    }
    Ok(points)
}

fn column<'a>(names: &[&'a str], known: &[(&str, f64)]) -> Option<CurveColumn<'a>> {
    names.iter().enumerate().find_map(|(place, name)| {
        let (_, unit) = known.iter().find(|(known, _)| known == name)?;
        Some(CurveColumn { place, name, unit: *unit })
    })
}

fn expected(columns: &CurveColumns) -> String {
    let names = |columns: &[(&str, f64)]| {
        columns.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
    };
    format!(
        "expected one column {} and one column {}; rename or remove columns",
        names(columns.along),
        names(columns.value)
    )
}
