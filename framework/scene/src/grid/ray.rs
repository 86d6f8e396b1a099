//! Ray casting through a grid, cell by cell (Amanatides & Woo 1987), up to the border of the solid
//! cell.

use super::{Clearance, OccupancyGrid};

/// Largest absolute value of an unknown cell.
const UNKNOWN_UP_TO: i8 = 1;

/// The result of casting a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// The ray meets a solid cell at this distance in m.
    Solid(f64),
    /// The ray meets an unknown cell, the border of the grid, or nothing within its range.
    Nothing,
}

/// Relative difference of two products from which they are in the order of the exact quotients.
const APART: f64 = 1e-9;
/// Part of a cell by which a place differs from a line at least, if its cell is certain.
const CERTAIN: f64 = 1e-6;

/// The state of the traversal along one axis.
#[derive(Clone, Copy)]
struct Axis {
    origin: f64,
    direction: f64,
    corner: f64,
    resolution: f64,
    cell: usize,
    count: usize,
    /// Inverses of the direction and of the resolution, for estimates.
    inverse: f64,
    per_cell: f64,
    /// Distance of a place from the nearest line from which its cell is certain, in cells.
    margin: f64,
}

impl Axis {
    fn new(grid: &OccupancyGrid, axis: usize, origin: f64, direction: f64, cell: usize) -> Self {
        let (corner, resolution) = (grid.corner[axis], grid.resolution);
        let count = if axis == 0 { grid.columns } else { grid.rows };
        let per_cell = 1.0 / resolution;
        // an estimate has a few rounding errors of the coordinates
        let margin = CERTAIN + 1e-14 * per_cell * (origin.abs() + corner.abs());
        let inverse = 1.0 / direction;
        Self { origin, direction, corner, resolution, cell, count, inverse, per_cell, margin }
    }

    /// Returns the distance from the origin to the exit from the cell along this axis.
    fn away(&self) -> f64 {
        let line = self.cell + usize::from(self.direction > 0.0);
        self.corner + line as f64 * self.resolution - self.origin
    }

    /// Returns the distance along the ray to the exit from the cell. It is computed from the
    /// position of the line instead of summing up steps, so that errors do not accumulate over a
    /// long ray.
    fn exit(&self) -> f64 {
        if self.direction == 0.0 {
            return f64::INFINITY;
        }
        self.away() / self.direction
    }

    /// Returns an estimate of [`Self::exit`], not a number if the ray does not leave the cell.
    fn estimate(&self) -> f64 {
        self.away() * self.inverse
    }

    /// Moves to the next cell. Returns `false` at the border of the grid.
    fn advance(&mut self) -> bool {
        let next =
            if self.direction > 0.0 { self.cell.checked_add(1) } else { self.cell.checked_sub(1) };
        let Some(next) = next.filter(|&next| next < self.count) else { return false };
        self.cell = next;
        true
    }

    /// Returns the traversal in a cell that is `cells` cells farther along the ray.
    fn ahead(&self, cells: usize) -> Self {
        let cell = if self.direction > 0.0 { self.cell + cells } else { self.cell - cells };
        Self { cell, ..*self }
    }

    /// Returns the number of cells, at most `limit`, that the ray leaves along this axis before a distance;
    /// at the distance itself too if `at_once` is set.
    #[inline(always)]
    fn left_before(&self, distance: f64, at_once: bool, limit: usize) -> usize {
        let place = (self.origin + distance * self.direction - self.corner) * self.per_cell;
        let moved = if self.direction > 0.0 {
            place - self.cell as f64
        } else {
            self.cell as f64 + 1.0 - place
        };
        let count = moved as usize;
        let part = moved - count as f64;
        // also false if the distance is infinite
        if part > self.margin && part < 1.0 - self.margin && count <= limit {
            return count;
        }
        self.left_exactly(distance, at_once, count.min(limit), limit)
    }

    /// As [`Self::left_before`], from an estimate of the number, for a distance near a line.
    #[cold]
    fn left_exactly(&self, distance: f64, at_once: bool, first: usize, limit: usize) -> usize {
        let is_left = |count: usize| {
            let exit = self.ahead(count).exit();
            exit < distance || at_once && exit == distance
        };
        let mut count = first;
        while count < limit && is_left(count) {
            count += 1;
        }
        while count > 0 && !is_left(count - 1) {
            count -= 1;
        }
        count
    }
}

