//! Routes over lanes: along links, through junctions, and to the lane beside.

use std::collections::{BTreeMap, BinaryHeap};

use crate::math::hypot;
use crate::network::Network;
use crate::road::{Lane, NetworkRoad, RoadLink};

/// Length that a change to a lane beside counts in addition, m.
const LANE_CHANGE: f64 = 50.0;

/// A lane in a section of a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LaneKey {
    /// Index of the road.
    pub road: usize,
    /// Index of the section.
    pub section: usize,
    /// Number of the lane.
    pub lane: i32,
}

/// A step of a search: what remains is compared first, the shortest is the greatest.
#[derive(PartialEq)]
struct Open {
    length: f64,
    lane: LaneKey,
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.length.total_cmp(&self.length).then_with(|| other.lane.cmp(&self.lane))
    }
}

impl Network {
    /// Returns the lane at a place of a road.
    pub fn key(&self, road: usize, s: f64, lane: i32) -> LaneKey {
        let after = self.roads[road].sections.partition_point(|section| section.start <= s);
        LaneKey { road, section: after.max(1) - 1, lane }
    }

    pub(crate) fn lane(&self, key: LaneKey) -> Option<&Lane> {
        self.roads.get(key.road)?.sections.get(key.section)?.lane(key.lane)
    }

    /// Returns where the section of a lane begins and ends on its road, m.
    pub fn extent(&self, key: LaneKey) -> [f64; 2] {
        let road = &self.roads[key.road];
        let end = road.sections.get(key.section + 1).map_or(road.length, |next| next.start);
        [road.sections[key.section].start, end]
    }

    /// Returns whether a lane is driven along the reference line.
    pub fn is_along(&self, key: LaneKey) -> bool {
        (key.lane < 0) != self.roads[key.road].is_left_hand
    }

    /// Returns the lanes that follow a lane in its driving direction.
    pub fn following(&self, key: LaneKey) -> Vec<LaneKey> {
        let (Some(road), Some(lane)) = (self.roads.get(key.road), self.lane(key)) else {
            return Vec::new();
        };
        let end = usize::from(self.is_along(key));
        let next = if end == 1 { Some(key.section + 1) } else { key.section.checked_sub(1) };
        match next.filter(|next| *next < road.sections.len()) {
            Some(section) => {
                let linked = lane.links[end].map(|lane| LaneKey { section, lane, ..key });
                linked.into_iter().filter(|next| self.lane(*next).is_some()).collect()
            }
            None => self.beyond(road, key, lane, end),
        }
    }

    /// Returns the lanes beyond an end of a road.
    fn beyond(&self, road: &NetworkRoad, key: LaneKey, lane: &Lane, end: usize) -> Vec<LaneKey> {
        let enter = |other: usize, at_end: bool, lane: i32| {
            let section = if at_end { self.roads[other].sections.len() - 1 } else { 0 };
            LaneKey { road: other, section, lane }
        };
        let found: Vec<LaneKey> = match road.links[end] {
            None => Vec::new(),
            Some(RoadLink::Road { road: other, at_end }) => {
                lane.links[end].map(|lane| enter(other, at_end, lane)).into_iter().collect()
            }
            Some(RoadLink::Junction(junction)) => {
                let connections = self.junctions[junction].connections.iter();
                let here = connections.filter(|one| one.incoming == key.road);
                here.flat_map(|one| {
                    let lanes = one.lanes.iter().filter(|(from, _)| *from == key.lane);
                    lanes.map(|(_, to)| enter(one.connecting, one.at_end, *to)).collect::<Vec<_>>()
                })
                .collect()
            }
        };
        // a lane that leads back into this road is not a continuation
        found
            .into_iter()
            .filter(|next| self.lane(*next).is_some() && self.leads_on(key, *next))
            .collect()
    }

    /// Returns whether a lane begins where another one ends, within 1 m.
    fn leads_on(&self, from: LaneKey, to: LaneKey) -> bool {
        let end = |key: LaneKey, last: bool| {
            let [low, high] = self.extent(key);
            // the section beyond would begin at its very end
            let s = if self.is_along(key) == last { high - 1e-6 } else { low };
            self.lane_pose(key.road, s, key.lane, 0.0).map(|pose| pose.place)
        };
        let places = end(from, true).zip(end(to, false));
        places.is_some_and(|([x, y, _], [u, v, _])| hypot(x - u, y - v) < 1.0)
    }

    /// Returns the shortest way from a lane to another one, with both, over lanes that `fits` selects. A change to a lane
    /// beside counts as 50 m (Dijkstra, 1959). Returns `None` if there is none.
    pub fn route(
        &self,
        from: LaneKey,
        to: LaneKey,
        fits: impl Fn(&Lane) -> bool,
    ) -> Option<Vec<LaneKey>> {
        let mut known: BTreeMap<LaneKey, (f64, Option<LaneKey>)> = BTreeMap::new();
        let mut open = BinaryHeap::new();
        known.insert(from, (0.0, None));
        open.push(Open { length: 0.0, lane: from });
        while let Some(Open { length, lane }) = open.pop() {
            if lane == to {
                return Some(way_to(&known, to));
            }
            if known.get(&lane).is_some_and(|(best, _)| length > *best) {
                continue;
            }
            for (next, cost) in self.onward(lane) {
                if !self.lane(next).is_some_and(&fits) {
                    continue;
                }
                let total = length + cost;
                if known.get(&next).is_none_or(|(best, _)| total < *best) {
                    known.insert(next, (total, Some(lane)));
                    open.push(Open { length: total, lane: next });
                }
            }
        }
        None
    }

    /// Returns the lanes that can be driven after a lane, with the length that they cost.
    fn onward(&self, lane: LaneKey) -> impl Iterator<Item = (LaneKey, f64)> {
        let [low, high] = self.extent(lane);
        let onward = self.following(lane).into_iter().map(move |next| (next, high - low));
        onward.chain(self.beside(lane).into_iter().map(|next| (next, LANE_CHANGE)))
    }

    /// Returns the lanes beside a lane that are driven in the same direction.
    pub fn beside(&self, key: LaneKey) -> Vec<LaneKey> {
        let sign = key.lane.signum();
        let numbers = [key.lane - sign, key.lane + sign].into_iter().filter(|lane| *lane != 0);
        let beside = numbers.map(|lane| LaneKey { lane, ..key });
        beside.filter(|next| self.lane(*next).is_some()).collect()
    }
}

fn way_to(known: &BTreeMap<LaneKey, (f64, Option<LaneKey>)>, to: LaneKey) -> Vec<LaneKey> {
    let mut way = vec![to];
    let mut at = to;
    while let Some((_, Some(before))) = known.get(&at) {
        way.push(*before);
        at = *before;
    }
    way.reverse();
    way
}
