//! Road networks, as a service of the host.

use std::ffi::c_void;

/// Id of [`RoadsService`], asked of [`Services::find`](crate::Services::find). A world without a road network does not
/// have it.
pub const ROADS_SERVICE: &str = "simhost.roads/1";

/// Number that no lane has.
pub const NO_LANE: u32 = u32::MAX;

/// A place in a lane that vehicles drive on.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadPoint {
    /// Position on the surface, world frame, m.
    pub position: [f64; 3],
    /// Driving direction of the lane, rad, counter-clockwise from the x axis of the world, from −π to π.
    pub heading: f64,
    /// Curvature of the middle of the lane, 1/m, positive where it turns left in the driving direction.
    pub curvature: f64,
    /// Width of the lane, m.
    pub width: f64,
    /// Rise over distance in the driving direction.
    pub grade: f64,
    /// Speed limit, m/s; infinite without one.
    pub speed_limit: f64,
    /// Distance along the reference line of the road, m.
    pub s: f64,
    /// Distance from the middle of the lane, m, positive to the left of the driving direction.
    pub t: f64,
    /// Distance of the point from the lane, m; 0 inside.
    pub away: f64,
    /// Number of the lane in the network, from 0, or [`NO_LANE`]. Each lane of each section has its own.
    pub index: u32,
    /// Index of the road in the file, from 0.
    pub road: u32,
    /// Number of the lane on its road: positive to the left of the reference line, negative to its right.
    pub lane: i32,
    /// Zero.
    pub reserved: u32,
}

impl RoadPoint {
    /// No place.
    pub const NONE: Self = Self {
        position: [f64::NAN; 3],
        heading: f64::NAN,
        curvature: f64::NAN,
        width: f64::NAN,
        grade: f64::NAN,
        speed_limit: f64::NAN,
        s: f64::NAN,
        t: f64::NAN,
        away: f64::NAN,
        index: NO_LANE,
        road: u32::MAX,
        lane: 0,
        reserved: 0,
    };

    /// Returns whether there is a place.
    pub const fn is_some(&self) -> bool {
        self.index != NO_LANE
    }
}

/// Where a way over lanes begins and which lanes it takes, for [`RoadsService::ahead`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LaneQuery {
    /// Number of the lane, as in [`RoadPoint::index`].
    pub index: u32,
    /// Zero.
    pub reserved: u32,
    /// Distance along the reference line of its road, m.
    pub s: f64,
    /// Seed of turns. With 0, the lane that goes straightest on is taken where several follow.
    pub turns: u64,
    /// Numbers of lanes that are taken before others; null if there are none.
    pub route: *const u32,
    /// Number of these.
    pub route_len: usize,
}

/// Road networks, as a service of the host. The answers depend on the arguments alone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RoadsService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Finds the nearest place in a lane for each of `count` poses, each x, y and z, world frame, m, and the heading, rad.
    /// Where lanes overlap, as in junctions, one in the direction of the heading is preferred, unless it is NaN.
    pub locate: unsafe extern "C" fn(
        context: *const c_void,
        count: usize,
        poses: *const [f64; 4],
        found: *mut RoadPoint,
    ),
    /// Finds the places on the middle of lanes at each of `count` level distances ahead, m, ascending. Returns their number,
    /// which is smaller where the network ends.
    pub ahead: unsafe extern "C" fn(
        context: *const c_void,
        from: *const LaneQuery,
        count: usize,
        distances: *const f64,
        found: *mut RoadPoint,
    ) -> usize,
    /// Finds the shortest way from a lane to another one. Writes the first `capacity` lanes and returns the number of all
    /// of them, or 0 if there is no way. Unlike the other functions, it allocates memory.
    pub route: unsafe extern "C" fn(
        context: *const c_void,
        from: u32,
        to: u32,
        capacity: usize,
        lanes: *mut u32,
    ) -> usize,
}