/// Moves a ray to the first cell outside of a square of free cells, which reaches `away` cells from the
/// present one. Returns the distance, and whether the ray is still inside the grid.
#[inline(always)]
fn skip(x: &mut Axis, y: &mut Axis, away: usize) -> (f64, bool) {
    let (far_x, far_y) = (x.ahead(away), y.ahead(away));
    let (soon_x, soon_y) = (far_x.estimate(), far_y.estimate());
    let is_apart = (soon_x - soon_y).abs() > APART * (soon_x.abs() + soon_y.abs());
    // as for single cells, the line of a column is crossed first where lines meet
    let is_x = if is_apart { soon_x < soon_y } else { far_x.exit() <= far_y.exit() };
    let (exit, inside);
    if is_x {
        exit = far_x.exit();
        *y = y.ahead(if away > 0 { y.left_before(exit, false, away) } else { 0 });
        *x = far_x;
        inside = x.advance();
    } else {
        exit = far_y.exit();
        *x = x.ahead(if away > 0 { x.left_before(exit, true, away) } else { 0 });
        *y = far_y;
        inside = y.advance();
    }
    // rounding can place the first line slightly behind the origin
    (exit.max(0.0), inside)
}

impl OccupancyGrid {
    /// Casts a ray from `origin` in m along the unit vector `direction`, up to `max_range` in m.
    /// The distance is 0 if the ray starts in a solid cell. A ray that starts in an unknown cell or
    /// outside the grid meets nothing.
    pub fn cast(&self, origin: [f64; 2], direction: [f64; 2], max_range: f64) -> Hit {
        self.cast_skipping(origin, direction, max_range, |_| 1)
    }

    /// As [`Self::cast`], with the same result, but skips the free space around the cells on its
    /// way. `clearance` is the clearance of this grid.
    pub fn cast_across(
        &self,
        origin: [f64; 2],
        direction: [f64; 2],
        max_range: f64,
        clearance: &Clearance,
    ) -> Hit {
        self.cast_skipping(origin, direction, max_range, |cell| clearance.of(cell))
    }

