//! A search tree over short parts of all roads.

use rstar::{AABB, Envelope, PointDistance, RTree, RTreeObject};

use crate::road::NetworkRoad;

/// Longest part of a road, m.
const LONGEST: f64 = 8.0;
/// Largest turn of a part, rad.
const MOST_TURN: f64 = 0.2;
/// Largest number of parts of all roads.
const MOST_SEGMENTS: usize = 4_000_000;
/// Addition to the width of a part, m.
const MARGIN: f64 = 0.5;

/// A short part of a road with the box around its lanes.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Index of the road.
    pub road: usize,
    /// Where it begins, m.
    pub from: f64,
    /// Where it ends, m.
    pub to: f64,
    /// Place of the reference line at the start, and the way to its place at the end, m.
    chord: [[f64; 2]; 2],
    /// Largest tangent of the angle between a cross section and the normal of the chord.
    skew: f64,
    bounds: AABB<[f64; 2]>,
}

impl RTreeObject for Segment {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.bounds
    }
}

impl PointDistance for Segment {
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        self.bounds.distance_2(point)
    }
}

/// The search tree.
pub(crate) struct RoadIndex(RTree<Segment>);

impl RoadIndex {
    /// Divides all roads.
    pub fn new(roads: &[NetworkRoad]) -> Self {
        let total: f64 = roads.iter().map(|road| road.length).sum();
        let longest = LONGEST.max(total / MOST_SEGMENTS as f64);
        let parts =
            roads.iter().enumerate().flat_map(|(number, road)| parts(number, road, longest));
        Self(RTree::bulk_load(parts.collect()))
    }

    /// Returns all parts, road by road along s.
    pub fn segments(&self) -> Vec<Segment> {
        let mut all: Vec<Segment> = self.0.iter().cloned().collect();
        all.sort_by(|one, other| one.road.cmp(&other.road).then(one.from.total_cmp(&other.from)));
        all
    }

    /// Calls `see` with the parts whose boxes hold a point, until it returns false.
    pub fn over(&self, point: [f64; 2], see: &mut impl FnMut(&Segment, f64) -> bool) {
        for segment in self.0.locate_in_envelope_intersecting(&AABB::from_point(point)) {
            if !see(segment, 0.0) {
                return;
            }
        }
    }

    /// Calls `see` with the other parts by their distance from a point, m, the nearest first, until it returns false.
    pub fn around(&self, point: [f64; 2], see: &mut impl FnMut(&Segment, f64) -> bool) {
        for (segment, squared) in self.0.nearest_neighbor_iter_with_distance_2(&point) {
            let away = squared.sqrt();
            if away > 0.0 && !see(segment, away) {
                return;
            }
        }
    }
}

impl Segment {
    /// Returns the box around the part: smallest x and y, largest x and y, m.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        [self.bounds.lower(), self.bounds.upper()]
    }

    /// Returns where a point is along the chord, m along the road; `None` if it cannot be on this part.
    pub fn guess(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let ([x0, y0], [dx, dy]) = (self.chord[0], self.chord[1]);
        let scale = 1.0 / (dx * dx + dy * dy).max(1e-12);
        let (along, across) = ((x - x0) * dx + (y - y0) * dy, (x - x0) * dy - (y - y0) * dx);
        // normals at the ends differ from that of the chord by half of the turn, and by more where the road is tilted
        let slack = if self.skew.is_finite() {
            0.1 + self.skew * across.abs() * scale
        } else {
            f64::INFINITY
        };
        let part = along * scale;
        let is_possible = part > -slack && part < 1.0 + slack;
        is_possible.then(|| self.from + part.clamp(0.0, 1.0) * (self.to - self.from))
    }
}

/// Divides a road.
fn parts(number: usize, road: &NetworkRoad, longest: f64) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (place, piece) in road.plan.iter().enumerate() {
        let begin = piece.start;
        let end = road.plan.get(place + 1).map_or(road.length, |next| next.start);
        if end <= begin {
            continue;
        }
        let ends = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| piece.at(part * (end - begin)).curvature);
        let sharpest = ends.iter().fold(0.0_f64, |sharpest, one| sharpest.max(one.abs()));
        let step = longest.min(MOST_TURN / sharpest.max(1e-9)).max(0.05);
        let count = ((end - begin) / step).ceil().clamp(1.0, 1e6) as usize;
        let step = (end - begin) / count as f64;
        for part in 0..count {
            let from = begin + step * part as f64;
            segments.push(segment(number, road, from, from + step));
        }
    }
    segments
}

fn segment(number: usize, road: &NetworkRoad, from: f64, to: f64) -> Segment {
    let mut bounds = AABB::new_empty();
    for s in [from, 0.5 * (from + to), to] {
        let [right, left] = road.outer_edges(s);
        for t in [right.min(0.0) - MARGIN, left.max(0.0) + MARGIN] {
            bounds.merge(&AABB::from_point(road.seen_from_above(s, t)));
        }
    }
    let [begin, end] = [from, to].map(|s| road.reference(s).place);
    let chord = [begin, [end[0] - begin[0], end[1] - begin[1]]];
    let sharpest = road.reference(0.5 * (from + to)).curvature.abs();
    let skew = 0.05
        + 0.75 * sharpest * (to - from)
        + if road.superelevation.is_zero() { 0.0 } else { 1.0 };
    let is_end = from <= 0.0 || to >= road.length;
    // a point beyond an end of the road is placed at the end
    let skew = if is_end { f64::INFINITY } else { skew };
    Segment { road: number, from, to, chord, skew, bounds }
}
