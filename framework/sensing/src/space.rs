//! Rays in three dimensions against meshes, solids, prisms, maps, terrain and planes.
//!
//! A [`Space`] is prepared like a [`PlanarScene`](crate::PlanarScene): fixed objects once, moving
//! objects for each instant. Geometry is stored once, whatever the number of its instances, and is
//! never rebuilt. A tree over everything, seen from above, excludes objects that a ray cannot hit;
//! all ranges are bit-identical to brute force. If two objects have the same range, a ray hits the
//! object with the smaller number.

mod beam;
mod bundle;
mod instance;
mod map;
mod mesh;
mod nearest;
mod pattern;
mod plate;
mod prism;
mod projection;
mod rays;
mod shade;
mod sight;
mod slab;
mod slabs;
mod surface;
mod terrain;
mod tessellation;
mod triangle;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use simhost_scene::{HeightField, OccupancyGrid, Pose2, Pose3, Rotation};

use crate::outlines::Shape;
use instance::Instances;
use map::Map;
use nearest::Nearest;
use plate::Plate;
use prism::Prisms;
use surface::Surfaces;
use terrain::Terrain;

pub use beam::{Beam, Label, Return, Strike};
pub use bundle::Bundle;
pub use instance::Geometry;
pub use mesh::Body;
pub use prism::{Extrusion, Top};
pub use shade::Shade;
pub use surface::{Decal, Surface};
pub use tessellation::{Placed, Tessellation, TriangleHit, TriangleMesh};

/// Number of a geometry of a [`Space`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeometryId(u32);

/// Objects in space, each with a number that its owner has chosen. Copies share what does not move.
#[derive(Clone, Debug)]
pub struct Space {
    fixed: Arc<Objects>,
    moving: Moving<Objects>,
    geometries: Arc<Vec<Geometry>>,
    surfaces: Arc<Surfaces>,
    maps: Vec<Map>,
    terrain: Vec<Terrain>,
    plates: Vec<Plate>,
    /// The plane at height 0 outside all terrain.
    level: Option<Plate>,
}

impl Default for Space {
    /// Creates a space without objects, and with the default surface as number 0.
    fn default() -> Self {
        Self {
            fixed: Arc::default(),
            moving: Moving::default(),
            geometries: Arc::default(),
            surfaces: Arc::default(),
            maps: Vec::new(),
            terrain: Vec::new(),
            plates: Vec::new(),
            level: None,
        }
    }
}

/// Objects that are replaced together.
#[derive(Clone, Debug, Default)]
struct Objects {
    prisms: Prisms,
    instances: Instances,
}

impl Objects {
    /// Returns the number of objects.
    fn count(&self) -> usize {
        self.prisms.iter().len() + self.instances.all.len()
    }

    fn replace(&mut self, geometries: &[Geometry], add: impl FnOnce(&mut Solids<'_>)) {
        self.prisms.clear();
        self.instances.clear();
        add(&mut Solids { objects: self, geometries });
        self.prisms.prepare();
        self.instances.prepare();
    }
}

/// Receiver of the objects of a [`Space`].
pub struct Solids<'s> {
    objects: &'s mut Objects,
    geometries: &'s [Geometry],
}

impl Solids<'_> {
    /// Adds the prism over an outline at a pose, from height `bottom`, m, to its top.
    pub fn add(
        &mut self,
        label: impl Into<Label>,
        shape: &Shape,
        pose: Pose2,
        bottom: f64,
        top: Top,
    ) {
        self.objects.prisms.add(label.into(), shape.corners(), pose, bottom, top);
    }

    /// Adds an instance of a geometry of this space, scaled about its origin and then moved to a pose.
    pub fn place(
        &mut self,
        label: impl Into<Label>,
        geometry: GeometryId,
        pose: &Pose3,
        scale: f64,
    ) {
        self.place_turned(label, geometry, (pose.position(), pose.rotation()), scale);
    }

    /// As [`Self::place`], with the pose as a position and a rotation.
    pub fn place_turned(
        &mut self,
        label: impl Into<Label>,
        geometry: GeometryId,
        place: ([f64; 3], Rotation),
        scale: f64,
    ) {
        let index = geometry.0 as usize;
        let (geometry, (position, rotation)) = (&self.geometries[index], place);
        self.objects.instances.add(label.into(), index, geometry, position, rotation, scale);
    }
}

