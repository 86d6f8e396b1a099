//! Scans of many rays from one origin: geometry is projected among the rays.
//!
//! For each triangle, the window of directions in which it is seen selects rays, and exact arithmetic
//! intersects them with it; the nearest range of each ray is kept. Windows are approximate and cautious.
//! Every other ray would miss the triangle, so that the ranges have the bits that brute force computes.

use simhost_scene::{Pose3, Rotation};
use simhost_vectors::Vec3;

use super::beam::{Beam, Label, Return, Strike, dot};
use super::instance::{Geometry, Instance};
use super::map::View;
use super::mesh::Body;
use super::nearest::Nearest;
use super::pattern::{BLOCK, Cells, Pattern, Patterns, TILE, Window};
use super::prism::Prism;
use super::sight::{SpaceSight, windows};
use super::terrain::Terrain;
use super::triangle::Facet;
use super::{Objects, Space};
use crate::bearing::bearing;

/// Winner of a ray that has met nothing.
const NOBODY: u64 = u64::MAX;
/// Squared part of the distance from the origin of the world by which a point has to be beside the axis
/// of the sensor, so that its azimuth is known.
const ON_AXIS: f64 = 1e-16;

/// Neighbouring rays and what they have met.
#[derive(Clone, Copy, Debug)]
struct Rays {
    /// Direction in the world frame.
    x: [f64; TILE],
    y: [f64; TILE],
    z: [f64; TILE],
    /// Nearest range, or just above the largest range, m.
    nearest: [f64; TILE],
    /// Index of what is met there.
    winner: [u64; TILE],
}

/// Buffers of a scan.
#[derive(Debug, Default)]
pub(super) struct Projection {
    patterns: Patterns,
    rays: Vec<Rays>,
    /// What rays have met.
    found: Vec<Found>,
    points: Vec<[f64; 3]>,
    sights: Vec<SpaceSight>,
    /// Triangles between two rows of terrain.
    strip: Vec<[u32; 3]>,
    /// Maps as the sensor sees them.
    views: Vec<View>,
}

/// What rays have met.
#[derive(Clone, Copy, Debug)]
struct Found {
    label: Label,
    /// Normal of any sign and, for a triangle, of any length.
    normal: [f64; 3],
    is_unit: bool,
}

impl Found {
    fn unit_normal(&self) -> [f64; 3] {
        if self.is_unit { self.normal } else { Vec3::from(self.normal).unit().to_array() }
    }
}

/// The state of one scan.
struct SpaceScan<'s> {
    origin: [f64; 3],
    rotation: Rotation,
    max_range: f64,
    pattern: &'s Pattern,
    rays: &'s mut [Rays],
    found: &'s mut Vec<Found>,
}

impl Projection {
    /// Casts rays from a pose, as [`Space::scan`] does.
    pub fn scan(
        &mut self,
        space: &Space,
        pose: &Pose3,
        directions: &[[f64; 3]],
        max_range: f64,
        accepts: &impl Fn(u32) -> bool,
        returns: &mut [Return],
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.scan_avx2(space, pose, directions, max_range, accepts, returns) };
        }
        self.scan_with(space, pose, directions, max_range, accepts, returns);
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn scan_avx2(
        &mut self,
        space: &Space,
        pose: &Pose3,
        directions: &[[f64; 3]],
        max_range: f64,
        accepts: &impl Fn(u32) -> bool,
        returns: &mut [Return],
    ) {
        self.scan_with(space, pose, directions, max_range, accepts, returns);
    }

    #[inline(always)]
    fn scan_with(
        &mut self,
        space: &Space,
        pose: &Pose3,
        directions: &[[f64; 3]],
        max_range: f64,
        accepts: &impl Fn(u32) -> bool,
        returns: &mut [Return],
    ) {
        let Self { patterns, rays, found, points, sights, strip, views } = self;
        let pattern = patterns.of(directions);
        found.clear();
        let (origin, rotation) = (pose.position(), pose.rotation());
        begin(pattern, rays, &rotation, max_range);
        let mut scan = SpaceScan { origin, rotation, max_range, pattern, rays, found };
        for objects in [&space.fixed, space.moving.get()] {
            scan.meet_objects(space, objects, accepts, (points, sights));
        }
        for terrain in space.terrain.iter().filter(|terrain| accepts(terrain.label.number)) {
            scan.meet_terrain(terrain, (points, sights), strip);
        }
        scan.see_maps(space, accepts, views);
        scan.meet_rest(space, accepts, views);
        scan.finish(returns);
    }
}

