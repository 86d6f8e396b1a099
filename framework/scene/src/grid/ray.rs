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

/// The state of the traversal along one axis.
struct Axis {
    origin: f64,
    direction: f64,
    corner: f64,
    resolution: f64,
    cell: usize,
    count: usize,
}

impl Axis {
    /// Returns the distance along the ray to the exit from the cell. It is computed from the
    /// position of the line instead of summing up steps, so that errors do not accumulate over a
    /// long ray.
    fn exit(&self) -> f64 {
        if self.direction == 0.0 {
            return f64::INFINITY;
        }
        let line = self.cell + usize::from(self.direction > 0.0);
        (self.corner + line as f64 * self.resolution - self.origin) / self.direction
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
    fn left_before(&self, distance: f64, at_once: bool, limit: usize) -> usize {
        let is_left = |count: usize| {
            let exit = self.ahead(count).exit();
            exit < distance || at_once && exit == distance
        };
        let place = (self.origin + distance * self.direction - self.corner) / self.resolution;
        // an estimate, which rounding can shift by a cell
        let moved = if self.direction > 0.0 {
            place - self.cell as f64
        } else {
            self.cell as f64 + 1.0 - place
        };
        let mut count = (moved.max(0.0) as usize).min(limit);
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
    if away == 0 {
        let (exit_x, exit_y) = (x.exit(), y.exit());
        let inside = if exit_x <= exit_y { x.advance() } else { y.advance() };
        return (exit_x.min(exit_y).max(0.0), inside);
    }
    let (exit_x, exit_y) = (x.ahead(away).exit(), y.ahead(away).exit());
    // as for single cells, the line of a column is crossed first where lines meet
    let inside = if exit_x <= exit_y {
        *y = y.ahead(y.left_before(exit_x, false, away));
        *x = x.ahead(away);
        x.advance()
    } else {
        *x = x.ahead(x.left_before(exit_y, true, away));
        *y = y.ahead(away);
        y.advance()
    };
    // rounding can place the first line slightly behind the origin
    (exit_x.min(exit_y).max(0.0), inside)
}

impl OccupancyGrid {
    /// Casts a ray from `origin` in m along the unit vector `direction`, up to `max_range` in m.
    /// The distance is 0 if the ray starts in a solid cell. A ray that starts in an unknown cell or
    /// outside the grid meets nothing.
    pub fn cast(&self, origin: [f64; 2], direction: [f64; 2], max_range: f64) -> Hit {
        self.cast_skipping(origin, direction, max_range, |_| 1)
    }

    /// As [`Self::cast`], with the same result, but skips the free space around the cells on its way.
    /// `clearance` is that of this grid.
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
        let axis = |axis: usize, cell, count| Axis {
            origin: origin[axis],
            direction: direction[axis],
            corner: self.corner[axis],
            resolution: self.resolution,
            cell,
            count,
        };
        let (mut x, mut y) = (axis(0, ix, self.columns), axis(1, iy, self.rows));
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
        let grid = OccupancyGrid::new([-3.0, 1.0], 0.1, [90, 70], cells).unwrap();
        let clearance = grid.clearance();
        let mut hits = 0;
        for start in 0..400 {
            let part = f64::from(start);
            let origin = [-3.0 + 9.0 * (part * 0.618).fract(), 1.0 + 7.0 * (part * 0.377).fract()];
            // on a corner of cells every other time
            let origin =
                if start % 2 == 0 { origin } else { origin.map(|at| (at * 10.0).round() / 10.0) };
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
        assert!(hits > 5_000, "{hits}");
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
