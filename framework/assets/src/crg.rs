//! Road surfaces in OpenCRG: heights on a grid along a curved reference line.
//!
//! The grid has rows across the road at equal distances u along the reference line, and columns along it at distances v to its
//! left. A row of the file gives the heading of the line from the row before (rad), its slope from there, its banking, and
//! a height for each column. The height at (u, v) is z₀(u) + b(u) v + z(u, v), with z₀ from the slopes and linear
//! interpolation in between.
//!
//! Files are in ASCII (`LRFI`, `LDFI`) or binary (`KRBI`, `KDBI`). Modifiers, references to other files and continuations
//! other than the last height are refused. The heights outside of the road are the heights of its nearest place.
//!
//! Source: ASAM OpenCRG 1.2.

mod data;
mod header;
mod surface;

use std::path::Path;

use simhost_scene::HeightField;

use crate::{AssetError, Limits, Problem, file};

use header::{Channel, CrgHeader, FORMAT};

/// Largest difference of the end of a reference line from the end that its header gives, as a part of its length.
const END_TOLERANCE: f64 = 0.01;

/// The surface of a road.
#[derive(Clone, Debug, PartialEq)]
pub struct CrgRoad {
    /// Distance between rows along the reference line, m.
    increment: f64,
    /// Points of the reference line, m.
    line: Vec<[f64; 2]>,
    /// Heights of the reference line, m.
    levels: Vec<f64>,
    /// Banking of the rows: rise to the left over distance.
    banking: Vec<f64>,
    /// Distances of the columns to the left of the line, ascending, m.
    columns: Vec<f64>,
    /// Heights above line and banking, row by row, m.
    heights: Vec<f64>,
}

/// Placement of a road in a terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrgOptions {
    /// Distance between the samples of the terrain, m; by default the smaller one of the distances of rows and columns.
    pub resolution: Option<f64>,
    /// Offset of the road, m.
    pub offset: [f64; 3],
}

/// Reads a road as a terrain.
///
/// # Errors
/// The file cannot be read, is not valid, has a part that is not supported, or exceeds the limits.
pub fn read(path: &Path, options: &CrgOptions, limits: &Limits) -> Result<HeightField, AssetError> {
    file::read(path, limits)
        .and_then(|bytes| from_bytes(&bytes, limits)?.to_field(options, limits))
        .map_err(|problem| problem.at(path))
}

/// Reads a road.
///
/// # Errors
/// The content is not valid, has a part that is not supported, or exceeds the limits.
pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<CrgRoad, Problem> {
    let header = CrgHeader::read(bytes)?;
    let rows = data::rows(&bytes[header.data..], &header, limits)?;
    let (count, channels) = (rows.len() / header.channels.len(), header.channels.len());
    if count < 2 {
        let text = format!("found {count} rows across the road; expected at least 2");
        return Err(Problem::syntax(FORMAT, text));
    }
    let increment = header.increment(count)?;
    let column = |wanted: Channel| header.channels.iter().position(|one| *one == wanted);
    let channel = |wanted: Channel, start: f64| -> Result<Vec<f64>, Problem> {
        let Some(place) = column(wanted) else { return Ok(vec![start; count]) };
        let values = (0..count).map(|row| rows[row * channels + place]);
        held(values.collect(), wanted)
    };
    let headings = match column(Channel::Heading) {
        Some(_) => channel(Channel::Heading, 0.0)?,
        None => vec![header.heading()?; count],
    };
    let line = integrate(header.start, &headings, increment, header.end)?;
    let slopes = channel(Channel::Slope, header.slope)?;
    let levels = slopes[1..].iter().scan(header.start_height, |height, slope| {
        *height += increment * slope;
        Some(*height)
    });
    let mut levels: Vec<f64> = std::iter::once(header.start_height).chain(levels).collect();
    let last = levels[count - 1];
    let (length, end) = (increment * (count - 1) as f64, header.end_height.unwrap_or(last));
    check_end((end - last).abs(), length, "height")?;
    spread(levels.iter_mut(), end - last);
    let columns = header.columns()?;
    let heights = heights(&rows, &header, count)?;
    let banking = channel(Channel::Banking, header.banking)?;
    Ok(CrgRoad { increment, line, levels, banking, columns, heights })
}

/// Replaces the missing values of a channel of the reference line by the values before them. The first one counts from the
/// second row on, except for banking.
fn held(mut values: Vec<f64>, channel: Channel) -> Result<Vec<f64>, Problem> {
    if channel != Channel::Banking {
        values[0] = values[1];
    }
    for place in 1..values.len() {
        if values[place].is_nan() {
            values[place] = values[place - 1];
        }
    }
    if values[0].is_nan() {
        let text = format!("the {channel} begins with a missing value; expected a number");
        return Err(Problem::syntax(FORMAT, text));
    }
    Ok(values)
}

/// Returns the points of the reference line. The difference to the end that the header gives is spread over the line.
fn integrate(
    start: [f64; 2],
    headings: &[f64],
    increment: f64,
    end: Option<[f64; 2]>,
) -> Result<Vec<[f64; 2]>, Problem> {
    let mut line = vec![start];
    let mut at = start;
    for heading in &headings[1..] {
        let (sin, cos) = heading.sin_cos();
        at = [at[0] + increment * cos, at[1] + increment * sin];
        line.push(at);
    }
    let Some(end) = end else { return Ok(line) };
    let miss = [end[0] - at[0], end[1] - at[1]];
    let length = increment * (headings.len() - 1) as f64;
    check_end(miss[0].hypot(miss[1]), length, "position")?;
    for (axis, miss) in miss.into_iter().enumerate() {
        spread(line.iter_mut().map(|point| &mut point[axis]), miss);
    }
    Ok(line)
}

/// Adds a difference at the end of the line, and in proportion before.
fn spread<'v>(values: impl ExactSizeIterator<Item = &'v mut f64>, difference: f64) {
    let last = (values.len() - 1) as f64;
    for (number, value) in values.enumerate() {
        *value += difference * number as f64 / last;
    }
}

fn check_end(miss: f64, length: f64, what: &str) -> Result<(), Problem> {
    if miss <= END_TOLERANCE * length {
        return Ok(());
    }
    let text = format!(
        "the reference line misses the {what} of its end in the header by {miss:.3} m; expected at most 1 % of its length"
    );
    Err(Problem::syntax(FORMAT, text))
}

/// Returns the heights in the order of the columns. Missing heights at the borders are the nearest ones of their row.
fn heights(rows: &[f64], header: &CrgHeader, count: usize) -> Result<Vec<f64>, Problem> {
    let (channels, places) = (header.channels.len(), header.places());
    let mut heights = Vec::with_capacity(count * places.len());
    for row in 0..count {
        let start = heights.len();
        heights.extend(places.iter().map(|place| rows[row * channels + place]));
        let own = &mut heights[start..];
        let known = |value: &f64| !value.is_nan();
        let bounds = own.iter().position(known).zip(own.iter().rposition(known));
        let Some((first, last)) = bounds else {
            let text = format!("row {} has no height", row + 1);
            return Err(Problem::syntax(FORMAT, text));
        };
        if own[first..=last].iter().any(|value| value.is_nan()) {
            let text = format!("row {} has a missing height between others", row + 1);
            return Err(Problem::syntax(FORMAT, text));
        }
        let ends = [own[first], own[last]];
        own[..first].fill(ends[0]);
        own[last + 1..].fill(ends[1]);
    }
    Ok(heights)
}

#[cfg(test)]
mod tests;
