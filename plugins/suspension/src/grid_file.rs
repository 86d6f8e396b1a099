//! Reader of points of [surfaces](crate::surface) in CSV files.
//!
//! The first line names the columns: the first axis, optionally the second axis, and at least one quantity. A row is a
//! point. The rows are sorted by the first axis and then by the second, and each position on the first axis has the same
//! positions on the second. Empty lines and lines that begin with `#` are skipped. Files are untrusted: their size is
//! limited, and every error names line and column.

pub use crate::csv::TableError;
use crate::csv::{self, Line, shortened};
use crate::surface::GridPoints;

/// An axis of a file.
#[derive(Clone, Copy, Debug)]
pub struct GridAxis {
    /// Names of its columns, with their units in SI units.
    pub columns: &'static [(&'static str, f64)],
    /// Position that a single one on the second axis must have.
    pub only: Option<f64>,
}

/// Columns of a file.
#[derive(Clone, Copy, Debug)]
pub struct GridFormat {
    /// First axis, which a file needs.
    pub first: GridAxis,
    /// Second axis, which a file can leave out.
    pub second: GridAxis,
    /// Names of columns with the numbers of their quantities and their units in SI units.
    pub quantities: &'static [(&'static str, usize, f64)],
}

/// What a column contains.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    First(f64),
    Second(f64),
    Quantity(usize, f64),
}

impl Content {
    fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::First(_), Self::First(_)) | (Self::Second(_), Self::Second(_)) => true,
            (Self::Quantity(one, _), Self::Quantity(other, _)) => one == other,
            _ => false,
        }
    }
}

/// A row: positions on both axes as they are written, and all quantities.
struct Point<const Q: usize> {
    line: usize,
    first: f64,
    second: f64,
    values: [f64; Q],
}

/// Columns of a file with their contents, and names of the columns of both axes for messages.
struct Header<'a> {
    columns: Vec<(&'a str, Content)>,
    axes: [&'a str; 2],
}

impl GridFormat {
    /// Reads the points of a file.
    ///
    /// # Errors
    ///
    /// A text that is not a table with these columns.
    pub fn parse<const Q: usize>(&self, text: &str) -> Result<GridPoints<Q>, TableError> {
        let (header, lines) = csv::lines(text)?;
        let header = self.header(&header)?;
        let points: Vec<Point<Q>> =
            lines.iter().map(|line| point(line, &header)).collect::<Result<_, _>>()?;
        let mut grid = self.grid(&points, &header)?;
        for (_, content) in &header.columns {
            match content {
                Content::First(unit) => grid.first.iter_mut().for_each(|at| *at *= unit),
                Content::Second(unit) => grid.second.iter_mut().for_each(|at| *at *= unit),
                Content::Quantity(quantity, _) => grid.present[*quantity] = true,
            }
        }
        Ok(grid)
    }

    fn header<'a>(&self, line: &Line<'a>) -> Result<Header<'a>, TableError> {
        let mut columns: Vec<(&str, Content)> = Vec::new();
        for name in line.text.split(',').map(str::trim) {
            let content = self.content(name).ok_or_else(|| self.unknown(line.number, name))?;
            if let Some((other, _)) = columns.iter().find(|(_, other)| other.is_same(content)) {
                let what =
                    format!("columns `{other}` and `{name}` have the same content; remove one");
                return Err(TableError::Line { line: line.number, what });
            }
            columns.push((name, content));
        }
        let name = |axis: Content| {
            columns.iter().find(|(_, content)| content.is_same(axis)).map(|(name, _)| *name)
        };
        let [first, second] = [name(Content::First(1.0)), name(Content::Second(1.0))];
        let has_quantity =
            columns.iter().any(|(_, content)| matches!(content, Content::Quantity(..)));
        let missing = match first {
            None => format!("`{}`", self.first.columns[0].0),
            Some(_) if !has_quantity => {
                format!("a quantity such as `{}`", self.quantities[0].0)
            }
            Some(first) => {
                let axes = [first, second.unwrap_or(self.second.columns[0].0)];
                return Ok(Header { columns, axes });
            }
        };
        let what = format!("missing {missing}, expected a column with this name");
        Err(TableError::Line { line: line.number, what })
    }

    fn content(&self, name: &str) -> Option<Content> {
        let axis = |axis: &GridAxis| axis.columns.iter().find(|(known, _)| *known == name);
        if let Some((_, unit)) = axis(&self.first) {
            return Some(Content::First(*unit));
        }
        if let Some((_, unit)) = axis(&self.second) {
            return Some(Content::Second(*unit));
        }
        let (_, quantity, unit) = self.quantities.iter().find(|(known, ..)| *known == name)?;
        Some(Content::Quantity(*quantity, *unit))
    }

    fn unknown(&self, line: usize, name: &str) -> TableError {
        let axes = [self.first.columns, self.second.columns].into_iter().flatten();
        let quantities = self.quantities.iter().map(|(known, ..)| *known);
        let known: Vec<&str> = axes.map(|(known, _)| *known).chain(quantities).collect();
        let what = format!(
            "unknown column `{}`, expected {}; rename or remove it",
            shortened(name),
            known.join(", ")
        );
        TableError::Line { line, what }
    }

    /// Sorts the points into a rectangular grid.
    fn grid<const Q: usize>(
        &self,
        points: &[Point<Q>],
        header: &Header<'_>,
    ) -> Result<GridPoints<Q>, TableError> {
        let start = points.first().map_or(0.0, |point| point.first);
        let of_start = points.iter().take_while(|point| point.first == start);
        let second: Vec<f64> = of_start.map(|point| point.second).collect();
        let mut first = Vec::new();
        for (k, point) in points.iter().enumerate() {
            let place = k % second.len();
            if place == 0 {
                first.push(point.first);
            }
            check_place(point, place, &second, &first, header)?;
        }
        let [along, across] = header.axes;
        let cell = |line, what: String| TableError::Cell { line, column: across.into(), what };
        if let Some(last) = points.last().filter(|_| !points.len().is_multiple_of(second.len())) {
            let what = format!(
                "the last `{along}` has {} rows, expected {} as for the first; add the missing rows",
                points.len() % second.len(),
                second.len()
            );
            return Err(cell(last.line, what));
        }
        if first.len() < 2 {
            let what = format!("has less than two values of `{along}`; add rows");
            return Err(TableError::Table(what));
        }
        let given = header.columns.iter().any(|(_, content)| matches!(content, Content::Second(_)));
        if let (Some(only), [found], true) = (self.second.only, &second[..], given)
            && *found != only
        {
            let what = format!("the only value is {found}, expected {only}");
            return Err(cell(points[0].line, what));
        }
        let values = points.iter().map(|point| point.values).collect();
        Ok(GridPoints { first, second, values, present: [false; Q] })
    }
}

