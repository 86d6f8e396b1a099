//! The ground as a host of models that do not perceive: height, slopes, positions on Earth, and lanes.

use simhost_abi::host::{AnswerBuffer, ServiceHost};
use simhost_abi::{EARTH_SERVICE, EarthPoint, GROUND_SERVICE, LaneQuery, ROADS_SERVICE, RoadPoint};
use simhost_scene::{LanePath, RoadSpot};

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

    fn lane_at(&self, [x, y, z, heading]: [f64; 4]) -> RoadPoint {
        let found = self.roads.as_ref().and_then(|roads| roads.locate([x, y, z], heading));
        found.map_or(RoadPoint::NONE, point_of)
    }

    fn lanes_ahead(
        &self,
        from: &LaneQuery,
        route: &[u32],
        distances: &[f64],
        found: &mut AnswerBuffer<'_, RoadPoint>,
    ) {
        let Some(roads) = &self.roads else { return };
        let path = LanePath { index: from.index, s: from.s, route, turns: from.turns };
        roads.ahead(path, distances, &mut |_, spot| {
            found.push(point_of(spot));
        });
    }

    fn lane_route(&self, from: u32, to: u32, found: &mut AnswerBuffer<'_, u32>) -> usize {
        let route = self.roads.as_ref().and_then(|roads| roads.route(from, to));
        let route = route.unwrap_or_default();
        route.iter().for_each(|lane| found.push(*lane));
        route.len()
    }
}

/// Returns a place as models see it.
fn point_of(spot: RoadSpot) -> RoadPoint {
    let RoadSpot { index, road, lane, s, t, away, position, heading, curvature, .. } = spot;
    let RoadSpot { width, grade, speed_limit, .. } = spot;
    RoadPoint {
        position,
        heading,
        curvature,
        width,
        grade,
        speed_limit,
        s,
        t,
        away,
        index,
        road,
        lane,
        reserved: 0,
    }
}
