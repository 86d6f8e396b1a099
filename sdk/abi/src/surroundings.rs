//! Services of the host through which a model asks about the world around its vehicle.
//!
//! They are found only during the calls of a model with
//! [`model_flag::PERCEIVES`](crate::model_flag::PERCEIVES). All answers describe the state at the start
//! of the phase, so that the order of evaluation changes nothing. Positions are in m and angles in rad,
//! in the world frame unless stated otherwise: x and y are level and z points up.
//!
//! Everything in a world that a ray can meet is an *entity* with a number. The numbers follow the kinds,
//! and within a kind the order of the world file: vehicles from 0 on, then blocks, actors, walls,
//! vertical planes, occupancy maps, elevation maps, horizontal planes, and last the level ground at
//! height 0.

use std::ffi::c_void;

/// Id of [`RaysService`], asked of [`Services::find`](crate::Services::find).
pub const RAYS_SERVICE: &str = "simhost.rays/1";
/// Id of [`NeighboursService`], asked of [`Services::find`](crate::Services::find).
pub const NEIGHBOURS_SERVICE: &str = "simhost.neighbours/1";
/// Id of [`SurfaceService`], asked of [`Services::find`](crate::Services::find).
pub const SURFACE_SERVICE: &str = "simhost.surface/1";

/// Number that no entity has.
pub const NO_ENTITY: u32 = u32::MAX;

/// Kinds of entities, as bits of a mask.
pub mod entity_kind {
    /// A vehicle.
    pub const VEHICLE: u32 = 1;
    /// A block.
    pub const BLOCK: u32 = 2;
    /// An actor.
    pub const ACTOR: u32 = 4;
    /// A wall or a vertical plane.
    pub const WALL: u32 = 8;
    /// An occupancy map.
    pub const MAP: u32 = 16;
    /// An elevation map, a horizontal plane, or the level ground at height 0.
    pub const GROUND: u32 = 32;
    /// In a mask: the vehicle that carries the model, which is left out otherwise.
    pub const OWN: u32 = 64;
    /// Every kind except [`OWN`].
    pub const ALL: u32 = 63;
}

/// A ray, for [`RaysService::cast`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start of the ray, m.
    pub origin: [f64; 3],
    /// Direction of any length. A ray whose direction is zero or not finite meets nothing.
    pub direction: [f64; 3],
    /// Largest range, m, which can be infinite. A ray with a negative one meets nothing.
    pub max_range: f64,
    /// Bits of [`entity_kind`] for what the ray can meet.
    pub mask: u32,
    /// Zero.
    pub reserved: u32,
}

/// The first surface that a ray meets, for [`RaysService::cast`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance from the origin of the ray, m; infinite if the ray meets nothing.
    pub range: f64,
    /// Point that the ray meets, m; the origin if it meets nothing.
    pub point: [f64; 3],
    /// Unit normal of the surface there, towards the side from which the ray comes; zero if it meets
    /// nothing.
    pub normal: [f64; 3],
    /// Number of the entity, or [`NO_ENTITY`].
    pub entity: u32,
    /// Bit of [`entity_kind`], or 0.
    pub kind: u32,
}

/// A circle in which entities are looked for, for [`NeighboursService::query`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighbourQuery {
    /// Centre, x and y, m.
    pub centre: [f64; 2],
    /// Radius, m. An entity is in the circle if its reference point is, or lies on the border.
    pub radius: f64,
    /// [`VEHICLE`](entity_kind::VEHICLE), [`BLOCK`](entity_kind::BLOCK),
    /// [`ACTOR`](entity_kind::ACTOR) and [`OWN`](entity_kind::OWN), of [`entity_kind`].
    pub mask: u32,
    /// Zero.
    pub reserved: u32,
}

/// An entity in a circle, for [`NeighboursService::query`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Level distance of the reference point from the centre of the circle, m.
    pub distance: f64,
    /// Reference point, m.
    pub position: [f64; 3],
    /// Heading, rad, counter-clockwise from the x axis of the world.
    pub yaw: f64,
    /// Pitch, rad, positive nose down; 0 for blocks and actors.
    pub pitch: f64,
    /// Roll, rad, positive right side down; 0 for blocks and actors.
    pub roll: f64,
    /// Level velocity of the reference point, x and y, m/s.
    pub velocity: [f64; 2],
    /// Yaw rate, rad/s, counter-clockwise.
    pub yaw_rate: f64,
    /// Radius of the circle about the reference point that contains the outline, m.
    pub radius: f64,
    /// Corner of the box about the outline with the smallest coordinates, body frame, m: rear, right
    /// and bottom.
    pub box_min: [f64; 3],
    /// Corner with the largest coordinates, body frame, m: front, left and top.
    pub box_max: [f64; 3],
    /// Number of the entity.
    pub entity: u32,
    /// Bit of [`entity_kind`].
    pub kind: u32,
}

