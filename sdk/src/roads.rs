//! Road networks, as models ask for them.

use simhost_abi::{LaneQuery, ROADS_SERVICE, RoadPoint, RoadsService};

use crate::Step;

/// Where a way over lanes begins and which lanes it takes, for [`Step::lanes_ahead`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaneWay<'r> {
    /// Number of the lane, as in [`RoadPoint::index`].
    pub index: u32,
    /// Distance along the reference line of its road, m.
    pub s: f64,
    /// Seed of turns. With 0, the lane that goes straightest on is taken where several follow.
    pub turns: u64,
    /// Numbers of lanes that are taken before others.
    pub route: &'r [u32],
}

impl LaneWay<'_> {
    /// Returns the way that begins at a place and goes straight on.
    pub const fn from_point(point: &RoadPoint) -> Self {
        Self { index: point.index, s: point.s, turns: 0, route: &[] }
    }
}

/// Questions about the road network of the world. A model needs no declaration for them, because a network never changes.
impl Step {
    /// Returns the nearest place in a lane that vehicles drive on, for a position, m, world frame, and a heading, rad, or
    /// `None` in a world without a road network. Where lanes overlap, as in junctions, one in the direction of the heading
    /// is preferred, unless it is NaN.
    ///
    /// ```
    /// use simhost_sdk::prelude::*;
    ///
    /// /// Returns the distance from the middle of the lane, m, positive to the left.
    /// fn offset(step: &Step, x: f64, y: f64, yaw: f64) -> Option<f64> {
    ///     step.lane_at([x, y, 0.0], yaw).map(|lane| lane.t)
    /// }
    ///
    /// # fn main() {
    /// // a step without a world has no roads
    /// assert_eq!(offset(&Step::new(0.0, 0.01), 0.0, 0.0, 0.0), None);
    /// # }
    /// ```
    pub fn lane_at(&self, [x, y, z]: [f64; 3], heading: f64) -> Option<RoadPoint> {
        let (pose, mut found) = ([x, y, z, heading], RoadPoint::NONE);
        // SAFETY: under this id a host answers with this table or null.
        let (table, context) = unsafe { self.service::<RoadsService>(ROADS_SERVICE) }?;
        // SAFETY: one pose in, one place out.
        unsafe { (table.locate)(context, 1, &raw const pose, &raw mut found) };
        found.is_some().then_some(found)
    }

    /// Finds the places on the middle of lanes at level distances ahead of a place, m, ascending. Returns their number,
    /// which is smaller than `distances.len()` where the network ends, and 0 in a world without a road network.
    ///
    /// # Panics
    ///
    /// If `found` is shorter than `distances`.
    pub fn lanes_ahead(
        &self,
        way: &LaneWay<'_>,
        distances: &[f64],
        found: &mut [RoadPoint],
    ) -> usize {
        assert!(found.len() >= distances.len(), "a place for each distance");
        // SAFETY: under this id a host answers with this table or null.
        let Some((table, context)) = (unsafe { self.service::<RoadsService>(ROADS_SERVICE) })
        else {
            return 0;
        };
        let LaneWay { index, s, turns, route } = *way;
        let query = LaneQuery {
            index,
            reserved: 0,
            s,
            turns,
            route: route.as_ptr(),
            route_len: route.len(),
        };
        let (count, distances) = (distances.len(), distances.as_ptr());
        // SAFETY: so many distances in, and at least as many places out.
        unsafe { (table.ahead)(context, &raw const query, count, distances, found.as_mut_ptr()) }
    }

    /// Finds the lanes of the shortest way from a lane to another one, with both. Writes the first ones to
    /// `lanes` and returns the number of all, or 0 if there is no way. The host allocates memory, so call it rarely.
    pub fn lane_route(&self, from: u32, to: u32, lanes: &mut [u32]) -> usize {
        // SAFETY: under this id a host answers with this table or null.
        let Some((table, context)) = (unsafe { self.service::<RoadsService>(ROADS_SERVICE) })
        else {
            return 0;
        };
        // SAFETY: a buffer of this capacity.
        unsafe { (table.route)(context, from, to, lanes.len(), lanes.as_mut_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_without_a_host_has_no_roads() {
        let step = Step::new(0.0, 0.01);
        assert_eq!(step.lane_at([0.0; 3], 0.0), None);
        let mut found = [RoadPoint::NONE; 2];
        assert_eq!(step.lanes_ahead(&LaneWay::default(), &[1.0, 2.0], &mut found), 0);
        assert_eq!(step.lane_route(0, 1, &mut []), 0);
    }
}
