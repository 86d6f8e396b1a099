//! The ground under the wheels: terrain, floors and the tops of blocks, and properties of regions.

mod attitude;
mod blocks;
mod curvature;
mod earth;
mod fall;
mod roads;
mod service;
mod tree;

use std::sync::Arc;

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::prelude::Vector;
use simhost_scene::{HeightField, Pose2, Pose3, RoadHeight, RoadMap, polygon};
use simhost_world::{
    Block, BlockTop, HorizontalPlane, Profile, PropertyRegion, PropertyValue, Vehicle, World,
};

use crate::animation::animated;
use crate::physics::{Body, BodyError, CROWD_ADVICE, Physics, Roofs};

use tree::{SurfaceNumbers, SurfaceTree};

pub(crate) use attitude::{Balance, Footing, attitude, starting_attitude};
pub(crate) use curvature::{PathMotion, PathPoses, around};
pub(crate) use fall::{Course, Fall};

/// Height limit that excludes no surface, m.
const NO_LIMIT: f64 = f64::INFINITY;

/// Cosine of the inclination above which a plane is a wall and not a floor.
const UPRIGHT: f64 = 0.05;
/// Half of the distance over which a slope is measured, m.
const SLOPE_SPAN: f64 = 0.02;
/// Difference between heights that is due to rounding, m.
const ROUND_OFF: f64 = 1e-9;

/// All surfaces on which wheels can stand.
#[derive(Clone)]
pub(crate) struct Ground {
    surfaces: Vec<GroundSurface>,
    /// Whether each surface can move.
    moves: Vec<bool>,
    /// Tree of the surfaces that never move.
    fixed: SurfaceTree,
    /// Tree of the surfaces that can move.
    moving: SurfaceTree,
    regions: Vec<PropertyRegion>,
    /// Road network.
    roads: Option<Arc<dyn RoadMap>>,
    earth: earth::Earth,
    /// Whether bodies fall where there is no ground below them.
    pub bodies_fall: bool,
    /// Whether floors tilt with their pitch and roll.
    floors_tilt: bool,
    /// Whether a surface has moved in the last update.
    has_moved: bool,
    /// Whether a vehicle starts at another pose than on level ground.
    starts_above: bool,
}

#[derive(Clone)]
enum GroundSurface {
    /// Terrain.
    Field(Arc<HeightField>),
    /// A patch of a road.
    Road(roads::RoadPatch),
    /// A horizontal plane at its present pose.
    Floor { plane: Box<HorizontalPlane>, at: Pose3 },
    /// The top of a block.
    Top {
        outline: Vec<[f64; 2]>,
        shape: BlockTop,
        /// Height of the top above the origin of the block, m.
        height: f64,
        /// Height of the origin of the block, m.
        z: f64,
        at: Pose2,
        body: Option<Body>,
        /// Whether the block collides with bodies.
        solid: bool,
    },
}

/// Number of blocks at the origins of all blocks that the search for the ground below them examines.
const MOST_EXAMINED: usize = 5_000_000;

/// Returns the error for more blocks in one place than can be examined.
fn crowded(block: &Block) -> BodyError {
    let text = format!(
        "too many bodies overlap: the search for the ground below block '{}' has examined {MOST_EXAMINED} blocks in \
         one place\nhelp: {CROWD_ADVICE}",
        block.name
    );
    BodyError { text, span: block.span }
}

impl Ground {
    /// Creates level ground at height 0.
    pub fn level() -> Self {
        let (surfaces, moves, fixed, moving, regions, earth) = Default::default();
        let (bodies_fall, floors_tilt, has_moved, starts_above) = Default::default();
        Self {
            surfaces,
            moves,
            fixed,
            moving,
            regions,
            roads: None,
            earth,
            bodies_fall,
            floors_tilt,
            has_moved,
            starts_above,
        }
    }

    /// Creates the ground of a world without its blocks.
    pub fn without_blocks(world: &World) -> Self {
        let Profile { bodies_fall, floors_tilt, .. } = world.settings.profile;
        let regions = world.regions.clone();
        let earth = earth::Earth::new(world.scenery.georeference);
        let starts_above = world.vehicles.iter().any(|vehicle| starts_above(vehicle, bodies_fall));
        let mut ground =
            Self { regions, earth, bodies_fall, floors_tilt, starts_above, ..Self::level() };
        for map in &world.elevation_maps {
            ground.add(GroundSurface::Field(Arc::clone(&map.field)), false);
        }
        if let Some(network) = &world.roads {
            ground.add_roads(&network.map);
        }
        for plane in &world.horizontal_planes {
            let at = animated(&plane.pose, plane.animation.as_deref(), 0.0);
            let at = ground.floor_pose(at);
            ground.add(
                GroundSurface::Floor { plane: Box::new(plane.clone()), at },
                plane.animation.is_some(),
            );
        }
        ground.with_trees()
    }

