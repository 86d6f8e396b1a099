//! Rays in three dimensions against prisms, maps, terrain and planes.
//!
//! A [`Space`] is prepared like a [`PlanarScene`](crate::PlanarScene): what never moves once, the rest
//! for each instant. A tree over the outlines, seen from above, leaves out what a ray cannot meet; all
//! ranges have the bits that brute force computes. Of two objects at the same range, a ray meets the one
//! with the smaller number.

mod beam;
mod map;
mod plate;
mod prism;
mod slab;
mod terrain;

use std::sync::Arc;

use simhost_scene::{HeightField, OccupancyGrid, Pose3};

pub use beam::{Beam, Strike};
pub use prism::Top;

use crate::outlines::Shape;
use plate::Plate;
use prism::Prisms;
use simhost_scene::Pose2;
use terrain::Terrain;

/// Objects in space, each with a number that its owner has chosen.
#[derive(Clone, Debug, Default)]
pub struct Space {
    fixed: Prisms,
    moving: Prisms,
    maps: Vec<(u32, Arc<OccupancyGrid>)>,
    terrain: Vec<Terrain>,
    plates: Vec<Plate>,
    /// Number of the plane at height 0 outside all terrain.
    level: Option<u32>,
}

/// Receiver of the outlines of a [`Space`].
pub struct Solids<'s>(&'s mut Prisms);

impl Solids<'_> {
    /// Adds the prism over an outline at a pose, from height `bottom`, m, to its top.
    pub fn add(&mut self, number: u32, shape: &Shape, pose: Pose2, bottom: f64, top: Top) {
        self.0.add(number, shape.corners(), pose, bottom, top);
    }
}

impl Space {
    /// Replaces the prisms that never move by those that `add` adds.
    pub fn set_fixed(&mut self, add: impl FnOnce(&mut Solids<'_>)) {
        replace(&mut self.fixed, add);
    }

    /// Replaces the prisms that move by those that `add` adds. A set of constant size does not allocate.
    pub fn set_moving(&mut self, add: impl FnOnce(&mut Solids<'_>)) {
        replace(&mut self.moving, add);
    }

    /// Adds an occupancy grid, whose solid cells reach to every height.
    pub fn add_map(&mut self, number: u32, grid: Arc<OccupancyGrid>) {
        self.maps.push((number, grid));
    }

    /// Adds terrain.
    pub fn add_terrain(&mut self, number: u32, field: Arc<HeightField>) {
        self.terrain.push(Terrain::new(number, field));
    }

    /// Adds a rectangle at height `z`, m, in the frame of a pose that [`Self::move_plate`] sets.
    pub fn add_plate(&mut self, number: u32, x: [f64; 2], y: [f64; 2], z: f64) {
        self.plates.push(Plate::new(number, [x, y], z));
    }

    /// Sets the pose of a rectangle, by the order in which they were added.
    pub fn move_plate(&mut self, index: usize, pose: Pose3) {
        self.plates[index].place(pose);
    }

    /// Adds the plane at height 0, which is there wherever no terrain is.
    pub fn add_level_ground(&mut self, number: u32) {
        self.level = Some(number);
    }

    /// Returns what a ray meets first, of the objects whose numbers `accepts` accepts. Nothing is
    /// allocated.
    pub fn cast(&self, beam: &Beam, accepts: &impl Fn(u32) -> bool) -> Option<Strike> {
        let mut nearest = Nearest(None);
        self.fixed.cast(beam, accepts, &mut nearest);
        self.moving.cast(beam, accepts, &mut nearest);
        self.cast_rest(beam, accepts, &mut nearest);
        nearest.0
    }

    /// As [`Self::cast`], but looks at all objects, one after the other.
    pub fn cast_by_force(&self, beam: &Beam, accepts: &impl Fn(u32) -> bool) -> Option<Strike> {
        let mut nearest = Nearest(None);
        self.fixed.cast_by_force(beam, accepts, &mut nearest);
        self.moving.cast_by_force(beam, accepts, &mut nearest);
        for terrain in self.terrain.iter().filter(|terrain| accepts(terrain.number)) {
            terrain.cast_by_force(beam, &mut nearest);
        }
        self.cast_flat(beam, accepts, &mut nearest);
        nearest.0
    }

    fn cast_rest(&self, beam: &Beam, accepts: &impl Fn(u32) -> bool, nearest: &mut Nearest) {
        for terrain in self.terrain.iter().filter(|terrain| accepts(terrain.number)) {
            terrain.cast(beam, nearest);
        }
        self.cast_flat(beam, accepts, nearest);
    }

    fn cast_flat(&self, beam: &Beam, accepts: &impl Fn(u32) -> bool, nearest: &mut Nearest) {
        for (number, grid) in self.maps.iter().filter(|(number, _)| accepts(*number)) {
            nearest.offer(beam, map::cast(grid, beam, *number));
        }
        for plate in self.plates.iter().filter(|plate| accepts(plate.number)) {
            nearest.offer(beam, plate.cast(beam));
        }
        if let Some(number) = self.level.filter(|number| accepts(*number)) {
            let is_bare = |[x, y, _]: [f64; 3]| {
                self.terrain.iter().all(|terrain| terrain.field.height_at(x, y).is_none())
            };
            let level = plate::level(beam, number);
            nearest.offer(beam, level.filter(|strike| is_bare(beam.at(strike.range))));
        }
    }
}

fn replace(prisms: &mut Prisms, add: impl FnOnce(&mut Solids<'_>)) {
    prisms.clear();
    add(&mut Solids(prisms));
    prisms.prepare();
}

/// The nearest strike so far.
struct Nearest(Option<Strike>);

impl Nearest {
    /// Keeps a strike if it is within range and nearer than the present one, or as near with a smaller
    /// number.
    fn offer(&mut self, beam: &Beam, strike: Option<Strike>) {
        let Some(strike) = strike.filter(|strike| strike.range <= beam.max_range) else { return };
        // the normal decides between the triangles of one object, which are searched in any order
        let key = |one: &Strike| (one.range, one.number, one.normal);
        let is_better = self.0.is_none_or(|best| key(&strike) < key(&best));
        if is_better {
            self.0 = Some(strike);
        }
    }

    /// Returns whether something at this distance, m, can still change the result.
    fn is_open(&self, beam: &Beam, distance: f64) -> bool {
        distance <= self.0.map_or(beam.max_range, |best| best.range)
    }
}
