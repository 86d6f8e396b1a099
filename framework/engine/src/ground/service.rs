//! The ground as a host of models that do not perceive: height, slopes, positions on Earth, and lanes.

use simhost_abi::host::{AnswerBuffer, ServiceHost};
use simhost_abi::{EARTH_SERVICE, EarthPoint, GROUND_SERVICE, LaneQuery, ROADS_SERVICE, RoadPoint};

use super::Ground;

impl ServiceHost for Ground {
    #[inline]
    fn offers(&self, id: &str) -> bool {
        match id {
            GROUND_SERVICE | EARTH_SERVICE => true,
            ROADS_SERVICE => self.roads.is_some(),
            _ => false,
        }
    }

    #[inline]
    fn ground(&self, point: [f64; 3]) -> (f64, [f64; 2]) {
        self.slope(point)
    }

    fn locate(&self, point: [f64; 3]) -> EarthPoint {
        Self::locate(self, point)
    }

    fn lane_at(&self, pose: [f64; 4]) -> RoadPoint {
        Self::lane_at(self, pose)
    }

    fn lanes_ahead(
        &self,
        from: &LaneQuery,
        route: &[u32],
        distances: &[f64],
        found: &mut AnswerBuffer<'_, RoadPoint>,
    ) {
        Self::lanes_ahead(self, from, route, distances, found);
    }

    fn lane_route(&self, from: u32, to: u32, found: &mut AnswerBuffer<'_, u32>) -> usize {
        Self::lane_route(self, from, to, found)
    }
}
