//! A network as worlds and the simulation use it.

use simhost_scene::{LanePath, RoadHeight, RoadMap, RoadSpot};

use crate::driven::{DrivenRoads, is_driven};
use crate::march::LaneMarch;
use crate::network::RoadPlace;
use crate::road::last_before;

impl RoadMap for DrivenRoads {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn patches(&self) -> &[[[f64; 2]; 2]] {
        &self.patches
    }

    #[inline]
    fn height(&self, patch: usize, point: [f64; 2]) -> Option<RoadHeight> {
        let place = self.on_patch(patch, point)?;
        let structures = &self.network.roads[place.road].structures;
        let is_structure = structures.iter().any(|[from, to]| (*from..=*to).contains(&place.s));
        Some(RoadHeight { height: self.network.height(place), is_structure })
    }

    fn has_friction(&self) -> bool {
        self.has_friction
    }

    fn friction(&self, patch: usize, point: [f64; 2]) -> Option<f64> {
        let RoadPlace { road, s, t } = self.on_patch(patch, point)?;
        let road = &self.network.roads[road];
        let (lane, _) = road.lane_at(s, t, |_| true)?;
        last_before(&lane.frictions, s - road.section(s).start).copied()
    }

    fn locate(&self, [x, y, z]: [f64; 3], heading: f64) -> Option<RoadSpot> {
        let heading = (!heading.is_nan()).then_some(heading);
        let found = self.network.nearest([x, y], Some(z), heading, is_driven)?;
        let key = self.network.key(found.on.road, found.on.s, found.lane);
        let sign = if self.network.is_along(key) { 1.0 } else { -1.0 };
        self.spot(key, found.on.s, sign * found.offset, found.away)
    }

    fn ahead(&self, path: LanePath<'_>, distances: &[f64], found: &mut dyn FnMut(usize, RoadSpot)) {
        let Some(mut march) = LaneMarch::new(self, path) else { return };
        for (index, distance) in distances.iter().enumerate() {
            let Some(spot) = march.to(*distance) else { return };
            found(index, spot);
        }
    }

    fn route(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let way = self.network.route(self.key(from)?, self.key(to)?, is_driven)?;
        way.into_iter().map(|key| self.number(key)).collect()
    }
}
