//! Reader of force curves in CSV files, for [`springs`](crate::springs).
//!
//! A file has two columns, in any order: the force, `force` in N or `force_kn` in kN, and for a spring its compression,
//! `compression` in m or `compression_mm` in mm, for a damper the speed of its compression, `speed` in m/s or `speed_mm_s`
//! in mm/s. A row is a point.

use crate::csv::{self, Line, TableError, shortened};

/// Names of columns of forces with their units in SI units.
const FORCE: [(&str, f64); 2] = [("force", 1.0), ("force_kn", 1000.0)];

/// What a curve depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveAxis {
    /// Compression of a spring.
    Compression,
    /// Speed of compression of a damper.
    Speed,
}

impl CurveAxis {
    /// Returns the names of the columns with their units in SI units.
    const fn columns(self) -> [(&'static str, f64); 2] {
        match self {
            Self::Compression => [("compression", 1.0), ("compression_mm", 1e-3)],
            Self::Speed => [("speed", 1.0), ("speed_mm_s", 1e-3)],
        }
    }
}

/// A column of a file: its place, its name and its unit.
struct ForceColumn<'a> {
    place: usize,
    name: &'a str,
    unit: f64,
}

impl ForceColumn<'_> {
    fn value(&self, line: &Line, cells: &[&str]) -> Result<f64, TableError> {
        Ok(line.number_in(self.name, cells[self.place])? * self.unit)
    }
}

/// Reads the points of a curve: compression in m or speed in m/s, and force in N.
///
/// # Errors
///
/// A text without these columns, and cells that are not finite numbers. The order of the points is not checked.
pub fn parse(text: &str, axis: CurveAxis) -> Result<Vec<[f64; 2]>, TableError> {
    let (header, rows) = csv::lines(text)?;
    let names: Vec<&str> = header.text.split(',').map(str::trim).collect();
    let known = [axis.columns(), FORCE];
    if let Some(name) = names.iter().find(|name| known.iter().flatten().all(|one| one.0 != **name))
    {
        let what = format!("unknown column `{}`, {}", shortened(name), expected(axis));
        return Err(TableError::Line { line: header.number, what });
    }
    let [along, force] = known.map(|columns| column(&names, columns));
    let (Some(along), Some(force), 2) = (along, force, names.len()) else {
        let what = format!("found {} columns, {}", names.len(), expected(axis));
        return Err(TableError::Line { line: header.number, what });
    };
    let point = |line: &Line| {
        let cells = line.cells(2)?;
        Ok([along.value(line, &cells)?, force.value(line, &cells)?])
    };
    rows.iter().map(point).collect()
}

fn column<'a>(names: &[&'a str], known: [(&str, f64); 2]) -> Option<ForceColumn<'a>> {
    names.iter().enumerate().find_map(|(place, name)| {
        let (_, unit) = known.into_iter().find(|(known, _)| known == name)?;
        Some(ForceColumn { place, name, unit })
    })
}

fn expected(axis: CurveAxis) -> String {
    let [one, other] = axis.columns();
    format!(
        "expected one column `{}` or `{}` and one column `force` or `force_kn`; rename or remove columns",
        one.0, other.0
    )
}
