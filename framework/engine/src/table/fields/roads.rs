//! Quantities of vehicles on a road network.

use std::cell::RefCell;

use simhost_scene::{RoadMap, RoadSpot};
use simhost_sdk::math;

use super::{Fields, Read, Table};
use crate::readings::Units;

/// Distance from a driving lane beyond which a vehicle is on no lane, m.
const BEYOND: f64 = 5.0;

/// A quantity of the place of a vehicle on the road network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoadReading {
    Road,
    Lane,
    S,
    T,
    HeadingError,
    Curvature,
    SpeedLimit,
    Grade,
}

/// All of them with names, units and descriptions.
const READINGS: &[(RoadReading, &str, &str, &str)] = &[
    (
        RoadReading::Road,
        "road",
        "1",
        "Index in the file of the road with the nearest driving lane, from 0; NaN more than 5 m away from all of them, as the other quantities of lanes.",
    ),
    (
        RoadReading::Lane,
        "lane",
        "1",
        "Number of the nearest driving lane on its road, positive to the left of the reference line.",
    ),
    (RoadReading::S, "lane_s", "m", "Distance along the reference line of the road."),
    (
        RoadReading::T,
        "lane_t",
        "m",
        "Distance of the reference point from the middle of the lane, positive to the left of its driving direction.",
    ),
    (
        RoadReading::HeadingError,
        "lane_heading_error",
        "rad",
        "Yaw minus the driving direction of the lane, from -π to π.",
    ),
    (
        RoadReading::Curvature,
        "curvature",
        "1/m",
        "Curvature of the middle of the lane, positive where it turns left in the driving direction.",
    ),
    (
        RoadReading::SpeedLimit,
        "speed_limit",
        "m/s",
        "Speed limit of the lane; infinite without one.",
    ),
    (RoadReading::Grade, "grade", "1", "Rise over distance of the lane in its driving direction."),
];

thread_local! {
    /// The last search of this thread, so that the quantities of a vehicle share one.
    static LAST: RefCell<Option<LastSearch>> = const { RefCell::new(None) };
}

/// A search and its result.
#[derive(Clone, Copy)]
struct LastSearch {
    /// Identity of the network.
    network: u64,
    /// Bits of x, y, z and yaw.
    at: [u64; 4],
    found: Option<RoadSpot>,
}

/// Returns the place of a pose on a network, unless it is too far away.
fn locate(roads: &dyn RoadMap, [x, y, z, yaw, ..]: [f64; 6]) -> Option<RoadSpot> {
    let (network, at) = (roads.identity(), [x, y, z, yaw].map(f64::to_bits));
    LAST.with_borrow_mut(|last| {
        if let Some(last) = last.filter(|last| last.network == network && last.at == at) {
            return last.found;
        }
        let found = roads.locate([x, y, z], yaw).filter(|spot| spot.away <= BEYOND);
        *last = Some(LastSearch { network, at, found });
        found
    })
}

impl RoadReading {
    /// Returns the value for a vehicle at a pose.
    pub fn of(self, roads: &dyn RoadMap, pose: [f64; 6]) -> f64 {
        let Some(spot) = locate(roads, pose) else { return f64::NAN };
        match self {
            Self::Road => f64::from(spot.road),
            Self::Lane => f64::from(spot.lane),
            Self::S => spot.s,
            Self::T => spot.t,
            Self::HeadingError => math::wrap_angle(pose[3] - spot.heading),
            Self::Curvature => spot.curvature,
            Self::SpeedLimit => spot.speed_limit,
            Self::Grade => spot.grade,
        }
    }
}

impl Fields {
    /// Adds the quantities of a world with a road network.
    pub(super) fn add_roads(&mut self, table: &Table) {
        if table.blueprint.roads.is_none() {
            return;
        }
        for &(reading, name, unit, doc) in READINGS {
            self.host(false, name, Units::All(unit), doc, Read::Road(reading));
        }
    }
}
