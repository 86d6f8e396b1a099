//! Scans of many rays from one origin: geometry is projected among the rays.
//!
//! For each triangle, the window of directions in which it is seen selects rays, and exact arithmetic
//! intersects them with it; the nearest range of each ray is kept. Windows are approximate and cautious.
//! Every other ray would miss the triangle, so that the ranges have the bits that brute force computes.

mod facets;
mod solids;

use simhost_scene::{Pose3, Rotation};
use simhost_vectors::Vec2;

use super::Space;
use super::beam::{Beam, Label, Return, dot};
use super::map::View;
use super::pattern::{Pattern, Patterns, TILE};
use super::rays::{Found, Rays, facing};
use super::sight::SpaceSight;
use crate::space::map::{Map, SeenMap};
use crate::space::nearest::Nearest;
use crate::space::pattern::Window;
use crate::space::plate::{Plate, SeenPlate};

/// Buffers of a scan.
#[derive(Debug, Default)]
pub(super) struct Projection {
    patterns: Patterns,
    rays: Vec<Rays>,
    /// What rays have met.
    found: Vec<Found>,
    buffers: Buffers,
    /// Maps as the sensor sees them.
    views: Vec<View>,
}

/// Parts of objects as the sensor sees them.
#[derive(Debug, Default)]
struct Buffers {
    points: Vec<[f64; 3]>,
    sights: Vec<SpaceSight>,
    /// Corners of an outline.
    corners: Vec<Vec2>,
    /// Triangles between two rows of terrain.
    strip: Vec<[u32; 3]>,
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
        accepts: &dyn Fn(u32) -> bool,
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
        accepts: &dyn Fn(u32) -> bool,
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
        accepts: &dyn Fn(u32) -> bool,
        returns: &mut [Return],
    ) {
        let Self { patterns, rays, found, buffers, views } = self;
        let pattern = patterns.of(directions);
        found.clear();
        let (origin, rotation) = (pose.position(), pose.rotation());
        begin(pattern, rays, &rotation, max_range);
        let mut scan = SpaceScan { origin, rotation, max_range, pattern, rays, found };
        for objects in [&space.fixed, space.moving.get()] {
            scan.meet_objects(space, objects, accepts, buffers);
        }
        for terrain in space.terrain.iter().filter(|terrain| accepts(terrain.label.number)) {
            scan.meet_terrain(terrain, buffers);
        }
        scan.see_maps(space, accepts, views);
        scan.meet_flat(space, accepts, views);
        scan.finish(returns);
    }
}

/// Turns the directions of all rays to the world frame.
#[inline(always)]
fn begin(pattern: &Pattern, rays: &mut Vec<Rays>, rotation: &Rotation, max_range: f64) {
    // NaN ends nothing, and a negative range is below every hit
    let nearest = if max_range >= 0.0 { max_range.next_up() } else { 0.0 };
    rays.resize(pattern.directions.len(), Rays::UNMET);
    for (rays, tile) in rays.iter_mut().zip(&pattern.directions) {
        // all numbers of the rays are written at once, so that they are computed together
        let mut turned = Rays::UNMET;
        for i in 0..TILE {
            let direction = [tile.x[i], tile.y[i], tile.z[i]];
            turned.x[i] = dot(rotation[0], direction);
            turned.y[i] = dot(rotation[1], direction);
            turned.z[i] = dot(rotation[2], direction);
        }
        for i in 0..TILE {
            let direction = turned.direction(i);
            let square = dot(direction, direction);
            // rays without a direction meet nothing
            let is_ray = (square > 0.0) & (square < f64::INFINITY);
            let [x, y, z] = Beam::upright(direction);
            turned.x[i] = if is_ray { x } else { f64::NAN };
            turned.y[i] = if is_ray { y } else { f64::NAN };
            turned.z[i] = if is_ray { z } else { f64::NAN };
            turned.nearest[i] = if is_ray { nearest } else { 0.0 };
        }
        *rays = turned;
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
            let [x, y, z] = facing(met.normal, rays.direction(i));
            let Label { number, surface } = met.label;
            let normal = [x as f32, y as f32, z as f32];
            *found = Return { range: rays.nearest[i], normal, number, surface };
        }
    }

    /// Prepares the maps for level directions.
    fn see_maps(&self, space: &Space, accepts: &dyn Fn(u32) -> bool, views: &mut Vec<View>) {
        views.resize_with(space.maps.len(), View::default);
        for (map, view) in space.maps.iter().zip(views) {
            view.forget();
            if accepts(map.label.number) {
                let rays = self.pattern.places.len();
                view.look(&map.grid, || map.walls(), self.origin, self.max_range, rays);
            }
        }
    }

    /// Offers planes, the level ground and maps. Maps are the last, because following a ray from cell to cell takes longer
    /// the farther it reaches.
    #[inline(always)]
    fn meet_flat(&mut self, space: &Space, accepts: &dyn Fn(u32) -> bool, views: &[View]) {
        for plate in space.plates.iter().filter(|plate| accepts(plate.label.number)) {
            self.meet_plate(plate, None);
        }
        if let Some(level) = space.level.as_ref().filter(|level| accepts(level.label.number)) {
            self.meet_plate(level, (!space.terrain.is_empty()).then_some(space));
        }
        for (map, view) in space.maps.iter().zip(views) {
            if accepts(map.label.number) {
                self.meet_map(map, view);
            }
        }
    }

    /// Offers a map.
    #[inline(always)]
    fn meet_map(&mut self, map: &Map, view: &View) {
        let cast = |beam: &Beam, nearest: &mut Nearest| {
            nearest.offer(beam, map.cast(beam, Some(view)));
        };
        let first = self.found.len();
        match SeenMap::new(map, view, self.origin, self.found) {
            Some(seen) => self.meet_tiles(
                &Window::ALL,
                first,
                #[inline(always)]
                |rays| seen.meet(rays),
                cast,
            ),
            None => self.meet_each(&Window::ALL, cast),
        }
    }

    /// Offers a rectangle, except where the terrain of a space is.
    #[inline(always)]
    fn meet_plate(&mut self, plate: &Plate, covered: Option<&Space>) {
        let (first, origin) = (self.found.len(), self.origin);
        let seen = SeenPlate::new(plate, origin, self.found);
        self.meet_tiles(
            &Window::ALL,
            first,
            #[inline(always)]
            |rays| {
                let mut met = seen.meet(rays);
                if let Some(space) = covered {
                    for i in 0..TILE {
                        let beam = Beam::along(origin, rays.direction(i), f64::INFINITY);
                        let is_open = met.ranges[i] <= rays.nearest[i];
                        if is_open && !space.is_bare(beam.at(met.ranges[i])) {
                            met.ranges[i] = f64::INFINITY;
                        }
                    }
                }
                met
            },
            |_, _| (),
        );
    }
}
