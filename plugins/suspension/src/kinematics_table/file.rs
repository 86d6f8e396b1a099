//! Reader of tables in CSV files.
//!
//! The first line names the columns: `travel` in m, optionally `rack` in m, and at least one of the quantities in
//! [`COLUMNS`]. A row is a point. The rows are sorted by travel and then by rack, and each travel has the same rack
//! positions. Empty lines and lines that begin with `#` are skipped. Files are untrusted: their size is limited, and
//! every error names line and column.

use simhost_sdk::math::DEG;

use super::{GridPoints, QUANTITIES, Quantity};
pub use crate::csv::TableError;
use crate::csv::{self, Line, shortened};

/// Names of columns with their quantities and their units in SI units.
pub const COLUMNS: [(&str, Quantity, f64); 11] = [
    ("camber", Quantity::Camber, 1.0),
    ("camber_deg", Quantity::Camber, DEG),
    ("toe_in", Quantity::Toe, 1.0),
    ("toe_in_deg", Quantity::Toe, DEG),
    ("half_track_change", Quantity::HalfTrackChange, 1.0),
    ("contact_x", Quantity::ContactX, 1.0),
    ("wheel_x", Quantity::WheelX, 1.0),
    ("caster", Quantity::Caster, 1.0),
    ("caster_deg", Quantity::Caster, DEG),
    ("spring_length", Quantity::SpringLength, 1.0),
    ("rc_height", Quantity::RollCentre, 1.0),
];

/// What a column contains.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    Travel,
    Rack,
    Quantity(Quantity, f64),
}

/// A row: travel, rack, and all quantities.
struct Point {
    line: usize,
    travel: f64,
    rack: f64,
    values: [f64; QUANTITIES],
}

/// Reads a table.
///
/// # Errors
///
/// A text that is not a table.
pub fn parse(text: &str) -> Result<GridPoints, TableError> {
    let (header, lines) = csv::lines(text)?;
    let columns = columns(&header)?;
    let points: Vec<Point> =
        lines.iter().map(|line| point(line, &columns)).collect::<Result<_, _>>()?;
    let mut grid = grid(&points, &columns)?;
    for (_, content) in &columns {
        if let Content::Quantity(quantity, _) = content {
            grid.present[*quantity as usize] = true;
        }
    }
    Ok(grid)
}

fn columns<'a>(header: &Line<'a>) -> Result<Vec<(&'a str, Content)>, TableError> {
    let mut found: Vec<(&str, Content)> = Vec::new();
    for name in header.text.split(',').map(str::trim) {
        let content = match name {
            "travel" => Content::Travel,
            "rack" => Content::Rack,
            _ => {
                let known = COLUMNS.iter().find(|(known, ..)| *known == name);
                let (_, quantity, unit) = known.ok_or_else(|| unknown(header.number, name))?;
                Content::Quantity(*quantity, *unit)
            }
        };
        let same = found.iter().find(|(_, other)| match (other, content) {
            (Content::Quantity(one, _), Content::Quantity(other, _)) => *one == other,
            (other, content) => *other == content,
        });
        if let Some((other, _)) = same {
            let what = format!("columns `{other}` and `{name}` have the same content; remove one");
            return Err(TableError::Line { line: header.number, what });
        }
        found.push((name, content));
    }
    let has_quantity = found.iter().any(|(_, content)| matches!(content, Content::Quantity(..)));
    let missing = match found.iter().any(|(_, content)| *content == Content::Travel) {
        false => "`travel`",
        true if !has_quantity => "a quantity such as `toe_in_deg`",
        true => return Ok(found),
    };
    let what = format!("missing {missing}, expected a column with this name");
    Err(TableError::Line { line: header.number, what })
}

fn unknown(line: usize, name: &str) -> TableError {
    let known: Vec<&str> = COLUMNS.iter().map(|(known, ..)| *known).collect();
    let what = format!(
        "unknown column `{}`, expected travel, rack, {}; rename or remove it",
        shortened(name),
        known.join(", ")
    );
    TableError::Line { line, what }
}

fn point(line: &Line, columns: &[(&str, Content)]) -> Result<Point, TableError> {
    let cells = line.cells(columns.len())?;
    let mut point = Point { line: line.number, travel: 0.0, rack: 0.0, values: [0.0; QUANTITIES] };
    for (cell, (name, content)) in cells.into_iter().zip(columns) {
        let value = line.number_in(name, cell)?;
        match content {
            Content::Travel => point.travel = value,
            Content::Rack => point.rack = value,
            Content::Quantity(quantity, unit) => point.values[*quantity as usize] = value * unit,
        }
    }
    Ok(point)
}

/// Sorts the points into a rectangular grid.
fn grid(points: &[Point], columns: &[(&str, Content)]) -> Result<GridPoints, TableError> {
    let first_travel = points.first().map_or(0.0, |point| point.travel);
    let racks: Vec<f64> = points
        .iter()
        .take_while(|point| point.travel == first_travel)
        .map(|point| point.rack)
        .collect();
    let mut travels = Vec::new();
    for (k, point) in points.iter().enumerate() {
        let place = k % racks.len();
        if place == 0 {
            travels.push(point.travel);
        }
        check_place(point, place, &racks, &travels)?;
    }
    let cell =
        |column: &str, line, what: String| TableError::Cell { line, column: column.into(), what };
    if let Some(last) = points.last().filter(|_| !points.len().is_multiple_of(racks.len())) {
        let what = format!(
            "the last travel has {} rack positions, expected {} as for the first; add the missing rows",
            points.len() % racks.len(),
            racks.len()
        );
        return Err(cell("rack", last.line, what));
    }
    if travels.len() < 2 {
        return Err(TableError::Table("has less than two travels; add rows".into()));
    }
    let has_rack = columns.iter().any(|(_, content)| *content == Content::Rack);
    if has_rack && racks.len() == 1 && racks[0] != 0.0 {
        let what = format!("the only rack position is {} m, expected 0 m", racks[0]);
        return Err(cell("rack", points[0].line, what));
    }
    let values = points.iter().map(|point| point.values).collect();
    Ok(GridPoints { travels, racks, values, present: [false; QUANTITIES] })
}

/// Checks travel and rack of a point that is the `place`-th of its travel.
fn check_place(
    point: &Point,
    place: usize,
    racks: &[f64],
    travels: &[f64],
) -> Result<(), TableError> {
    let cell = |column: &str, what| {
        Err(TableError::Cell { line: point.line, column: column.into(), what })
    };
    let (travel, rack) = (point.travel, point.rack);
    let current = travels[travels.len() - 1];
    if travel != current {
        let what = format!(
            "found {travel} m after {place} rows with {current} m, expected {} rows for each travel as for \
             the first; make the table rectangular",
            racks.len()
        );
        return cell("travel", what);
    }
    if place == 0 && travels.len() > 1 && travel <= travels[travels.len() - 2] {
        let before = travels[travels.len() - 2];
        let what =
            format!("found {travel} m after {before} m, expected increasing travel; sort the rows");
        return cell("travel", what);
    }
    if place > 0 && racks[place] <= racks[place - 1] {
        let (found, before) = (racks[place], racks[place - 1]);
        let what = format!(
            "found {found} m after {before} m, expected increasing rack travel; sort the rows"
        );
        return cell("rack", what);
    }
    if rack != racks[place] {
        let what = format!(
            "found {rack} m, expected {} m as for the first travel; make the table rectangular",
            racks[place]
        );
        return cell("rack", what);
    }
    Ok(())
}
