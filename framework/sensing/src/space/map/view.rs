//! A map as it is seen from one point, for many rays.
//!
//! The level directions around the point are divided into bins. A bin in which one wall (a line between
//! free cells and others) is seen from end to end, in front of all others, answers for its rays: the
//! distance is that to the line of the wall, computed as by a ray that is followed from cell to cell, with
//! the same bits. Rays of the other bins are followed. Bins are narrowed and widened by guards that exceed
//! all rounding errors by far, so that the choice never reaches a result.
//!
//! A direction (x, y) has the place y / (|x| + |y|) on the sides of a square, which grows from 0 to 4 with
//! the angle and needs neither a root nor a trigonometric function.

use simhost_scene::{Hit, OccupancyGrid};

use crate::grid::Wall;

/// Smallest and largest number of bins per quarter of a turn.
const FEWEST: usize = 256;
const MOST: usize = 4096;
/// Number of rays per bin of a quarter.
const RAYS_PER_BIN: usize = 64;
/// Bin in which nothing is seen, and bin whose rays are followed.
const OPEN: u32 = u32::MAX;
const UNSURE: u32 = u32::MAX - 1;
/// Guard of places, and part of the extent by which it grows for rounding errors of coordinates.
const GUARD: f64 = 1e-6;
const ROUNDING: f64 = 1e-8;
/// Guard above which a wall is too close to be seen.
const CLOSE: f64 = 0.1;
/// Part by which one wall has to be nearer than another.
const APART: f64 = 1e-6;

/// A wall in a bin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Axis across the wall.
    pub axis: usize,
    /// Position of its line, m; the origin of rays is subtracted from it.
    pub at: f64,
    pub is_unknown: bool,
}

/// A map as it is seen from one point.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(super) is_ready: bool,
    origin: [f64; 2],
    per_quarter: f64,
    /// Index of the wall that is seen in each bin.
    bins: Vec<u32>,
    /// Largest depth of that wall in the bin: the distance over |x| + |y| of the direction.
    depths: Vec<f64>,
    /// Walls by their indices.
    lines: Vec<Line>,
}

/// A wall as it is seen from the origin.
#[derive(Clone, Copy, Debug)]
struct Seen {
    axis: usize,
    /// Position of the line relative to the origin, m.
    offset: f64,
    /// Places of its ends; the second one can exceed 4.
    ends: [f64; 2],
    guard: f64,
    /// Whether its depth is known.
    is_sure: bool,
}

/// Returns the place of a direction, from 0 to 4.
#[inline(always)]
pub(super) fn place([x, y]: [f64; 2]) -> f64 {
    let part = y / (x.abs() + y.abs());
    let turned = if x < 0.0 { 2.0 - part } else { part };
    if turned < 0.0 { turned + 4.0 } else { turned }
}

/// Returns a component of the direction at a position. The sum of both components is 1.
fn part_at(place: f64, axis: usize) -> f64 {
    let turned = place - axis as f64;
    (turned - 4.0 * (turned * 0.25).floor() - 2.0).abs() - 1.0
}

impl View {
    /// Lets all rays be followed.
    pub fn forget(&mut self) {
        self.is_ready = false;
    }