    /// Returns the pose of a floor, level in profiles in which floors do not tilt.
    fn floor_pose(&self, at: Pose3) -> Pose3 {
        if self.floors_tilt { at } else { Pose3 { pitch: 0.0, roll: 0.0, ..at } }
    }

    /// Adds the blocks of the world, given the heights of their origins, m, and their bodies.
    pub fn with_blocks(mut self, world: &World, heights: &[f64], bodies: &[Option<Body>]) -> Self {
        for ((block, z), body) in world.blocks.iter().zip(heights).zip(bodies) {
            self.add(top_of(block, *z, *body), body.is_some());
        }
        self.with_trees()
    }

    /// Builds the trees of all surfaces.
    fn with_trees(mut self) -> Self {
        let tree = |moves: bool| {
            let numbers = (0..self.surfaces.len()).filter(|number| self.moves[*number] == moves);
            let numbers: Vec<usize> = numbers.collect();
            let boxes = numbers.iter().map(|number| self.surfaces[*number].bounds()).collect();
            SurfaceTree::new(numbers, boxes)
        };
        (self.fixed, self.moving) = (tree(false), tree(true));
        self
    }

    /// Returns the heights of the origins of all blocks, m: on the terrain, floor or earlier block
    /// below, or as given in the world file.
    ///
    /// # Errors
    /// So many blocks lie in one place that the search for the one below takes too long.
    pub fn block_heights(&self, world: &World) -> Result<Vec<f64>, BodyError> {
        let mut examined = 0;
        let mut tops: Vec<GroundSurface> =
            world.blocks.iter().map(|block| top_of(block, 0.0, None)).collect();
        let boxes: Vec<Aabb> = tops.iter().map(GroundSurface::bounds).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let mut heights = Vec::with_capacity(tops.len());
        for (number, block) in world.blocks.iter().enumerate() {
            let Pose3 { x, y, z, .. } = block.pose;
            let mut height = z;
            if !block.skip_elevation_adjust {
                let ceiling = z + 0.5 * block.z_max;
                height = self.near([x, y], 0.0).height(x, y, ceiling);
                let around = Aabb::from_half_extents(Vector::new(x, y), Vector::ZERO);
                let found = tree.intersect_aabb(&around).inspect(|_| examined += 1);
                for earlier in found.take(MOST_EXAMINED).filter(|n| (*n as usize) < number) {
                    let top = tops[earlier as usize].height(x, y);
                    height = top.filter(|top| *top <= ceiling).map_or(height, |t| t.max(height));
                }
            }
            if examined > MOST_EXAMINED {
                return Err(crowded(block));
            }
            if let GroundSurface::Top { z, .. } = &mut tops[number] {
                *z = height;
            }
            heights.push(height);
        }
        Ok(heights)
    }

    /// Returns whether the ground is level everywhere and at all times, and no vehicle starts above it.
    pub fn is_level(&self) -> bool {
        self.surfaces.is_empty() && !self.starts_above
    }

    fn add(&mut self, surface: GroundSurface, moves: bool) {
        self.surfaces.push(surface);
        self.moves.push(moves);
    }

    /// Moves the surfaces to their poses at `time`, s.
    pub fn update(&mut self, time: f64, physics: &Physics) {
        let Self { surfaces, moving, bodies_fall, floors_tilt, has_moved, .. } = self;
        *has_moved = false;
        moving.update(|number| {
            let surface = &mut surfaces[number];
            let moved = match surface {
                GroundSurface::Floor { plane, at } => {
                    let now = animated(&plane.pose, plane.animation.as_deref(), time);
                    let level = Pose3 { pitch: 0.0, roll: 0.0, ..now };
                    replace(at, if *floors_tilt { now } else { level })
                }
                GroundSurface::Top { at, z, body: Some(body), .. } => {
                    let height = physics.bodies.origin_height(*body);
                    let rises = *bodies_fall && (height - *z).abs() > ROUND_OFF;
                    if rises {
                        *z = height;
                    }
                    replace(at, physics.bodies.state(*body).pose()) || rises
                }
                _ => false,
            };
            *has_moved |= moved;
            moved.then(|| surface.bounds())
        });
    }

