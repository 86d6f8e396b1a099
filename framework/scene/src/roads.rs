//! Road networks as the ground of vehicles and as lanes that they follow.
//!
//! [`RoadMap`] is the interface of a reader of road networks to worlds and to the simulation, which know no format.

use std::fmt::Debug;

/// A place in a lane, in the driving direction of the lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadSpot {
    /// Number of the lane in the network, from 0. Each lane of each section has its own.
    pub index: u32,
    /// Index of the road in the file, from 0.
    pub road: u32,
    /// Number of the lane on the road: positive to the left of the reference line, negative to its right.
    pub lane: i32,
    /// Distance along the reference line of the road, m.
    pub s: f64,
    /// Distance from the middle of the lane, m, positive to the left of the driving direction.
    pub t: f64,
    /// Distance from the lane, m; 0 inside.
    pub away: f64,
    /// Position on the surface, m.
    pub position: [f64; 3],
    /// Driving direction, rad, from −π to π.
    pub heading: f64,
    /// Curvature of the middle of the lane, 1/m, positive where it turns left in the driving direction.
    pub curvature: f64,
    /// Width of the lane, m.
    pub width: f64,
    /// Rise over distance in the driving direction.
    pub grade: f64,
    /// Speed limit, m/s; infinite without one.
    pub speed_limit: f64,
}

/// The surface of a road at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadHeight {
    /// Height, m.
    pub height: f64,
    /// Whether the road is on a bridge or in a tunnel there, so that there is other ground below or above it.
    pub is_structure: bool,
}

/// Where a way over lanes begins, and which lanes it takes where several follow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LanePath<'r> {
    /// Number of the first lane.
    pub index: u32,
    /// Place on it: distance along the reference line of its road, m.
    pub s: f64,
    /// Numbers of lanes that are taken before others.
    pub route: &'r [u32],
    /// Seed of turns. With 0, the lane that goes straightest on is taken.
    pub turns: u64,
}

/// A road network, which never changes: every answer depends on the arguments alone.
///
/// Called from several threads at once. Only [`Self::route`] allocates.
pub trait RoadMap: Debug + Send + Sync {
    /// Returns a number that no other network in this process has.
    fn identity(&self) -> u64;

    /// Returns the boxes around all patches of the surface, m: smallest x and y, largest x and y. A patch is a short part
    /// of one road.
    fn patches(&self) -> &[[[f64; 2]; 2]];

    /// Returns the height of a patch at a point, m, or `None` outside it.
    fn height(&self, patch: usize, point: [f64; 2]) -> Option<RoadHeight>;

    /// Returns whether any lane has a friction coefficient.
    fn has_friction(&self) -> bool;

    /// Returns the friction coefficient of a patch at a point, if the lane there has one.
    fn friction(&self, patch: usize, point: [f64; 2]) -> Option<f64>;

    /// Returns the nearest place in a driving lane. Of several surfaces above each other, the nearest one counts, and of
    /// overlapping lanes, as in junctions, the one whose direction fits a heading, rad, unless it is NaN.
    fn locate(&self, point: [f64; 3], heading: f64) -> Option<RoadSpot>;

    /// Finds the places on the middle of lanes at level distances along a path, m, ascending, and calls `found` with their
    /// indices. Ends with the network.
    fn ahead(&self, path: LanePath<'_>, distances: &[f64], found: &mut dyn FnMut(usize, RoadSpot));

    /// Returns the numbers of the lanes of the shortest way from a lane to another one, with both, or `None` if there is
    /// none. A change to the next lane counts as 50 m.
    fn route(&self, from: u32, to: u32) -> Option<Vec<u32>>;
}