    /// Looks at the walls of a grid from an origin, up to a range, m, for a number of rays. The view stays
    /// empty if there are more walls than rays.
    pub fn look<'w>(
        &mut self,
        grid: &OccupancyGrid,
        walls: impl FnOnce() -> Option<&'w [Wall]>,
        [x, y, _]: [f64; 3],
        max_range: f64,
        rays: usize,
    ) {
        let origin = [x, y];
        let cell = grid.index_at(x, y).filter(|[column, row]| grid.is_free(*column, *row));
        let Some(cell) = cell else { return };
        let Some(walls) = walls().filter(|walls| walls.len() <= rays) else { return };
        let count = (rays / RAYS_PER_BIN).next_power_of_two().clamp(FEWEST, MOST);
        (self.origin, self.per_quarter) = (origin, count as f64);
        self.bins.clear();
        self.bins.resize(4 * count, OPEN);
        self.depths.clear();
        self.depths.resize(4 * count, f64::INFINITY);
        self.lines.clear();
        self.lines.extend(walls.iter().map(|wall| {
            let axis = usize::from(wall.axis);
            let at = grid.corner()[axis] + f64::from(wall.line) * grid.resolution();
            Line { axis, at, is_unknown: wall.facing.is_unknown }
        }));
        for is_last in [false, true] {
            for (index, wall) in walls.iter().enumerate() {
                let is_ahead = wall.line as usize > cell[usize::from(wall.axis)];
                if wall.facing.is_forward != is_ahead {
                    continue;
                }
                match Seen::new(grid, wall, origin, max_range) {
                    Ok(Some(seen)) => self.enter(index as u32, &seen, is_last),
                    Ok(None) => (),
                    // the origin is on a wall
                    Err(()) => return,
                }
            }
        }
        self.is_ready = true;
    }

    /// Enters a wall into the bins in which it is seen: those that it fills, or at last all others.
    fn enter(&mut self, index: u32, seen: &Seen, is_last: bool) {
        let [from, to] = seen.ends;
        let count = self.bins.len();
        let first = ((from - seen.guard) * self.per_quarter).floor() as i64;
        let last = ((to + seen.guard) * self.per_quarter).floor() as i64;
        for number in first..=last {
            let bin = number.rem_euclid(count as i64) as usize;
            let sides = [number, number + 1].map(|side| side as f64 / self.per_quarter);
            let [near, far] = seen.depths(sides);
            let fills = from + seen.guard <= sides[0] && sides[1] <= to - seen.guard;
            if !is_last {
                if fills && far < self.depths[bin] {
                    (self.bins[bin], self.depths[bin]) = (index, far);
                }
            } else if self.bins[bin] != index && near <= self.depths[bin] * (1.0 + APART) {
                (self.bins[bin], self.depths[bin]) = (UNSURE, f64::INFINITY);
            }
        }
    }

    /// Returns what a ray from the origin along a unit direction meets up to a range, m, as
    /// [`OccupancyGrid::cast`] does, or `None` if the ray has to be followed.
    #[inline(always)]
    pub fn cast(&self, direction: [f64; 2], max_range: f64) -> Option<Hit> {
        if !self.is_ready {
            return None;
        }
        let Some(&Line { axis, at, is_unknown }) = self.wall(place(direction))? else {
            return Some(Hit::Nothing);
        };
        let distance = ((at - self.origin[axis]) / direction[axis]).max(0.0);
        let is_hit = distance <= max_range && !is_unknown;
        Some(if is_hit { Hit::Solid(distance) } else { Hit::Nothing })
    }

    /// Returns the wall that is seen at the place of a direction, or `None` in it for nothing. Returns `None` if a ray at this
    /// place has to be followed.
    #[inline(always)]
    pub(super) fn wall(&self, place: f64) -> Option<Option<&Line>> {
        // not a number becomes 0, but is followed
        let bin = (place * self.per_quarter) as usize;
        match self.bins.get(bin) {
            Some(&OPEN) if place >= 0.0 => Some(None),
            Some(&index) if place >= 0.0 && index != UNSURE => Some(self.lines.get(index as usize)),
            _ => None,
        }
    }
}

impl Seen {
    /// Returns how a wall is seen, or `None` if it is out of range.
    ///
    /// # Errors
    /// The origin is on the wall, or almost so.
    fn new(
        grid: &OccupancyGrid,
        wall: &Wall,
        origin: [f64; 2],
        max_range: f64,
    ) -> Result<Option<Self>, ()> {
        let (axis, along) = (usize::from(wall.axis), 1 - usize::from(wall.axis));
        let away = |axis: usize, line: u32| {
            grid.corner()[axis] + f64::from(line) * grid.resolution() - origin[axis]
        };
        let offset = away(axis, wall.line);
        let sides = [away(along, wall.cells[0]), away(along, wall.cells[1] + 1)];
        let aside = sides[0].max(0.0 - sides[1]).max(0.0);
        let distance = (offset * offset + aside * aside).sqrt();
        if distance > max_range * (1.0 + APART) {
            return Ok(None);
        }
        let [columns, rows] = grid.size();
        let extent = grid.corner()[0].abs().max(grid.corner()[1].abs())
            + columns.max(rows) as f64 * grid.resolution();
        let guard = GUARD + ROUNDING * extent / distance;
        // false for a distance of 0
        let is_apart = guard < CLOSE;
        if !is_apart {
            return Err(());
        }
        let point = |side: f64| if axis == 0 { [offset, side] } else { [side, offset] };
        let is_sure = offset.abs() > ROUNDING * extent;
        if !is_sure {
            // along the line, the wall is seen from its side
            let nearest = if sides[0] > 0.0 { sides[0] } else { sides[1] };
            let at = place(point(nearest));
            return Ok(Some(Self { axis, offset, ends: [at, at], guard: 4.0 * guard, is_sure }));
        }
        let is_turned = (offset > 0.0) != (axis == 0);
        let [from, to] = sides.map(|side| place(point(side)));
        let [from, to] = if is_turned { [to, from] } else { [from, to] };
        let to = if to < from { to + 4.0 } else { to };
        Ok(Some(Self { axis, offset, ends: [from, to], guard, is_sure }))
    }

