//! Roads as surfaces of the ground.

use std::sync::Arc;

use simhost_scene::{RoadHeight, RoadMap};

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

    /// Returns whether roads set a property.
    pub(super) fn roads_set(&self, name: &str) -> bool {
        name == "friction_mu" && self.has_road_friction()
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
