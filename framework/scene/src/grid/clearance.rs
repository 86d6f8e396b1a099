//! Free space around the cells of a grid, which lets rays skip it (distance transform of the chessboard
//! metric: Rosenfeld & Pfaltz 1966).

use super::{FREE_ABOVE, OccupancyGrid};

/// Free space around each cell of a grid: with the value n, all cells are free that are less than n columns
/// and less than n rows away. 0 for a cell that is not free.
#[derive(Clone, Debug)]
pub struct Clearance(Vec<u8>);

impl Clearance {
    /// Returns the value of a cell.
    #[inline(always)]
    pub(super) fn of(&self, cell: usize) -> usize {
        usize::from(self.0[cell])
    }
}

impl OccupancyGrid {
    /// Returns the free space around each cell.
    pub fn clearance(&self) -> Clearance {
        let (columns, rows) = (self.columns, self.rows);
        let mut values = vec![0u8; self.cells.len()];
        // the cells before the present one, and then those behind it
        for row in 0..rows {
            for column in 0..columns {
                let at = row * columns + column;
                if self.cells[at] <= FREE_ABOVE {
                    continue;
                }
                // what is outside is not free
                let is_inner = row > 0 && column > 0 && column + 1 < columns;
                let before = |values: &[u8]| {
                    let above = &values[at - columns - 1..=at - columns + 1];
                    above.iter().fold(values[at - 1], |least, value| least.min(*value))
                };
                values[at] = if is_inner { before(&values).saturating_add(1) } else { 1 };
            }
        }
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                let at = row * columns + column;
                let is_inner = row + 1 < rows && column > 0 && column + 1 < columns;
                if values[at] > 1 {
                    let behind = |values: &[u8]| {
                        let below = &values[at + columns - 1..=at + columns + 1];
                        below.iter().fold(values[at + 1], |least, value| least.min(*value))
                    };
                    let least = if is_inner { behind(&values).saturating_add(1) } else { 1 };
                    values[at] = values[at].min(least);
                }
            }
        }
        Clearance(values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn;

    #[test]
    fn values_are_distances_to_what_is_not_free() {
        let grid =
            drawn(&[".......", ".......", ".......", "...?...", ".......", ".....#.", "......."]);
        let values = grid.clearance().0;
        let rows: Vec<&[u8]> = values.chunks(7).collect();
        assert_eq!(
            rows,
            [
                [1, 1, 1, 1, 1, 1, 1],
                [1, 2, 2, 2, 1, 0, 1],
                [1, 2, 1, 1, 1, 1, 1],
                [1, 2, 1, 0, 1, 2, 1],
                [1, 2, 1, 1, 1, 2, 1],
                [1, 2, 2, 2, 2, 2, 1],
                [1, 1, 1, 1, 1, 1, 1],
            ]
        );
    }
}
