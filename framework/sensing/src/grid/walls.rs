//! The walls of a grid: straight lines between free cells and others.

use simhost_scene::OccupancyGrid;

/// Where the cells behind a wall lie, and whether they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facing {
    /// Whether rays cross the wall in the positive direction of the axis.
    pub is_forward: bool,
    /// Whether the cells behind the wall are unknown, not solid.
    pub is_unknown: bool,
}

/// A run of cell borders along a line. Rays cross it from a free cell into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wall {
    /// Axis across the wall: 0 for x, 1 for y.
    pub axis: u8,
    /// Direction in which rays cross it, and the kind of the cells behind it.
    pub facing: Facing,
    /// Number of the line, which is before the cell of this number.
    pub line: u32,
    /// First and last cell along the wall.
    pub cells: [u32; 2],
}

/// Collects walls up to a limit.
struct Collector<'g> {
    grid: &'g OccupancyGrid,
    walls: Vec<Wall>,
}

impl Collector<'_> {
    /// Returns how rays can cross the line between two cells.
    fn facing(&self, before: [usize; 2], behind: [usize; 2]) -> Option<Facing> {
        let [from, to] = [before, behind].map(|[x, y]| self.grid.is_free(x, y));
        if from == to {
            return None;
        }
        let [x, y] = if from { behind } else { before };
        Some(Facing { is_forward: from, is_unknown: !self.grid.is_solid(x, y) })
    }

    /// Continues the wall that is open on a line, or begins another.
    fn extend(
        &mut self,
        open: &mut Option<Wall>,
        axis: u8,
        at: [usize; 2],
        facing: Option<Facing>,
    ) {
        let [line, cell] = at.map(|number| number as u32);
        match open {
            Some(wall) if Some(wall.facing) == facing => wall.cells[1] = cell,
            _ => {
                let next = facing.map(|facing| Wall { axis, facing, line, cells: [cell, cell] });
                self.walls.extend(std::mem::replace(open, next));
            }
        }
    }
}

/// Returns the walls of a grid, or `None` if there are more than `limit`.
pub(super) fn collect(grid: &OccupancyGrid, limit: usize) -> Option<Vec<Wall>> {
    let [columns, rows] = grid.size();
    let mut found = Collector { grid, walls: Vec::new() };
    let mut upright = vec![None; columns];
    for row in 0..rows {
        for (column, open) in upright.iter_mut().enumerate().skip(1) {
            let facing = found.facing([column - 1, row], [column, row]);
            found.extend(open, 0, [column, row], facing);
        }
        let mut level = None;
        for column in 0..columns {
            let below = row.checked_sub(1);
            let facing = below.and_then(|below| found.facing([column, below], [column, row]));
            found.extend(&mut level, 1, [row, column], facing);
        }
        found.walls.extend(level);
        if found.walls.len() > limit {
            return None;
        }
    }
    found.walls.extend(upright.into_iter().flatten());
    (found.walls.len() <= limit).then_some(found.walls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_runs_between_free_and_other_cells() {
        let cells = [9, 9, -9, 9, 9, -9, 9, 9, 0];
        let grid = OccupancyGrid::new([0.0; 2], 1.0, [3, 3], cells.to_vec()).expect("a valid grid");
        let wall = |axis, line, cells, is_forward, is_unknown| Wall {
            axis,
            facing: Facing { is_forward, is_unknown },
            line,
            cells,
        };
        let expected = [wall(0, 2, [0, 1], true, false), wall(0, 2, [2, 2], true, true)];
        assert_eq!(collect(&grid, 2).as_deref(), Some(&expected[..]));
        assert_eq!(collect(&grid, 1), None);
    }

    #[test]
    fn both_sides_of_a_cell_are_walls() {
        let cells = [9, -9, 9, 9, 9, 9];
        let grid = OccupancyGrid::new([0.0; 2], 1.0, [3, 2], cells.to_vec()).expect("a valid grid");
        let walls = collect(&grid, 9).expect("few walls");
        let mut sides: Vec<_> =
            walls.iter().map(|wall| (wall.axis, wall.line, wall.facing.is_forward)).collect();
        sides.sort_unstable();
        assert_eq!(sides, [(0, 1, true), (0, 2, false), (1, 1, false)]);
    }
}
