//! Roads as surfaces of the ground.

use std::sync::Arc;

use simhost_abi::host::AnswerBuffer;
use simhost_abi::{LaneQuery, RoadPoint};
use simhost_scene::{LanePath, RoadHeight, RoadMap, RoadSpot};

use super::{Ground, GroundSurface};

/// A patch of a road network, which has at most one height at a point.
#[derive(Clone, Debug)]
pub(super) struct RoadPatch {
    map: Arc<dyn RoadMap>,
    number: usize,
}

impl RoadPatch {
    #[inline]
    pub fn height(&self, point: [f64; 2]) -> Option<RoadHeight> {
        self.map.height(self.number, point)
    }

    /// Returns two corners of the box around the patch, m.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        self.map.patches()[self.number]
    }
}

impl Ground {
    /// Adds the patches of a network.
    pub(super) fn add_roads(&mut self, map: &Arc<dyn RoadMap>) {
        self.roads = Some(Arc::clone(map));
        for number in 0..map.patches().len() {
            let patch = RoadPatch { map: Arc::clone(map), number };
            self.add(GroundSurface::Road(patch), false);
        }
    }

    /// Returns whether lanes have friction coefficients.
    pub(super) fn has_road_friction(&self) -> bool {
        self.roads.as_ref().is_some_and(|roads| roads.has_friction())
    }

    /// Returns the nearest place in a lane, given x, y and z, m, and a heading, rad, which can be NaN.
    pub fn lane_at(&self, [x, y, z, heading]: [f64; 4]) -> RoadPoint {
        let found = self.roads.as_ref().and_then(|roads| roads.locate([x, y, z], heading));
        found.map_or(RoadPoint::NONE, point_of)
    }

    /// Adds the places at level distances ahead, m.
    pub fn lanes_ahead(
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

    /// Adds the lanes of the shortest way from a lane to another one, and returns the number of all of them.
    pub fn lane_route(&self, from: u32, to: u32, found: &mut AnswerBuffer<'_, u32>) -> usize {
        let route = self.roads.as_ref().and_then(|roads| roads.route(from, to));
        let route = route.unwrap_or_default();
        route.iter().for_each(|lane| found.push(*lane));
        route.len()
    }

    /// Returns the friction coefficient of the road whose surface is nearest to a point.
    pub(super) fn road_friction(&self, [x, y, z]: [f64; 3]) -> Option<f64> {
        let patch = self.near([x, y], 0.0);
        let roads = patch.numbers.iter().filter_map(|number| {
            let GroundSurface::Road(road) = &self.surfaces[*number as usize] else { return None };
            let away = (road.height([x, y])?.height - z).abs();
            Some((away, *number, road))
        });
        // by number where surfaces meet, so that the order of the tree does not matter
        let (_, _, road) = roads.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        road.map.friction(road.number, [x, y])
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