    /// Returns the surfaces that may lie within a circle of radius `radius`, m.
    pub fn near(&self, centre: [f64; 2], radius: f64) -> Patch<'_> {
        let [x, y] = centre;
        let around = Aabb::from_half_extents(Vector::new(x, y), Vector::splat(radius));
        let mut numbers = SurfaceNumbers::new();
        self.fixed.add_near(&around, &mut numbers);
        self.moving.add_near_ascending(&around, &mut numbers);
        Patch { ground: self, numbers, roofs: Roofs::new() }
    }

    /// Returns the height of the ground at or below a point, m, and its slopes dz/dx and dz/dy.
    pub fn slope(&self, [x, y, z]: [f64; 3]) -> (f64, [f64; 2]) {
        if self.surfaces.is_empty() {
            return (0.0, [0.0; 2]);
        }
        let patch = self.near([x, y], SLOPE_SPAN);
        if patch.is_level() {
            return (0.0, [0.0; 2]);
        }
        let at = |x: f64, y: f64| patch.height(x, y, z);
        let rise = |ahead: f64, behind: f64| (ahead - behind) / (2.0 * SLOPE_SPAN);
        let slopes = [
            rise(at(x + SLOPE_SPAN, y), at(x - SLOPE_SPAN, y)),
            rise(at(x, y + SLOPE_SPAN), at(x, y - SLOPE_SPAN)),
        ];
        (at(x, y), slopes)
    }

    /// Returns the value of a numeric property at a point, or `None` outside all regions that set it.
    pub fn property(&self, name: &str, point: [f64; 3]) -> Option<f64> {
        let of_region = self.regions.iter().find_map(|region| region.number(name, point));
        of_region.or_else(|| self.roads_set(name).then(|| self.road_friction(point)).flatten())
    }

    /// Returns whether the first region that sets a boolean property at a point sets it to true.
    fn has_flag(&self, name: &str, point: [f64; 3]) -> bool {
        let mut values = self.regions.iter().filter_map(|region| match region.value {
            PropertyValue::Bool(value) if region.property == name && region.contains(point) => {
                Some(value)
            }
            _ => None,
        });
        values.next().unwrap_or(false)
    }

    /// Returns whether there are regions or roads that set a property.
    pub fn has_properties(&self) -> bool {
        !self.regions.is_empty() || self.has_road_friction()
    }

    /// Returns whether any region or road sets a property.
    pub fn has_property(&self, name: &str) -> bool {
        self.roads_set(name) || self.regions.iter().any(|region| region.property == name)
    }
}

/// The surfaces near a point.
pub(crate) struct Patch<'g> {
    ground: &'g Ground,
    numbers: SurfaceNumbers,
    /// Bodies on which a vehicle can stand.
    roofs: Roofs,
}

impl Patch<'_> {
    /// Adds the tops of bodies.
    pub fn with_roofs(mut self, roofs: Roofs) -> Self {
        self.roofs = roofs;
        self
    }

    /// Returns whether there is nothing but level ground.
    pub fn is_level(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Returns the greatest rise of terrain along x or y over the cell at a point, m; 0 without terrain.
    fn rise_per_cell(&self, [x, y]: [f64; 2]) -> f64 {
        let rise = |number: &u32| match &self.ground.surfaces[*number as usize] {
            GroundSurface::Field(field) => {
                let [along, across] = field.slope_at(x, y)?;
                Some(field.resolution() * along.abs().max(across.abs()))
            }
            _ => None,
        };
        self.numbers.iter().filter_map(rise).fold(0.0, f64::max)
    }

    /// Returns the height of the highest surface at a point that is not above `ceiling`, or of the
    /// lowest surface if all are above, m. Where there is neither terrain nor a road, and below bridges, there is level
    /// ground at height 0.
    pub fn height(&self, x: f64, y: f64, ceiling: f64) -> f64 {
        self.height_below([x, y], ceiling, NO_LIMIT)
    }

    /// As [`Self::height`], but ignores the tops of solid blocks above `solid_ceiling`, m.
    pub fn height_below(&self, [x, y]: [f64; 2], ceiling: f64, solid_ceiling: f64) -> f64 {
        let (mut below, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut terrain = false;
        let mut add = |height: f64| {
            lowest = lowest.min(height);
            if height <= ceiling {
                below = below.max(height);
            }
        };
        for number in &self.numbers {
            let surface = &self.ground.surfaces[*number as usize];
            if let GroundSurface::Road(patch) = surface {
                if let Some(RoadHeight { height, is_structure }) = patch.height([x, y]) {
                    add(height);
                    terrain |= !is_structure;
                }
            } else if let Some(height) = surface.height(x, y) {
                if surface.is_solid() && height > solid_ceiling {
                    continue;
                }
                add(height);
                terrain |= matches!(surface, GroundSurface::Field(_));
            }
        }
        for roof in self.roofs.iter().filter(|roof| roof.contains([x, y])) {
            add(roof.height);
        }
        if !terrain {
            add(0.0);
        }
        if below.is_finite() { below } else { lowest }
    }
}

impl GroundSurface {
    fn height(&self, x: f64, y: f64) -> Option<f64> {
        match self {
            Self::Field(field) => field.height_at(x, y),
            Self::Road(patch) => patch.height([x, y]).map(|road| road.height),
            Self::Floor { plane, at } => {
                let within = |value: f64, [low, high]: [f64; 2]| low <= value && value <= high;
                let ([x, y], height) = on_plane(at, plane.z, [x, y])?;
                (within(x, plane.x) && within(y, plane.y)).then_some(height)
            }
            Self::Top { outline, shape, height, z, at, .. } => {
                let [x, y] = at.inverse().transform([x, y]);
                if !polygon::contains(outline, [x, y]) {
                    return None;
                }
                Some(z + top_height(*shape, *height, x, y))
            }
        }
    }

    fn is_solid(&self) -> bool {
        matches!(self, Self::Top { solid: true, .. })
    }

    fn bounds(&self) -> Aabb {
        let around = |corners: &mut dyn Iterator<Item = [f64; 2]>| {
            Aabb::from_points(corners.map(|[x, y]| Vector::new(x, y)))
        };
        match self {
            Self::Field(field) => {
                let ([x, y], [length, width]) = (field.corner(), field.extent());
                around(&mut [[x, y], [x + length, y + width]].into_iter())
            }
            Self::Road(patch) => around(&mut patch.bounds().into_iter()),
            Self::Floor { plane, at } => {
                let corner = |i: usize, j: usize| {
                    let [x, y, _] = at.transform([plane.x[i], plane.y[j], plane.z]);
                    [x, y]
                };
                around(&mut [corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 1)].into_iter())
            }
            Self::Top { outline, at, .. } => around(&mut outline.iter().map(|p| at.transform(*p))),
        }
    }
}

