//! A network as the ground of vehicles: heights, friction, places in lanes, and routes over them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use simhost_scene::RoadSpot;

use crate::index::Segment;
use crate::math::cos;
use crate::network::{Network, RoadPlace};
use crate::plan::wrapped;
use crate::road::Lane;
use crate::route::LaneKey;

/// Types of lanes that vehicles drive on.
pub(crate) const DRIVEN: &[&str] = &[
    "driving",
    "bidirectional",
    "entry",
    "exit",
    "onRamp",
    "offRamp",
    "connectingRamp",
    "slipLane",
    "bus",
    "taxi",
    "HOV",
];
/// Distance beyond an end or an edge of a road at which its surface still counts, so that no gap opens between roads, m.
const JOINT: f64 = 0.01;
/// Distance from the end of a section at which its lanes are evaluated, because the next section begins at the end, m.
pub(crate) const INSIDE: f64 = 1e-6;

/// Number of networks so far.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A network as the ground of vehicles.
pub struct DrivenRoads {
    pub(crate) network: Network,
    pub(crate) identity: u64,
    pub(crate) segments: Vec<Segment>,
    pub(crate) patches: Vec<[[f64; 2]; 2]>,
    pub(crate) has_friction: bool,
    /// Lanes by their numbers.
    lanes: Vec<LaneKey>,
    /// Numbers of the driven lanes that follow each lane, the one that goes straightest on first.
    following: Vec<Vec<u32>>,
}

impl fmt::Debug for DrivenRoads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DrivenRoads of {} roads", self.network.roads.len())
    }
}

/// Returns whether vehicles drive on a lane.
pub fn is_driven(lane: &Lane) -> bool {
    DRIVEN.contains(&lane.kind.as_str())
}

impl DrivenRoads {
    /// Prepares a network.
    pub fn new(network: Network) -> Self {
        let segments = network.segments();
        let lanes = || {
            network.roads.iter().enumerate().flat_map(|(road, of)| {
                let sections = of.sections.iter().enumerate();
                sections.flat_map(move |(section, of)| {
                    let lanes = of.left.iter().chain(&of.right);
                    lanes.map(move |lane| (LaneKey { road, section, lane: lane.id }, lane))
                })
            })
        };
        let has_friction = lanes().any(|(_, lane)| !lane.frictions.is_empty());
        let mut keys: Vec<LaneKey> = lanes().map(|(key, _)| key).collect();
        keys.sort_unstable();
        let mut roads = Self {
            patches: segments.iter().map(Segment::corners).collect(),
            segments,
            identity: COUNT.fetch_add(1, Ordering::Relaxed),
            has_friction,
            lanes: keys,
            following: Vec::new(),
            network,
        };
        roads.following = roads.lanes.iter().map(|key| roads.find_following(*key)).collect();
        roads
    }

    /// Returns the network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns whether any lane is driven on.
    pub fn has_driven_lanes(&self) -> bool {
        let sections = self.network.roads.iter().flat_map(|road| &road.sections);
        sections.flat_map(|section| section.left.iter().chain(&section.right)).any(is_driven)
    }

    /// Returns the lane with a number.
    pub(crate) fn key(&self, number: u32) -> Option<LaneKey> {
        self.lanes.get(number as usize).copied()
    }

    pub(crate) fn number(&self, key: LaneKey) -> Option<u32> {
        self.lanes.binary_search(&key).ok().map(|number| number as u32)
    }

    /// Returns the numbers of the lanes that follow a lane, the one that goes straightest on first.
    pub(crate) fn following(&self, number: u32) -> &[u32] {
        self.following.get(number as usize).map_or(&[], Vec::as_slice)
    }

    /// Finds the driven lanes that follow a lane.
    fn find_following(&self, key: LaneKey) -> Vec<u32> {
        let ahead = self.heading_at_end(key);
        let turn = |next: &LaneKey| 1.0 - cos(wrapped(self.heading_at_end(*next) - ahead));
        let fits = |next: &LaneKey| self.network.lane(*next).is_some_and(is_driven);
        let found = self.network.following(key).into_iter().filter(fits);
        let mut found: Vec<(f64, LaneKey)> = found.map(|next| (turn(&next), next)).collect();
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        found.into_iter().filter_map(|(_, next)| self.number(next)).collect()
    }

    /// Returns the driving direction at the end of a lane, rad.
    fn heading_at_end(&self, key: LaneKey) -> f64 {
        let [low, high] = self.network.extent(key);
        let s = if self.network.is_along(key) { (high - INSIDE).max(low) } else { low };
        self.network.lane_pose(key.road, s, key.lane, 0.0).map_or(0.0, |pose| pose.heading)
    }

    /// Returns the place at a distance `t` to the left of the middle of a lane, both in its driving direction.
    pub(crate) fn spot(&self, key: LaneKey, s: f64, t: f64, away: f64) -> Option<RoadSpot> {
        let [low, high] = self.network.extent(key);
        let s = s.clamp(low, (high - INSIDE).max(low));
        let sign = if self.network.is_along(key) { 1.0 } else { -1.0 };
        let pose = self.network.lane_pose(key.road, s, key.lane, sign * t)?;
        Some(RoadSpot {
            index: self.number(key)?,
            road: key.road as u32,
            lane: key.lane,
            s,
            t,
            away,
            position: pose.place,
            heading: wrapped(pose.heading),
            curvature: sign * pose.curvature,
            width: pose.width,
            grade: pose.grade,
            speed_limit: pose.speed_limit.unwrap_or(f64::INFINITY),
        })
    }

    /// Returns the place of a point on a patch, and the road's outer edges there, if the patch lies below the point.
    pub(crate) fn on_patch(&self, patch: usize, point: [f64; 2]) -> Option<RoadPlace> {
        let segment = self.segments.get(patch)?;
        let road = &self.network.roads[segment.road];
        let (s, t) = road.project(point, segment)?;
        let [right, left] = road.outer_edges(s);
        let is_on = t >= right.min(left) - JOINT && t <= left.max(right) + JOINT;
        (is_on && road.overshoot(point, s) <= JOINT).then_some(RoadPlace {
            road: segment.road,
            s,
            t,
        })
    }
}
