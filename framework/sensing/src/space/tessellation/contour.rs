//! The walls of occupancy grids: the sides between solid cells and others, and the tops of solid cells.

use simhost_scene::OccupancyGrid;

use super::TriangleMesh;

/// Returns whether a grid has cells that are neither solid nor free, which end rays without a return.
pub(super) fn has_unknown_cells(grid: &OccupancyGrid) -> bool {
    let [columns, rows] = grid.size();
    let mut cells = (0..rows).flat_map(|iy| (0..columns).map(move |ix| (ix, iy)));
    cells.any(|(ix, iy)| !grid.is_solid(ix, iy) && !grid.is_free(ix, iy))
}

/// Returns the surfaces of the solid cells between two heights, m. Sides of neighbouring cells form one
/// wall, and tops of the cells of a row one strip.
pub(super) fn mesh(grid: &OccupancyGrid, [low, high]: [f64; 2]) -> TriangleMesh {
    let ([columns, rows], [x, y]) = (grid.size(), grid.corner());
    let step = grid.resolution();
    let at = |ix: usize, iy: usize| [x + ix as f64 * step, y + iy as f64 * step];
    let is_solid = |ix: Option<usize>, iy: Option<usize>| {
        ix.zip(iy).is_some_and(|(ix, iy)| grid.is_solid(ix, iy))
    };
    let mut mesh = TriangleMesh::default();
    let wall = |mesh: &mut TriangleMesh, [a, b]: [[f64; 2]; 2]| {
        mesh.add_quad([
            [a[0], a[1], low],
            [b[0], b[1], low],
            [b[0], b[1], high],
            [a[0], a[1], high],
        ]);
    };
    for iy in 0..=rows {
        let differs =
            |ix: usize| is_solid(Some(ix), iy.checked_sub(1)) != is_solid(Some(ix), Some(iy));
        runs(columns, differs, |from, to| wall(&mut mesh, [at(from, iy), at(to, iy)]));
    }
    for ix in 0..=columns {
        let differs =
            |iy: usize| is_solid(ix.checked_sub(1), Some(iy)) != is_solid(Some(ix), Some(iy));
        runs(rows, differs, |from, to| wall(&mut mesh, [at(ix, from), at(ix, to)]));
    }
    for iy in 0..rows {
        runs(
            columns,
            |ix| grid.is_solid(ix, iy),
            |from, to| {
                let corners = [at(from, iy), at(to, iy), at(to, iy + 1), at(from, iy + 1)];
                mesh.add_quad(corners.map(|[x, y]| [x, y, high]));
            },
        );
    }
    mesh
}

/// Calls `found` with start and end of each run of places that are selected.
fn runs(count: usize, is_selected: impl Fn(usize) -> bool, mut found: impl FnMut(usize, usize)) {
    let mut start = None;
    for at in 0..=count {
        match (start, at < count && is_selected(at)) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                found(first, at);
                start = None;
            }
            _ => {}
        }
    }
}

impl TriangleMesh {
    /// Adds a plane quadrilateral.
    fn add_quad(&mut self, corners: [[f64; 3]; 4]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
}