/// The ground at a point, for [`SurfaceService::query`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Height of the ground at or below the point, m, or of the lowest ground if all is above it.
    pub height: f64,
    /// Unit normal of the ground.
    pub normal: [f64; 3],
    /// Friction coefficient of the ground; negative where no property region sets `friction_mu`.
    pub mu: f64,
    /// Rolling resistance of the ground; negative where no property region sets `friction_C_rr`.
    pub c_rr: f64,
    /// Number that the property `surface` has here, 0 outside all its regions.
    pub surface: f64,
}

/// Rays in three dimensions, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RaysService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Casts `count` rays for a lane of the call, and writes what each of them meets first.
    pub cast: unsafe extern "C" fn(
        context: *const c_void,
        lane: usize,
        count: usize,
        rays: *const Ray,
        hits: *mut RayHit,
    ),
}

/// The entities around a point, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NeighboursService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Returns the number of the vehicle that carries the model of a lane, or [`NO_ENTITY`].
    pub own: unsafe extern "C" fn(context: *const c_void, lane: usize) -> u32,
    /// Looks for entities in `count` circles for a lane of the call. Of the entities in circle `k`,
    /// writes the nearest `capacity` ones from `found[k * capacity]` on, sorted by distance and then by
    /// number, and the number of all of them to `totals[k]`, which can be greater than `capacity`.
    pub query: unsafe extern "C" fn(
        context: *const c_void,
        lane: usize,
        count: usize,
        queries: *const NeighbourQuery,
        capacity: usize,
        found: *mut Neighbour,
        totals: *mut usize,
    ),
}

/// The surface of the ground at any point, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SurfaceService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Computes the ground at or below each of `count` points, each x, y and z, m.
    pub query: unsafe extern "C" fn(
        context: *const c_void,
        count: usize,
        points: *const [f64; 3],
        found: *mut SurfacePoint,
    ),
}

impl Ray {
    /// Returns an unlimited ray that can meet everything except the own vehicle.
    pub const fn new(origin: [f64; 3], direction: [f64; 3]) -> Self {
        Self { origin, direction, max_range: f64::INFINITY, mask: entity_kind::ALL, reserved: 0 }
    }

    /// Returns the same ray with a largest range, m.
    #[must_use]
    pub const fn up_to(self, max_range: f64) -> Self {
        Self { max_range, ..self }
    }

    /// Returns the same ray for what these bits of [`entity_kind`] select.
    #[must_use]
    pub const fn of(self, mask: u32) -> Self {
        Self { mask, ..self }
    }
}

impl RayHit {
    /// The answer for a ray from the origin that meets nothing.
    pub const NOTHING: Self = Self {
        range: f64::INFINITY,
        point: [0.0; 3],
        normal: [0.0; 3],
        entity: NO_ENTITY,
        kind: 0,
    };

    /// Returns whether the ray has met something.
    pub const fn is_hit(&self) -> bool {
        self.kind != 0
    }
}

impl NeighbourQuery {
    /// Returns a query for vehicles other than the own one.
    pub const fn new(centre: [f64; 2], radius: f64) -> Self {
        Self { centre, radius, mask: entity_kind::VEHICLE, reserved: 0 }
    }

    /// Returns the same query for what these bits of [`entity_kind`] select.
    #[must_use]
    pub const fn of(self, mask: u32) -> Self {
        Self { mask, ..self }
    }
}

impl Neighbour {
    /// A neighbour with all numbers zero and the number of no entity, to fill a buffer with.
    pub const NONE: Self = Self {
        distance: 0.0,
        position: [0.0; 3],
        yaw: 0.0,
        pitch: 0.0,
        roll: 0.0,
        velocity: [0.0; 2],
        yaw_rate: 0.0,
        radius: 0.0,
        box_min: [0.0; 3],
        box_max: [0.0; 3],
        entity: NO_ENTITY,
        kind: 0,
    };
}

impl SurfacePoint {
    /// Level ground at height 0 without properties.
    pub const LEVEL: Self =
        Self { height: 0.0, normal: [0.0, 0.0, 1.0], mu: -1.0, c_rr: -1.0, surface: 0.0 };
}