fn point<const Q: usize>(line: &Line<'_>, header: &Header<'_>) -> Result<Point<Q>, TableError> {
    let cells = line.cells(header.columns.len())?;
    let mut point = Point { line: line.number, first: 0.0, second: 0.0, values: [0.0; Q] };
    for (cell, (name, content)) in cells.into_iter().zip(&header.columns) {
        let value = line.number_in(name, cell)?;
        match content {
            Content::First(_) => point.first = value,
            Content::Second(_) => point.second = value,
            Content::Quantity(quantity, unit) => point.values[*quantity] = value * unit,
        }
    }
    Ok(point)
}

/// Checks the positions of a point that is the `place`-th of its position on the first axis.
fn check_place<const Q: usize>(
    point: &Point<Q>,
    place: usize,
    second: &[f64],
    first: &[f64],
    header: &Header<'_>,
) -> Result<(), TableError> {
    let cell = |column: &str, what| {
        Err(TableError::Cell { line: point.line, column: column.into(), what })
    };
    let [along, across] = header.axes;
    let current = first[first.len() - 1];
    if point.first != current {
        let what = format!(
            "found {} after {place} rows with {current}, expected {} rows for each value as for the first; make \
             the table rectangular",
            point.first,
            second.len()
        );
        return cell(along, what);
    }
    let increasing = |column: &str, found: f64, before: f64| {
        let what =
            format!("found {found} after {before}, expected increasing values; sort the rows");
        cell(column, what)
    };
    if let (0, [.., before, last]) = (place, first)
        && last <= before
    {
        return increasing(along, *last, *before);
    }
    if place > 0 && second[place] <= second[place - 1] {
        return increasing(across, second[place], second[place - 1]);
    }
    if point.second != second[place] {
        let what = format!(
            "found {}, expected {} as for the first `{along}`; make the table rectangular",
            point.second, second[place]
        );
        return cell(across, what);
    }
    Ok(())
}
