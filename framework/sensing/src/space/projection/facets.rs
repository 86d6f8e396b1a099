//! Triangles of meshes and of terrain among the rays of a scan.

use super::{Buffers, SpaceScan};
use crate::bearing::bearing;
use crate::space::beam::{Label, dot};
use crate::space::instance::Instance;
use crate::space::mesh::Body;
use crate::space::pattern::{BLOCK, Cells, TILE, Window};
use crate::space::sight::{SpaceSight, windows};
use crate::space::terrain::Terrain;
use crate::space::triangle::Facet;

/// Minimum distance of a point from the axis of the sensor for a known azimuth, as a squared
/// fraction of its distance from the origin of the world.
const ON_AXIS: f64 = 1e-16;

impl SpaceScan<'_> {
    /// Adds how the sensor sees points relative to its origin.
    #[inline(always)]
    pub(super) fn add_sights(&self, points: &[[f64; 3]], sights: &mut Vec<SpaceSight>) {
        let origin = 1.0 + dot(self.origin, self.origin);
        let r = &self.rotation;
        let axes = [0, 1, 2].map(|axis| [r[0][axis], r[1][axis], r[2][axis]]);
        for block in points.chunks(BLOCK) {
            let mut at = [[0.0; BLOCK]; 3];
            for (i, point) in block.iter().enumerate() {
                for axis in 0..3 {
                    at[axis][i] = point[axis];
                }
            }
            let mut seen = [SpaceSight::default(); BLOCK];
            for i in 0..BLOCK {
                let away = [at[0][i], at[1][i], at[2][i]];
                let (x, y, z) = (dot(axes[0], away), dot(axes[1], away), dot(axes[2], away));
                let square = x * x + y * y;
                let is_beside = square > ON_AXIS * (origin + z * z);
                let azimuth = bearing(x, y);
                seen[i].azimuth = if is_beside { azimuth } else { f64::NAN } as f32;
                let is_away = is_beside | (z * z > ON_AXIS * origin);
                seen[i].rise = if is_away { z / square.sqrt() } else { f64::NAN } as f32;
            }
            sights.extend_from_slice(&seen[..block.len()]);
        }
    }

    /// Offers triangles to the rays that can meet them. Their corners are indices of points relative to
    /// the origin, and of the sights of these.
    #[inline(always)]
    fn meet_facets(
        &mut self,
        corners: &[[u32; 3]],
        points: &[[f64; 3]],
        sights: &[SpaceSight],
        label_of: impl Fn(usize) -> Label,
    ) {
        for (number, block) in corners.chunks(BLOCK).enumerate() {
            let mut seen = [[SpaceSight::default(); BLOCK]; 3];
            for (i, corners) in block.iter().enumerate() {
                for (seen, corner) in seen.iter_mut().zip(corners) {
                    seen[i] = sights[*corner as usize];
                }
            }
            let windows = windows(&seen);
            let cells = self.pattern.cells(&windows);
            for (i, corners) in block.iter().enumerate() {
                if cells[i].rows[0] < cells[i].rows[1] {
                    let [a, b, c] = *corners;
                    let corners = [points[a as usize], points[b as usize], points[c as usize]];
                    let label = label_of(number * BLOCK + i);
                    self.meet_facet(&cells[i], &windows.get(i), corners, label);
                }
            }
        }
    }

    /// Offers a triangle to the rays in cells, or in the window that they stand for.
    #[inline(always)]
    fn meet_facet(&mut self, cells: &Cells, window: &Window, corners: [[f64; 3]; 3], label: Label) {
        let Self { pattern, rays, found, .. } = self;
        let (mut facet, mut is_met) = (None, false);
        let first = found.len();
        let mut spans = pattern.spans(cells, window);
        while let Some(cells) = spans.next() {
            pattern.each_run(
                &cells,
                #[inline(always)]
                |from, to| {
                    let facet = if let Some(facet) = &facet {
                        facet
                    } else {
                        let facet = facet.insert(Facet::new(corners));
                        found.push(facet.surface(label));
                        facet
                    };
                    for rays in &mut rays[from / TILE..=to / TILE] {
                        is_met |= rays.take(&facet.met(rays, first as u64), found);
                    }
                },
            );
        }
        if !is_met {
            found.truncate(first);
        }
    }

    #[inline(always)]
    pub(super) fn meet_mesh(&mut self, instance: &Instance, body: &Body, buffers: &mut Buffers) {
        let Buffers { points, sights, .. } = buffers;
        let position = instance.offset(self.origin);
        points.resize(body.vertices.len(), [0.0; 3]);
        sights.clear();
        for (point, vertex) in points.iter_mut().zip(&body.vertices) {
            *point = instance.place(*vertex, position);
        }
        self.add_sights(points, sights);
        let label_of = |triangle: usize| body.label_of(triangle, instance.label);
        self.meet_facets(&body.triangles, points, sights, label_of);
    }

    #[inline(always)]
    pub(super) fn meet_terrain(&mut self, terrain: &Terrain, buffers: &mut Buffers) {
        let Buffers { points, sights, strip, .. } = buffers;
        let Some([rows, columns]) = terrain.cells_within(self.origin, self.max_range) else {
            return;
        };
        let count = columns.end - columns.start + 1;
        points.clear();
        sights.clear();
        fill_strip(strip, count as u32);
        for row in rows.start..=rows.end {
            // the points of the last two rows are kept
            if points.len() > count {
                points.drain(..count);
                sights.drain(..count);
            }
            let new = points.len();
            points.resize(new + count, [0.0; 3]);
            for (column, point) in (columns.start..).zip(&mut points[new..]) {
                *point = terrain.point(row, column, self.origin);
            }
            self.add_sights(&points[new..], sights);
            if row == rows.start {
                continue;
            }
            self.meet_facets(strip, points, sights, |_| terrain.label);
        }
    }
}

/// Sets the triangles between two rows of this number of points.
fn fill_strip(strip: &mut Vec<[u32; 3]>, count: u32) {
    strip.clear();
    strip.extend((0..count - 1).flat_map(|near| {
        let far = near + count + 1;
        [[near, far - 1, far], [near, near + 1, far]]
    }));
}