/// Turns the directions of all rays to the world frame.
#[inline(always)]
fn begin(pattern: &Pattern, rays: &mut Vec<Rays>, rotation: &Rotation, max_range: f64) {
    rays.clear();
    // NaN ends nothing, and a negative range is below every hit
    let nearest = if max_range >= 0.0 { max_range.next_up() } else { 0.0 };
    for tile in &pattern.directions {
        let mut turned = Rays {
            x: [0.0; TILE],
            y: [0.0; TILE],
            z: [0.0; TILE],
            nearest: [nearest; TILE],
            winner: [NOBODY; TILE],
        };
        for i in 0..TILE {
            let direction = [tile.x[i], tile.y[i], tile.z[i]];
            turned.x[i] = dot(rotation[0], direction);
            turned.y[i] = dot(rotation[1], direction);
            turned.z[i] = dot(rotation[2], direction);
        }
        for i in 0..TILE {
            let direction = [turned.x[i], turned.y[i], turned.z[i]];
            [turned.x[i], turned.y[i], turned.z[i]] = Beam::upright(direction);
            let square = dot(direction, direction);
            // rays without a direction meet nothing
            if !(square > 0.0 && square < f64::INFINITY) {
                turned.nearest[i] = 0.0;
                [turned.x[i], turned.y[i], turned.z[i]] = [f64::NAN; 3];
            }
        }
        rays.push(turned);
    }
}

