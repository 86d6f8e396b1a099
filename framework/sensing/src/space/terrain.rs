//! Height fields: two triangles per cell.

use std::ops::Range;
use std::sync::Arc;

use simhost_scene::HeightField;

use super::beam::{Beam, Label, Strike};
use super::nearest::Nearest;
use super::triangle::Facet;

/// Terrain with its bounds.
#[derive(Clone, Debug)]
pub(super) struct Terrain {
    pub label: Label,
    pub field: Arc<HeightField>,
    /// Smallest and largest coordinates along each axis, m.
    bounds: [[f64; 2]; 3],
}

impl Terrain {
    pub fn new(label: Label, field: Arc<HeightField>) -> Self {
        let ([x, y], [length, width]) = (field.corner(), field.extent());
        let heights = field.heights().iter().map(|height| f64::from(*height));
        let z = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], height| {
            [low.min(height), high.max(height)]
        });
        Self { label, bounds: [[x, x + length], [y, y + width], z], field }
    }

    /// Offers the nearest triangle that a ray meets. The cells are searched row by row from near to far,
    /// each row with a margin of one cell.
    pub fn cast(&self, beam: &Beam, nearest: &mut Nearest) {
        let Some([enter, leave]) = self.within_bounds(beam) else { return };
        let leave = leave.min(beam.max_range);
        let [rows, columns] = self.field.size();
        let step = self.field.resolution();
        let along = |t: f64, axis: usize| beam.origin[axis] + t * beam.direction[axis];
        let index = |value: f64, axis: usize, count: usize| {
            ((value - self.bounds[axis][0]) / step).clamp(0.0, (count - 2) as f64) as usize
        };
        let (first, last) = (index(along(enter, 0), 0, rows), index(along(leave, 0), 0, rows));
        let forward = beam.direction[0] >= 0.0;
        let (low, high) = (first.min(last).saturating_sub(1), (first.max(last) + 1).min(rows - 2));
        for offset in 0..=high - low {
            let row = if forward { low + offset } else { high - offset };
            // the part of the ray in this row and its neighbours
            let [from, to] = self.stretch(beam, row, [enter, leave]);
            if !nearest.is_open(beam, from) {
                return;
            }
            let [a, b] = [along(from, 1), along(to, 1)];
            let left = index(a.min(b), 1, columns).saturating_sub(1);
            let right = (index(a.max(b), 1, columns) + 1).min(columns - 2);
            for column in left..=right {
                self.meet_cell(beam, row, column, nearest);
            }
        }
    }

    /// As [`Self::cast`], with every triangle.
    pub fn cast_by_force(&self, beam: &Beam, nearest: &mut Nearest) {
        let [rows, columns] = self.field.size();
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                self.meet_cell(beam, row, column, nearest);
            }
        }
    }

    /// Returns the distances between which a ray is in the box around the terrain, with a margin.
    fn within_bounds(&self, beam: &Beam) -> Option<[f64; 2]> {
        let margin = self.field.resolution();
        let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
        for axis in 0..3 {
            let [low, high] = self.bounds[axis];
            let (low, high) = (low - margin - beam.origin[axis], high + margin - beam.origin[axis]);
            if beam.direction[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (low / beam.direction[axis], high / beam.direction[axis]);
            (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
        }
        (enter <= leave && enter <= beam.max_range).then_some([enter, leave])
    }

    /// Returns the distances between which a ray is less than a cell away from a row.
    fn stretch(&self, beam: &Beam, row: usize, [enter, leave]: [f64; 2]) -> [f64; 2] {
        let step = self.field.resolution();
        let low = self.bounds[0][0] + (row as f64 - 1.0) * step - beam.origin[0];
        let (a, b) = (low / beam.direction[0], (low + 3.0 * step) / beam.direction[0]);
        if beam.direction[0] == 0.0 || !a.is_finite() || !b.is_finite() {
            return [enter, leave];
        }
        [a.min(b).clamp(enter, leave), a.max(b).clamp(enter, leave)]
    }

    /// Returns the rows and the columns of points of the cells that can be within a distance of a point,
    /// or `None` if there are none.
    pub fn cells_within(&self, origin: [f64; 3], distance: f64) -> Option<[Range<usize>; 2]> {
        let size = self.field.size();
        let [x, y] = [0, 1].map(|axis| {
            let at = |value: f64| (value - self.bounds[axis][0]) / self.field.resolution();
            let (low, high) =
                (at(origin[axis] - distance) - 1.0, at(origin[axis] + distance) + 2.0);
            let last = size[axis] - 1;
            // casts saturate
            let is_there = low <= last as f64 && high >= 0.0;
            is_there
                .then(|| (low.max(0.0) as usize).min(last - 1)..(high as usize).min(last).max(1))
        });
        let [rows, columns] = [x?, y?];
        (rows.start < rows.end && columns.start < columns.end).then_some([rows, columns])
    }

    /// Returns a point of the field relative to the origin of a ray.
    #[inline(always)]
    pub fn point(&self, row: usize, column: usize, origin: [f64; 3]) -> [f64; 3] {
        let step = self.field.resolution();
        let at = [
            self.bounds[0][0] + row as f64 * step,
            self.bounds[1][0] + column as f64 * step,
            self.field.height(row, column).unwrap_or_default(),
        ];
        [at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]]
    }

    /// Offers both triangles of a cell.
    fn meet_cell(&self, beam: &Beam, row: usize, column: usize, nearest: &mut Nearest) {
        let corner = |r: usize, c: usize| self.point(row + r, column + c, beam.origin);
        let (origin, far) = (corner(0, 0), corner(1, 1));
        for side in [corner(1, 0), corner(0, 1)] {
            let strike = Facet::new([origin, side, far]).meet(beam);
            let Label { number, surface } = self.label;
            let strike = strike.map(|(range, normal)| Strike { range, normal, number, surface });
            nearest.offer(beam, strike);
        }
    }
}