    #[inline(always)]
    fn cast_skipping(
        &self,
        origin: [f64; 2],
        direction: [f64; 2],
        max_range: f64,
        free: impl Fn(usize) -> usize,
    ) -> Hit {
        let Some([ix, iy]) = self.index_at(origin[0], origin[1]) else { return Hit::Nothing };
        if !(direction[0].is_finite() && direction[1].is_finite()) {
            return Hit::Nothing;
        }
        let mut x = Axis::new(self, 0, origin[0], direction[0], ix);
        let mut y = Axis::new(self, 1, origin[1], direction[1], iy);
        let mut distance = 0.0;
        loop {
            let at = y.cell * self.columns + x.cell;
            let cell = self.cells[at];
            if cell < -UNKNOWN_UP_TO {
                return Hit::Solid(distance);
            }
            if cell <= UNKNOWN_UP_TO {
                return Hit::Nothing;
            }
            let inside;
            (distance, inside) = skip(&mut x, &mut y, free(at) - 1);
            // also false if the range is NaN
            let within_range = distance <= max_range;
            if !(inside && within_range) {
                return Hit::Nothing;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    fn unit(angle: f64) -> [f64; 2] {
        let (sin, cos) = libm::sincos(angle);
        [cos, sin]
    }

    #[test]
    fn distance_is_to_the_border_of_the_cell() {
        let grid = drawn(&["....#", "....#", "#...."]);
        assert_eq!(grid.cast([-0.9, 2.6], [1.0, 0.0], 10.0), Hit::Solid(1.9));
        assert_eq!(grid.cast([-0.9, 2.75], [0.0, -1.0], 10.0), Hit::Solid(0.25));
        assert_eq!(grid.cast([0.25, 2.25], [-1.0, 0.0], 10.0), Hit::Solid(0.75));
        let Hit::Solid(distance) = grid.cast([-0.9, 2.1], unit(0.0), 10.0) else {
            panic!("no hit")
        };
        assert_eq!(distance, 0.0);
    }

    #[test]
    fn unknown_cells_the_border_and_the_range_end_a_ray() {
        let grid = drawn(&["..?.#", ".....", "....#"]);
        assert_eq!(grid.cast([-0.9, 3.1], [1.0, 0.0], 10.0), Hit::Nothing);
        assert_eq!(grid.cast([-0.9, 2.6], [1.0, 0.0], 10.0), Hit::Nothing);
        assert_eq!(grid.cast([-0.9, 2.6], [0.0, 1.0], 10.0), Hit::Nothing);
        assert_eq!(grid.cast([-0.9, 2.1], [1.0, 0.0], 1.8), Hit::Nothing);
        assert_eq!(grid.cast([-0.9, 2.1], [1.0, 0.0], 1.9), Hit::Solid(1.9));
        assert_eq!(grid.cast([-3.0, 2.1], [1.0, 0.0], 99.0), Hit::Nothing);
    }

    #[test]
    fn rays_end_for_every_direction() {
        let grid = drawn(&["...", "...", "..."]);
        for direction in [[0.0, 0.0], [f64::NAN, 1.0], [f64::INFINITY, 0.0], [1e-320, 0.0]] {
            assert_eq!(grid.cast([-0.3, 2.7], direction, f64::INFINITY), Hit::Nothing);
        }
        assert_eq!(grid.cast([-0.3, 2.7], [1.0, 0.0], f64::NAN), Hit::Nothing);
    }

    /// Skipping free space changes no bit, also for rays along lines and through corners of cells.
    #[test]
    fn rays_that_skip_free_space_have_the_same_results() {
        let mut cells = vec![100i8; 90 * 70];
        for (at, cell) in cells.iter_mut().enumerate() {
            let (column, row) = (at % 90, at / 90);
            *cell = match (column * 7 + row * 13) % 211 {
                0 => -100,
                1 if row > 40 => 0,
                _ => 100,
            };
        }
        // also far from the origin, where coordinates have fewer digits
        let hits =
            [[-3.0, 1.0], [433_210.3, 5_411_987.1]].map(|corner| compare_skipping(corner, &cells));
        assert!(hits.iter().all(|hits| *hits > 5_000), "{hits:?}");
    }

    /// Compares rays that skip free space with those that do not. Returns the number of hits.
    fn compare_skipping(corner: [f64; 2], cells: &[i8]) -> usize {
        let grid = OccupancyGrid::new(corner, 0.1, [90, 70], cells.to_vec()).unwrap();
        let clearance = grid.clearance();
        let mut hits = 0;
        for start in 0..400 {
            let part = f64::from(start);
            let origin = [9.0 * (part * 0.618).fract(), 7.0 * (part * 0.377).fract()];
            // on a corner of cells every other time
            let origin =
                if start % 2 == 0 { origin } else { origin.map(|at| (at * 10.0).round() / 10.0) };
            let origin = [corner[0] + origin[0], corner[1] + origin[1]];
            for turn in 0..64 {
                let direction = match turn {
                    0 => [1.0, 0.0],
                    1 => [0.0, -1.0],
                    2 => [-0.0, 1.0],
                    3 => [-std::f64::consts::FRAC_1_SQRT_2; 2],
                    4 => [0.0, 0.0],
                    _ => unit(f64::from(turn) * 0.098_174_770_424_681),
                };
                for range in [f64::INFINITY, 2.0, 0.35] {
                    let plain = grid.cast(origin, direction, range);
                    assert_eq!(grid.cast_across(origin, direction, range, &clearance), plain);
                    hits += usize::from(matches!(plain, Hit::Solid(_)));
                }
            }
        }
        hits
    }

    /// Compares with the exact distance to a plane wall for many angles.
    #[test]
    fn a_plane_wall_from_any_angle() {
        let line = format!("{}#", ".".repeat(200));
        let lines: Vec<&str> = (0..200).map(|_| line.as_str()).collect();
        let grid = drawn(&lines);
        let origin = [3.21, 51.7];
        for step in -40..=40 {
            let angle = f64::from(step) * 0.0111;
            let exact = (99.0 - origin[0]) / libm::cos(angle);
            let Hit::Solid(found) = grid.cast(origin, unit(angle), 200.0) else {
                panic!("{angle}")
            };
            assert!((found - exact).abs() < 1e-9, "{angle}: {found} instead of {exact}");
        }
    }
}