impl Space {
    /// Adds a geometry, for any number of instances.
    pub fn add_geometry(&mut self, geometry: Geometry) -> GeometryId {
        Arc::make_mut(&mut self.geometries).push(geometry);
        GeometryId(self.geometries.len() as u32 - 1)
    }

    /// Adds a surface. Returns its number.
    pub fn add_surface(&mut self, surface: Surface) -> u32 {
        Arc::make_mut(&mut self.surfaces).all.push(surface);
        self.surfaces.all.len() as u32 - 1
    }

    /// Returns all surfaces by their numbers.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces.all
    }

    /// Adds an image that surfaces can show, and returns its number.
    pub fn add_decal(&mut self, decal: Decal) -> u32 {
        Arc::make_mut(&mut self.surfaces).decals.push(decal);
        self.surfaces.decals.len() as u32 - 1
    }

    /// Returns the colour of the surface of an object at a point in the world frame, m: red, green, blue and
    /// opacity, sRGB.
    ///
    /// # Panics
    /// Panics if the surface does not exist.
    #[inline]
    pub fn color_at(&self, label: Label, point: [f64; 3]) -> [u8; 4] {
        let surface = &self.surfaces.all[label.surface as usize];
        if !surface.has_skin && surface.decal.is_none() {
            return surface.color;
        }
        self.image_at(label, point)
    }

    /// As [`Self::color_at`], for a surface with an image.
    fn image_at(&self, label: Label, point: [f64; 3]) -> [u8; 4] {
        let is_skinned = self.surfaces.all[label.surface as usize].has_skin;
        let skins = [&*self.fixed, self.moving.get()].into_iter().filter(|_| is_skinned);
        let found = skins
            .filter_map(|objects| objects.instances.skin_at(label, point, &self.geometries))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        found.map_or_else(|| self.surfaces.color_at(label.surface, point), |(_, color)| color)
    }

    /// Replaces the objects that never move by those that `add` adds.
    pub fn set_fixed(&mut self, add: impl FnOnce(&mut Solids<'_>)) {
        Arc::make_mut(&mut self.fixed).replace(&self.geometries, add);
    }

    /// Replaces the objects that move by those that `add` adds. A set of constant size does not
    /// allocate.
    pub fn set_moving(&mut self, add: impl FnOnce(&mut Solids<'_>)) {
        self.moving.remove();
        self.place_moving(add);
    }

    /// Removes the objects that move, until [`Self::place_moving`] places others. Their memory is kept.
    pub fn remove_moving(&mut self) {
        self.moving.remove();
    }

    /// Places the objects that move, which `add` adds, unless there are any since [`Self::remove_moving`].
    pub fn place_moving(&self, add: impl FnOnce(&mut Solids<'_>)) {
        self.moving.place(|objects| objects.replace(&self.geometries, add));
    }

    /// Adds an occupancy grid, whose solid cells reach from below everything to the height `top`, m,
    /// which can be infinite.
    pub fn add_map(&mut self, label: impl Into<Label>, grid: Arc<OccupancyGrid>, top: f64) {
        self.maps.push(Map::new(label.into(), grid, top));
    }

    /// Returns whether an object is a map whose solid cells have no upper end.
    pub fn is_endless(&self, number: u32) -> bool {
        self.maps.iter().any(|map| map.label.number == number && map.top == f64::INFINITY)
    }

    /// Adds terrain.
    pub fn add_terrain(&mut self, label: impl Into<Label>, field: Arc<HeightField>) {
        self.terrain.push(Terrain::new(label.into(), field));
    }

    /// Adds a rectangle at height `z`, m, in the frame of a pose that [`Self::move_plate`] sets.
    pub fn add_plate(&mut self, label: impl Into<Label>, x: [f64; 2], y: [f64; 2], z: f64) {
        self.plates.push(Plate::new(label.into(), [x, y], z));
    }

    /// Sets the pose of a rectangle, by the order in which they were added.
    pub fn move_plate(&mut self, index: usize, pose: Pose3) {
        self.plates[index].place(pose);
    }

    /// Adds the plane at height 0, which is there wherever no terrain is.
    pub fn add_level_ground(&mut self, label: impl Into<Label>) {
        self.level = Some(Plate::level(label.into()));
    }

    /// Returns what a ray meets first, of the objects whose numbers `accepts` accepts. Nothing is
    /// allocated.
    pub fn cast(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool) -> Option<Strike> {
        let mut nearest = Nearest(None);
        self.cast_objects(beam, accepts, &mut nearest);
        self.cast_ground(beam, accepts, &mut nearest);
        nearest.0
    }

    /// Offers prisms and instances.
    fn cast_objects(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool, nearest: &mut Nearest) {
        for objects in [&*self.fixed, self.moving.get()] {
            objects.prisms.cast(beam, accepts, nearest);
            objects.instances.cast(beam, &self.geometries, accepts, nearest);
        }
    }

    /// Offers terrain, planes and maps.
    fn cast_ground(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool, nearest: &mut Nearest) {
        for terrain in self.terrain.iter().filter(|terrain| accepts(terrain.label.number)) {
            terrain.cast(beam, nearest);
        }
        self.cast_flat(beam, accepts, nearest);
    }

    /// As [`Self::cast`], but looks at all objects and all triangles, one after the other.
    pub fn cast_by_force(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool) -> Option<Strike> {
        let mut nearest = Nearest(None);
        for objects in [&*self.fixed, self.moving.get()] {
            objects.prisms.cast_by_force(beam, accepts, &mut nearest);
            objects.instances.cast_by_force(beam, &self.geometries, accepts, &mut nearest);
        }
        for terrain in self.terrain.iter().filter(|terrain| accepts(terrain.label.number)) {
            terrain.cast_by_force(beam, &mut nearest);
        }
        self.cast_flat(beam, accepts, &mut nearest);
        nearest.0
    }

    /// Offers planes and maps.
    fn cast_flat(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool, nearest: &mut Nearest) {
        self.cast_planes(beam, accepts, nearest);
        // maps last, because following a ray from cell to cell takes longer the farther it reaches
        for map in self.maps.iter().filter(|map| accepts(map.label.number)) {
            nearest.offer(beam, map.cast(&nearest.limited(beam), None));
        }
    }

    /// Offers planes.
    fn cast_planes(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool, nearest: &mut Nearest) {
        for plate in self.plates.iter().filter(|plate| accepts(plate.label.number)) {
            nearest.offer(beam, plate.cast(beam));
        }
        if let Some(level) = self.level.as_ref().filter(|level| accepts(level.label.number)) {
            let level = level.cast(beam);
            nearest.offer(beam, level.filter(|strike| self.is_bare(beam.at(strike.range))));
        }
    }

    /// Returns the number of triangles of all meshes and of terrain.
    fn triangles(&self) -> usize {
        let of = |objects: &Objects| {
            let instances = objects.instances.all.iter();
            let count = instances.map(|instance| match &self.geometries[instance.geometry] {
                Geometry::Mesh(body) => body.len(),
                _ => 1,
            });
            count.sum::<usize>()
        };
        let terrain = self.terrain.iter().map(|terrain| 2 * terrain.field.heights().len());
        of(&self.fixed) + of(self.moving.get()) + terrain.sum::<usize>()
    }

    /// Returns whether there is no terrain above or below a point.
    fn is_bare(&self, [x, y, _]: [f64; 3]) -> bool {
        self.terrain.iter().all(|terrain| terrain.field.height_at(x, y).is_none())
    }
}

/// The objects that move.
#[derive(Debug, Default)]
struct Moving<T> {
    placed: OnceLock<T>,
    /// Objects of an earlier instant, for their memory.
    spare: Mutex<T>,
}

impl<T: Clone + Default> Clone for Moving<T> {
    fn clone(&self) -> Self {
        Self { placed: self.placed.clone(), spare: Mutex::default() }
    }
}

impl<T: Default> Moving<T> {
    /// Returns the objects. If none have been placed, there are none from now on until the next
    /// [`Self::remove`].
    #[inline]
    pub fn get(&self) -> &T {
        self.placed.get_or_init(T::default)
    }

    /// Removes all objects, and keeps their memory.
    pub fn remove(&mut self) {
        if let Some(placed) = self.placed.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = placed;
        }
    }

    /// Places objects by `fill`, unless some have been placed. Other threads wait for them.
    #[inline]
    pub fn place(&self, fill: impl FnOnce(&mut T)) {
        self.placed.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut objects = std::mem::take(&mut *spare);
            fill(&mut objects);
            objects
        });
    }
}