    /// Returns bounds of the depth of the wall between two places.
    fn depths(&self, sides: [f64; 2]) -> [f64; 2] {
        let [from, to] = self.ends;
        let [a, b] = sides.map(|side| self.offset / part_at(side.clamp(from, to), self.axis));
        let is_known = self.is_sure && a > 0.0 && b > 0.0 && a.max(b) < f64::INFINITY;
        if is_known { [a.min(b), a.max(b)] } else { [0.0, f64::INFINITY] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::few_walls;

    /// Returns a grid of walls, single cells, and some unknown cells.
    fn grid(corner: [f64; 2]) -> OccupancyGrid {
        let cell = |at: usize| match (at % 60, at / 60) {
            (20, row) if row != 13 => -9,
            (column, 30) if column > 25 => -9,
            (column, row) if row + 40 < column => 0,
            (column, row) if (column * 7 + row * 13) % 199 == 0 => -9,
            _ => 9,
        };
        OccupancyGrid::new(corner, 0.1, [60, 50], (0..3000).map(cell).collect()).expect("a grid")
    }

    /// Returns the numbers of rays and of those that a view answers.
    fn compare(grid: &OccupancyGrid, origin: [f64; 2], max_range: f64) -> [usize; 2] {
        let walls = few_walls(grid).expect("few walls");
        let mut view = View::default();
        let [x, y] = origin;
        view.look(grid, || Some(&walls), [x, y, 0.0], max_range, 100_000);
        let mut counts = [0, 0];
        for ray in 0..4000 {
            let angle = f64::from(ray) * 0.001_570_796_326_794_896_6;
            let direction = [libm::cos(angle), libm::sin(angle)];
            let followed = grid.cast(origin, direction, max_range);
            let seen = view.cast(direction, max_range);
            assert_eq!(seen.unwrap_or(followed), followed, "{origin:?}, {angle} rad");
            counts = [counts[0] + 1, counts[1] + usize::from(seen.is_some())];
        }
        counts
    }

    #[test]
    fn a_view_has_the_results_of_rays_that_are_followed() {
        for corner in [[-1.0, -2.0], [433_210.3, 5_411_987.1]] {
            let grid = grid(corner);
            let mut counts = [0, 0];
            for place in 0..300 {
                let part = f64::from(place);
                let mut at = [6.0 * (part * 0.618).fract(), 5.0 * (part * 0.377).fract()];
                if place % 3 == 0 {
                    // on lines and corners of cells
                    at = at.map(|at| (at * 10.0).round() / 10.0);
                }
                let origin = [corner[0] + at[0], corner[1] + at[1]];
                let found = compare(&grid, origin, [10.0, 1.5][place as usize % 2]);
                counts = [counts[0] + found[0], counts[1] + found[1]];
            }
            // the others start in solid or unknown cells, on a wall, or see its end
            let least = if corner[0] < 0.0 { counts[0] / 2 } else { 0 };
            assert!(counts[1] > least, "{counts:?} at {corner:?}");
        }
    }

    #[test]
    fn places_grow_with_the_angle() {
        let mut before = -1.0;
        for step in 0..64 {
            let angle = f64::from(step) * std::f64::consts::TAU / 64.0;
            let direction = [libm::cos(angle), libm::sin(angle)];
            let at = place(direction);
            assert!(at > before && at < 4.0, "{step}: {at}");
            let scale = direction[0].abs() + direction[1].abs();
            for (axis, part) in direction.iter().enumerate() {
                assert!((part_at(at, axis) * scale - part).abs() < 1e-12, "{step}");
            }
            before = at;
        }
    }
}