/// Returns whether a vehicle starts at the height and the inclination of its pose rather than on the
/// ground, in a profile in which bodies fall if `bodies_fall` is true.
pub(crate) fn starts_above(vehicle: &Vehicle, bodies_fall: bool) -> bool {
    let Pose3 { z, pitch, roll, .. } = vehicle.pose;
    let is_given = [z, pitch, roll] != [0.0; 3] && vehicle.skip_elevation_adjust;
    is_given && bodies_fall && vehicle.animation.is_none()
}

/// Returns the point of a plane above or below a point of the world, m: in the frame of the plane, whose
/// pose is `at` and whose height in that frame is `z`, and its height in the world. Returns `None` for a
/// plane that is upright.
fn on_plane(at: &Pose3, z: f64, [x, y]: [f64; 2]) -> Option<([f64; 2], f64)> {
    if at.pitch == 0.0 && at.roll == 0.0 {
        let flat = Pose2 { x: at.x, y: at.y, yaw: at.yaw };
        return Some((flat.inverse().transform([x, y]), at.z + z));
    }
    let origin = at.transform([0.0, 0.0, z]);
    let axis = |end: [f64; 3]| {
        let end = at.transform(end);
        [end[0] - origin[0], end[1] - origin[1], end[2] - origin[2]]
    };
    let ([ax, ay, az], [bx, by, bz]) = (axis([1.0, 0.0, z]), axis([0.0, 1.0, z]));
    let (dx, dy) = (x - origin[0], y - origin[1]);
    let determinant = ax * by - bx * ay;
    if determinant.abs() < UPRIGHT {
        return None;
    }
    let (u, v) = ((dx * by - dy * bx) / determinant, (ax * dy - ay * dx) / determinant);
    Some(([u, v], origin[2] + u * az + v * bz))
}

/// Stores a value and returns whether it differs from the old one.
fn replace<T: PartialEq>(place: &mut T, value: T) -> bool {
    let differs = *place != value;
    *place = value;
    differs
}

/// Returns the top of a block whose origin is at height `z`, m.
fn top_of(block: &Block, z: f64, body: Option<Body>) -> GroundSurface {
    let at = animated(&block.pose, block.animation.as_deref(), 0.0);
    GroundSurface::Top {
        outline: polygon::convex_hull(&block.polygon),
        shape: block.top,
        height: block.z_max,
        z,
        at: Pose2 { x: at.x, y: at.y, yaw: at.yaw },
        body,
        solid: !block.intangible,
    }
}

/// Returns the height of the top of a block above its origin, m.
fn top_height(shape: BlockTop, flat: f64, x: f64, y: f64) -> f64 {
    match shape {
        BlockTop::Flat => flat,
        BlockTop::Ramp { length, height } => height * x / length,
        BlockTop::Bump { width, height } => {
            let off = 2.0 * y / width;
            height * (1.0 - off * off).max(0.0).sqrt()
        }
    }
}
