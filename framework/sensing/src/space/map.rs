//! Occupancy grids, whose solid cells are upright columns.

mod seen;
mod view;

use std::sync::{Arc, OnceLock};

use simhost_scene::{Clearance, Hit, OccupancyGrid};

use super::beam::{Beam, Label, Strike};
use crate::grid::{Wall, few_walls};
pub(super) use seen::SeenMap;
pub(super) use view::View;

/// Part by which the level reach of a ray is extended for rounding errors.
const MARGIN: f64 = 1e-9;

/// An occupancy grid whose solid cells reach from below everything to a height.
#[derive(Clone, Debug)]
pub(super) struct Map {
    pub label: Label,
    pub grid: Arc<OccupancyGrid>,
    clearance: Arc<Clearance>,
    /// The walls, if there are few of them; found when many rays are first cast.
    walls: Arc<OnceLock<Option<Vec<Wall>>>>,
    /// Upper end of the cells, m; infinite for cells without an end.
    pub top: f64,
}

impl Map {
    pub fn new(label: Label, grid: Arc<OccupancyGrid>, top: f64) -> Self {
        let clearance = Arc::new(grid.clearance());
        Self { label, grid, clearance, walls: Arc::default(), top }
    }

    /// Returns the walls, or `None` if there are too many.
    pub fn walls(&self) -> Option<&[Wall]> {
        self.walls.get_or_init(|| few_walls(&self.grid)).as_deref()
    }

    /// Returns where a ray meets a solid cell. As for planar scans, a ray that starts in a solid cell
    /// has the range 0, and an unknown cell ends a ray. Above the top, cells do not matter. A view from
    /// the origin of the ray saves following the ray from cell to cell.
    pub fn cast(&self, beam: &Beam, view: Option<&View>) -> Option<Strike> {
        if beam.origin[2] > self.top {
            return self.cast_from_above(beam);
        }
        // the part of the ray below the top, with a margin for rounding errors
        let over = (self.top - beam.origin[2]) / beam.direction[2];
        let limit = if over >= 0.0 { over * (1.0 + MARGIN) + MARGIN } else { f64::INFINITY };
        let part = Beam { max_range: beam.max_range.min(limit), ..*beam };
        let (range, normal) = self.cast_cells(&part, view)?;
        let is_below = self.top == f64::INFINITY || beam.at(range)[2] <= self.top;
        is_below.then(|| self.strike(range, normal))
    }

    /// As [`Self::cast`], for a ray that starts above the top.
    fn cast_from_above(&self, beam: &Beam) -> Option<Strike> {
        let start = (self.top - beam.origin[2]) / beam.direction[2];
        // also false for a level ray
        let is_descending = beam.direction[2] < 0.0 && start <= beam.max_range;
        if !is_descending {
            return None;
        }
        let origin = beam.at(start);
        let [column, row] = self.grid.index_at(origin[0], origin[1])?;
        if self.grid.is_solid(column, row) {
            return Some(self.strike(start, [0.0, 0.0, 1.0]));
        }
        let rest = Beam { origin, max_range: beam.max_range - start, ..*beam };
        let (range, normal) = self.cast_cells(&rest, None)?;
        Some(self.strike(start + range, normal))
    }

    fn strike(&self, range: f64, normal: [f64; 3]) -> Strike {
        let Label { number, surface } = self.label;
        Strike { range, normal, number, surface }
    }

    /// Returns range and normal at the first solid cell.
    fn cast_cells(&self, beam: &Beam, view: Option<&View>) -> Option<(f64, [f64; 3])> {
        let Self { grid, clearance, .. } = self;
        let [x, y, _] = beam.origin;
        let inside = (0.0, beam.back());
        if beam.is_upright() {
            let [column, row] = grid.index_at(x, y)?;
            return grid.is_solid(column, row).then_some(inside);
        }
        let level = beam.level_square.sqrt();
        let direction = [beam.direction[0] / level, beam.direction[1] / level];
        let reach = beam.max_range * level * (1.0 + MARGIN);
        let seen = view.and_then(|view| view.cast(direction, reach));
        let hit = seen.unwrap_or_else(|| grid.cast_across([x, y], direction, reach, clearance));
        let Hit::Solid(distance) = hit else { return None };
        if distance == 0.0
            && grid.index_at(x, y).is_some_and(|[column, row]| grid.is_solid(column, row))
        {
            return Some(inside);
        }
        // the side that is hit lies on the nearer line of the grid
        let corner = grid.corner();
        let off = [0, 1].map(|axis: usize| {
            let at = beam.origin[axis] + distance * direction[axis] - corner[axis];
            let cells = at / grid.resolution();
            (cells - cells.round()).abs()
        });
        let is_x = direction[1] == 0.0 || direction[0] != 0.0 && off[0] <= off[1];
        let normal = if is_x { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        Some((distance / level, beam.facing(normal)))
    }
}
