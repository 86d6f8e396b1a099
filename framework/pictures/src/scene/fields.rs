//! Maps and terrain as shapes.

use simhost_scene::{HeightField, Mesh, OccupancyGrid};

use crate::picture::{Shape, ShapeKind};

/// Rows of rectangles that a map is drawn with at most.
const MAP_ROWS: usize = 400;
/// Rows and columns of rectangles that terrain is drawn with at most.
const TERRAIN_CELLS: usize = 64;
/// Levels of terrain.
const LEVELS: u8 = 8;

/// Terrain as rectangles: the whole area, and on top of it the area above each further level, in rows.
pub(super) fn terrain(field: &HeightField) -> Vec<Shape> {
    let (low, high) = field
        .heights()
        .iter()
        .filter(|height| height.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
            (low.min(f64::from(*height)), high.max(f64::from(*height)))
        });
    let [width, depth] = field.extent();
    if low > high || width <= 0.0 || depth <= 0.0 {
        return Vec::new();
    }
    let [x, y] = field.corner();
    let samples = field.extent().map(|extent| (extent / field.resolution()).ceil() as usize);
    let cells = samples.map(|count| count.clamp(1, TERRAIN_CELLS));
    let size = [width / cells[0] as f64, depth / cells[1] as f64];
    let at =
        |column: usize, row: usize| [x + column as f64 * size[0], y + row as f64 * size[1], 0.0];
    let level_of = |column: usize, row: usize| {
        let [x, y, _] = at(column, row);
        let height = field.height_at(x + 0.5 * size[0], y + 0.5 * size[1])?;
        let share = (height - low) / (high - low).max(1e-9);
        Some((share * f64::from(LEVELS)).clamp(0.0, f64::from(LEVELS - 1)) as u8)
    };
    let levels: Vec<Option<u8>> = (0..cells[1])
        .flat_map(|row| (0..cells[0]).map(move |column| (column, row)))
        .map(|(column, row)| level_of(column, row))
        .collect();
    let mut shapes =
        vec![shape(ShapeKind::Terrain(0), rectangle(at(0, 0), at(cells[0], cells[1])))];
    for level in 1..LEVELS {
        for row in 0..cells[1] {
            let of_row = &levels[row * cells[0]..(row + 1) * cells[0]];
            let is_above = |column: usize| of_row[column].is_some_and(|own| own >= level);
            for [first, end] in runs(cells[0], is_above) {
                let corners = rectangle(at(first, row), at(end, row + 1));
                shapes.push(shape(ShapeKind::Terrain(level), corners));
            }
        }
    }
    shapes
}

/// Roads as triangles with their colours, the lower ones first, so that bridges cover what is below them.
pub(super) fn roads(surface: &Mesh) -> Vec<Shape> {
    let (vertices, palette) = (surface.vertices(), surface.palette());
    let painted = surface.triangles().iter().zip(surface.paint());
    let mut triangles: Vec<(f64, Shape)> = painted
        .map(|(corners, paint)| {
            let corners = corners.map(|corner| vertices[corner as usize]);
            let height = corners.iter().map(|[_, _, z]| z).sum::<f64>();
            let [red, green, blue, _] = palette[usize::from(*paint)];
            let outline = corners.map(|[x, y, _]| [x, y]).to_vec();
            (height, shape(ShapeKind::Road([red, green, blue]), outline))
        })
        .collect();
    triangles.sort_by(|one, other| one.0.total_cmp(&other.0));
    triangles.into_iter().map(|(_, shape)| shape).collect()
}

/// Returns the first index and the end of each run of indices for which `is_in` holds.
fn runs(len: usize, is_in: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for index in (0..len).filter(|index| is_in(*index)) {
        match runs.last_mut() {
            Some([_, end]) if *end == index => *end += 1,
            _ => runs.push([index, index + 1]),
        }
    }
    runs
}

/// Solid cells as rectangles: runs along x, in rows of several cells where the map is large.
pub(super) fn solid_cells(grid: &OccupancyGrid) -> Vec<Shape> {
    let [columns, rows] = grid.size();
    let coarse = columns.max(rows).div_ceil(MAP_ROWS).max(1);
    let ([x, y], cell) = (grid.corner(), grid.resolution());
    let mut shapes = Vec::new();
    for row in (0..rows).step_by(coarse) {
        let is_solid = |column: usize| {
            let cells = (row..(row + coarse).min(rows))
                .flat_map(|iy| (column..(column + coarse).min(columns)).map(move |ix| (ix, iy)));
            cells.into_iter().any(|(ix, iy)| grid.is_solid(ix, iy))
        };
        let mut start = None;
        for column in (0..columns).step_by(coarse).chain(std::iter::once(columns)) {
            let solid = column < columns && is_solid(column);
            match (solid, start) {
                (true, None) => start = Some(column),
                (false, Some(first)) => {
                    start = None;
                    let low = [x + first as f64 * cell, y + row as f64 * cell, 0.0];
                    let top = (row + coarse).min(rows);
                    let high = [x + column as f64 * cell, y + top as f64 * cell, 0.0];
                    shapes.push(shape(ShapeKind::Map, rectangle(low, high)));
                }
                _ => {}
            }
        }
    }
    shapes
}

pub(super) fn shape(kind: ShapeKind, outline: Vec<[f64; 2]>) -> Shape {
    Shape { kind, outline }
}

pub(super) fn rectangle([x0, y0, _]: [f64; 3], [x1, y1, _]: [f64; 3]) -> Vec<[f64; 2]> {
    vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solid_cells_are_joined_along_rows() {
        let cells = vec![-100, -100, 100, 100, -100, -100];
        let grid = OccupancyGrid::new([0.0, 0.0], 0.5, [3, 2], cells).unwrap();
        let shapes = solid_cells(&grid);
        let outlines: Vec<_> =
            shapes.iter().map(|shape| (shape.outline[0], shape.outline[2])).collect();
        assert_eq!(outlines, [([0.0, 0.0], [1.0, 0.5]), ([0.5, 0.5], [1.5, 1.0])]);
    }

    #[test]
    fn terrain_is_drawn_level_by_level() {
        // a plane that rises along x by 7 m over 8 m
        let heights: Vec<f32> = (0..9).flat_map(|row| [0.875 * row as f32; 2]).collect();
        let field = HeightField::new([1.0, 2.0], 1.0, [9, 2], heights).unwrap();
        let shapes = terrain(&field);
        assert_eq!(shapes[0].outline, [[1.0, 2.0], [9.0, 2.0], [9.0, 3.0], [1.0, 3.0]]);
        let kinds: Vec<ShapeKind> = shapes.iter().map(|shape| shape.kind).collect();
        assert_eq!(kinds, (0..8).map(ShapeKind::Terrain).collect::<Vec<_>>());
        assert_eq!(shapes[7].outline[0], [8.0, 2.0], "the highest metre");
    }
}