impl SpaceScan<'_> {
    /// Writes what the rays have met.
    #[inline(always)]
    fn finish(&mut self, returns: &mut [Return]) {
        for (found, place) in returns.iter_mut().zip(&self.pattern.places) {
            let (rays, i) = (&self.rays[*place as usize / TILE], *place as usize % TILE);
            let Some(met) = self.found.get_mut(rays.winner[i] as usize) else {
                *found = Return::NOTHING;
                continue;
            };
            if !met.is_unit {
                (met.normal, met.is_unit) = (met.unit_normal(), true);
            }
            let normal = facing(met.normal, [rays.x[i], rays.y[i], rays.z[i]]);
            let Label { number, surface } = met.label;
            *found = Return::from(Strike { range: rays.nearest[i], normal, number, surface });
        }
    }

    /// Adds how the sensor sees points relative to its origin.
    #[inline(always)]
    fn add_sights(&self, points: &[[f64; 3]], sights: &mut Vec<SpaceSight>) {
        let origin = 1.0 + dot(self.origin, self.origin);
        for block in points.chunks(BLOCK) {
            let mut at = [[0.0; BLOCK]; 3];
            for (i, point) in block.iter().enumerate() {
                for axis in 0..3 {
                    at[axis][i] = point[axis];
                }
            }
            let mut seen = [SpaceSight::default(); BLOCK];
            for i in 0..BLOCK {
                let axis = |axis: usize| {
                    let r = &self.rotation;
                    r[0][axis] * at[0][i] + r[1][axis] * at[1][i] + r[2][axis] * at[2][i]
                };
                let [x, y, z] = [axis(0), axis(1), axis(2)];
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
                    let corners = corners.map(|corner| points[corner as usize]);
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
        let mut facet = None;
        let winner = found.len() as u64;
        let mut is_met = false;
        if cells.is_plain {
            pattern.each_run(
                cells,
                #[inline(always)]
                |from, to| {
                    let facet = facet.get_or_insert_with(|| Facet::new(corners));
                    let rays = &mut rays[from / TILE..=to / TILE];
                    is_met |= meet_tiles(rays, facet, (winner, label), found);
                },
            );
        } else {
            pattern.runs(window, |from, to| {
                let facet = facet.get_or_insert_with(|| Facet::new(corners));
                let rays = &mut rays[from / TILE..=to / TILE];
                is_met |= meet_tiles(rays, facet, (winner, label), found);
            });
        }
        if let Some(facet) = facet.filter(|_| is_met) {
            found.push(Found { label, normal: facet.normal.to_array(), is_unit: false });
        }
    }

    /// Offers what is met along each ray of a window.
    #[inline(always)]
    fn meet_each(&mut self, window: &Window, cast: impl Fn(&Beam, &mut Nearest)) {
        let Self { pattern, rays, found, origin, max_range, .. } = self;
        pattern.runs(window, |from, to| {
            for at in from..=to {
                let (rays, i) = (&mut rays[at / TILE], at % TILE);
                let direction = [rays.x[i], rays.y[i], rays.z[i]];
                // a ray without a direction, or behind the last one
                if direction[0].is_nan() {
                    continue;
                }
                let is_open = rays.winner[i] == NOBODY;
                let limit = if is_open { *max_range } else { rays.nearest[i] };
                let beam = Beam::along(*origin, direction, limit);
                let mut nearest = Nearest(None);
                cast(&beam, &mut nearest);
                let Some(strike) = nearest.0 else { continue };
                let is_better = strike.range < rays.nearest[i] || rays.wins_tie(i, &strike, found);
                if is_better {
                    (rays.nearest[i], rays.winner[i]) = (strike.range, found.len() as u64);
                    let Strike { number, surface, normal, .. } = strike;
                    let label = Label { number, surface };
                    found.push(Found { label, normal, is_unit: true });
                }
            }
        });
    }
}

/// Offers a triangle to tiles of rays. Returns whether one of the rays meets it first.
#[inline(always)]
fn meet_tiles(
    rays: &mut [Rays],
    facet: &Facet,
    (winner, label): (u64, Label),
    found: &[Found],
) -> bool {
    let mut is_met = false;
    for rays in rays {
        is_met |= rays.meet(facet, winner, label, found);
    }
    is_met
}

/// Returns a normal or its opposite, whichever points against a direction.
#[inline(always)]
fn facing(normal: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
    let sign = if dot(normal, direction) > 0.0 { -1.0 } else { 1.0 };
    normal.map(|part| 0.0 + sign * part)
}

impl Rays {
    /// Offers a triangle to the rays. Returns whether one of them meets it first.
    #[inline(always)]
    fn meet(&mut self, facet: &Facet, winner: u64, label: Label, found: &[Found]) -> bool {
        let mut ranges = [0.0; TILE];
        let (mut open, mut equal) = ([0.0; TILE], [0.0; TILE]);
        for i in 0..TILE {
            let range = facet.range([self.x[i], self.y[i], self.z[i]]);
            ranges[i] = range;
            open[i] = if range <= self.nearest[i] { 1.0 } else { 0.0 };
            // of two infinite ranges, neither is met
            let limit = if range < f64::MAX { range } else { f64::NAN };
            equal[i] = if limit == self.nearest[i] { 1.0 } else { 0.0 };
        }
        if open[0] + open[1] + open[2] + open[3] == 0.0 {
            return false;
        }
        if equal[0] + equal[1] + equal[2] + equal[3] > 0.0 {
            return self.meet_with_care(facet, winner, label, found, &ranges);
        }
        let mut is_met = false;
        for (i, range) in ranges.iter().enumerate() {
            let is_closer = *range < self.nearest[i];
            self.winner[i] = if is_closer { winner } else { self.winner[i] };
            self.nearest[i] = if is_closer { *range } else { self.nearest[i] };
            is_met |= is_closer;
        }
        is_met
    }

    /// As [`Self::meet`], for ranges of which some are equal to those before.
    #[cold]
    #[inline(never)]
    fn meet_with_care(
        &mut self,
        facet: &Facet,
        winner: u64,
        label: Label,
        found: &[Found],
        ranges: &[f64; TILE],
    ) -> bool {
        let mut is_met = false;
        for (i, range) in ranges.iter().enumerate() {
            let is_equal = *range == self.nearest[i] && *range < f64::INFINITY;
            let is_closer = *range < self.nearest[i]
                || is_equal && {
                    let Label { number, surface } = label;
                    let normal = facing(facet.unit_normal(), [self.x[i], self.y[i], self.z[i]]);
                    let strike = Strike { range: *range, normal, number, surface };
                    self.wins_tie(i, &strike, found)
                };
            if is_closer {
                (self.nearest[i], self.winner[i], is_met) = (*range, winner, true);
            }
        }
        is_met
    }

    /// Returns whether a strike at the nearest range of a ray comes before the present one.
    #[cold]
    fn wins_tie(&self, i: usize, strike: &Strike, found: &[Found]) -> bool {
        let Some(before) = found.get(self.winner[i] as usize) else { return false };
        let normal = facing(before.unit_normal(), [self.x[i], self.y[i], self.z[i]]);
        let Label { number, surface } = before.label;
        let before = Strike { range: self.nearest[i], normal, number, surface };
        strike.comes_before(&before)
    }
}

type Buffers<'b> = (&'b mut Vec<[f64; 3]>, &'b mut Vec<SpaceSight>);

impl SpaceScan<'_> {
    #[inline(always)]
    fn meet_objects(
        &mut self,
        space: &Space,
        objects: &Objects,
        accepts: &impl Fn(u32) -> bool,
        (points, sights): Buffers<'_>,
    ) {
        for instance in &objects.instances.all {
            if !accepts(instance.label.number) || !self.reaches(instance.bounds) {
                continue;
            }
            match &space.geometries[instance.geometry] {
                Geometry::Mesh(body) => {
                    self.meet_mesh(instance, body, (&mut *points, &mut *sights))
                }
                solid => {
                    let window = self.window_of(instance.bounds, sights);
                    self.meet_each(&window, |beam, nearest| instance.meet(solid, beam, nearest));
                }
            }
        }
        for prism in objects.prisms.iter() {
            let bounds = prism.space_bounds();
            if accepts(prism.label.number) && self.reaches(bounds) {
                let window = self.window_of(bounds, sights);
                let meet = |prism: &Prism, beam: &Beam| objects.prisms.meet(prism, beam);
                self.meet_each(&window, |beam, nearest| nearest.offer(beam, meet(prism, beam)));
            }
        }
    }

    /// Returns whether a box is within the largest range.
    fn reaches(&self, [min, max]: [[f64; 3]; 2]) -> bool {
        let away = [0, 1, 2].map(|axis| {
            (min[axis] - self.origin[axis]).max(self.origin[axis] - max[axis]).max(0.0)
        });
        // a negative or unknown range reaches nothing
        dot(away, away).sqrt() <= self.max_range * (1.0 + 1e-9) + 1e-9
    }

    /// Returns the window of a box.
    fn window_of(&self, bounds: [[f64; 3]; 2], sights: &mut Vec<SpaceSight>) -> Window {
        let corner = |index: usize| {
            let axis = |axis: usize| bounds[index >> axis & 1][axis] - self.origin[axis];
            [axis(0), axis(1), axis(2)]
        };
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
        sights.clear();
        self.add_sights(&corners, sights);
        let is_known = corners.iter().flatten().all(|part| part.is_finite());
        let sight = |index: usize| [sights[index]; BLOCK];
        let window = windows(&[0, 1, 2, 3, 4, 5, 6, 7].map(sight)).get(0);
        // a box around the origin, or around the axis of the sensor, is seen in every direction
        let is_inside = (0..3).all(|axis| {
            bounds[0][axis] <= self.origin[axis] && self.origin[axis] <= bounds[1][axis]
        });
        if is_inside || !is_known { Window::ALL } else { window }
    }

    #[inline(always)]
    fn meet_mesh(&mut self, instance: &Instance, body: &Body, (points, sights): Buffers<'_>) {
        let position = instance.offset(self.origin);
        points.clear();
        sights.clear();
        points.extend(body.vertices.iter().map(|vertex| instance.place(*vertex, position)));
        self.add_sights(points, sights);
        let label_of = |triangle: usize| body.label_of(triangle, instance.label);
        self.meet_facets(&body.triangles, points, sights, label_of);
    }

    #[inline(always)]
    fn meet_terrain(
        &mut self,
        terrain: &Terrain,
        (points, sights): Buffers<'_>,
        strip: &mut Vec<[u32; 3]>,
    ) {
        let Some([rows, columns]) = terrain.cells_within(self.origin, self.max_range) else {
            return;
        };
        let count = columns.end - columns.start + 1;
        points.clear();
        sights.clear();
        strip.clear();
        strip.extend((0..count as u32 - 1).flat_map(|near| {
            let far = near + count as u32 + 1;
            [[near, far - 1, far], [near, near + 1, far]]
        }));
        for row in rows.start..=rows.end {
            // the points of the last two rows are kept
            if points.len() > count {
                points.drain(..count);
                sights.drain(..count);
            }
            let new = points.len();
            points.extend(
                (columns.start..=columns.end).map(|column| terrain.point(row, column, self.origin)),
            );
            self.add_sights(&points[new..], sights);
            if row == rows.start {
                continue;
            }
            self.meet_facets(strip, points, sights, |_| terrain.label);
        }
    }

    /// Prepares the maps for level directions.
    fn see_maps(&self, space: &Space, accepts: &impl Fn(u32) -> bool, views: &mut Vec<View>) {
        views.resize_with(space.maps.len(), View::default);
        for (map, view) in space.maps.iter().zip(views) {
            view.forget();
            if accepts(map.label.number) {
                let rays = self.pattern.places.len();
                view.look(&map.grid, || map.walls(), (self.origin, self.max_range), rays);
            }
        }
    }

    /// Offers maps, planes and the level ground.
    #[inline(always)]
    fn meet_rest(&mut self, space: &Space, accepts: &impl Fn(u32) -> bool, views: &[View]) {
        let is_flat = space.maps.iter().any(|map| accepts(map.label.number))
            || space.plates.iter().any(|plate| accepts(plate.label.number))
            || space.level.is_some_and(|label| accepts(label.number));
        if is_flat {
            self.meet_each(&Window::ALL, |beam, nearest| {
                space.cast_flat(beam, accepts, views, nearest);
            });
        }
    }
}
