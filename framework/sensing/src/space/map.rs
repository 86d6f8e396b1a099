//! Occupancy grids, whose solid cells are upright columns of infinite height.

use simhost_scene::{Hit, OccupancyGrid};

use super::beam::{Beam, Strike};

/// Part by which the level reach of a ray is extended for rounding errors.
const MARGIN: f64 = 1e-9;

/// Returns where a ray meets a solid cell. As for planar scans, a ray that starts in a solid cell has the
/// range 0, and an unknown cell ends a ray.
pub(super) fn cast(grid: &OccupancyGrid, beam: &Beam, number: u32) -> Option<Strike> {
    let [x, y, _] = beam.origin;
    let inside = Strike { range: 0.0, normal: beam.back(), number };
    if beam.is_upright() {
        let [column, row] = grid.index_at(x, y)?;
        return grid.is_solid(column, row).then_some(inside);
    }
    let level = beam.level_square.sqrt();
    let direction = [beam.direction[0] / level, beam.direction[1] / level];
    let Hit::Solid(distance) =
        grid.cast([x, y], direction, beam.max_range * level * (1.0 + MARGIN))
    else {
        return None;
    };
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
    Some(Strike { range: distance / level, normal: beam.facing(normal), number })
}
