//! Polygons in the plane, given as lists of corners in m.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Returns twice the signed area of the triangle a, b, c, which is positive if the corners run
/// counter-clockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns the edges. The last one leads back to the first corner.
pub fn edges(corners: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Returns the signed area in m², positive if the corners run counter-clockwise.
pub fn area(corners: &[[f64; 2]]) -> f64 {
    0.5 * edges(corners).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>()
}

/// Returns the centre of mass of a polygon of uniform density.
pub fn centroid(corners: &[[f64; 2]]) -> [f64; 2] {
    // relative to the first corner, so that a polygon far from the origin does not lose precision
    let Some(&origin) = corners.first() else { return [0.0, 0.0] };
    let mut sum = [0.0, 0.0];
    let mut twice_area = 0.0;
    for (a, b) in edges(corners) {
        let cross = turn(origin, a, b);
        twice_area += cross;
        sum[0] += cross * (a[0] + b[0] - 2.0 * origin[0]);
        sum[1] += cross * (a[1] + b[1] - 2.0 * origin[1]);
    }
    [origin[0] + sum[0] / (3.0 * twice_area), origin[1] + sum[1] / (3.0 * twice_area)]
}

/// Returns the moment of inertia about the origin per mass in m², for a polygon of uniform density.
pub fn second_moment(corners: &[[f64; 2]]) -> f64 {
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let mut moment = 0.0;
    let mut sum = 0.0;
    for (a, b) in edges(corners) {
        let cross = a[0] * b[1] - b[0] * a[1];
        moment += cross * (dot(a, a) + dot(a, b) + dot(b, b));
        sum += cross;
    }
    moment / (6.0 * sum)
}

/// Returns the convex hull, counter-clockwise and without repeated and collinear corners (Andrew
/// 1979).
pub fn convex_hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull: Vec<[f64; 2]> = Vec::with_capacity(2 * sorted.len());
    let mut chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let start = hull.len();
        for point in points {
            while hull.len() >= start + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    };
    chain(&mut sorted.iter().copied());
    chain(&mut sorted.iter().rev().copied());
    hull
}

/// Returns whether a point lies in a convex, counter-clockwise polygon or on its border.
pub fn contains(corners: &[[f64; 2]], point: [f64; 2]) -> bool {
    corners.len() >= 3 && edges(corners).all(|(a, b)| turn(a, b, point) >= 0.0)
}

/// Returns the largest distance of a corner from a point in m.
pub fn bounding_radius(corners: &[[f64; 2]], from: [f64; 2]) -> f64 {
    let distance = |p: &[f64; 2]| ((p[0] - from[0]).powi(2) + (p[1] - from[1]).powi(2)).sqrt();
    corners.iter().map(distance).fold(0.0, f64::max)
}

/// Returns a convex, counter-clockwise polygon with at most `max_corners` corners that contains the
/// given one.
///
/// The edge whose removal adds the least area is removed repeatedly, by extending its two
/// neighbours until they meet. The result can have more corners if no edge can be removed, as in a
/// parallelogram, and always has at least three. 24 corners approximate the area of a circle to
/// within 1 %.
pub fn simplify_hull(polygon: &[[f64; 2]], max_corners: usize) -> Vec<[f64; 2]> {
    let mut ring = Ring::new(polygon);
    while ring.alive > max_corners.max(3) {
        let Some(Reverse(removal)) = ring.removals.pop() else { break };
        if ring.versions[removal.edge] == removal.version {
            ring.remove(removal);
        }
    }
    ring.corners()
}

/// The removal of the edge that starts at a corner.
#[derive(Clone, Copy, Debug)]
struct Removal {
    growth: f64,
    edge: usize,
    version: u32,
    meeting: [f64; 2],
}

impl Ord for Removal {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.growth.total_cmp(&other.growth).then(self.edge.cmp(&other.edge))
    }
}

impl PartialOrd for Removal {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Removal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Removal {}

/// Corners in a ring. The edge of a corner leads to the next one.
struct Ring {
    points: Vec<[f64; 2]>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Version of each edge, which is incremented when a computed removal becomes invalid.
    versions: Vec<u32>,
    removals: BinaryHeap<Reverse<Removal>>,
    first: usize,
    alive: usize,
}

impl Ring {
    fn new(polygon: &[[f64; 2]]) -> Self {
        let count = polygon.len();
        let mut ring = Self {
            points: polygon.to_vec(),
            next: (0..count).map(|index| (index + 1) % count).collect(),
            previous: (0..count).map(|index| (index + count - 1) % count).collect(),
            versions: vec![0; count],
            removals: BinaryHeap::with_capacity(count),
            first: 0,
            alive: count,
        };
        (0..count).for_each(|edge| ring.offer(edge));
        ring
    }

    /// Computes the removal of an edge, if its neighbours meet outside of the polygon.
    fn offer(&mut self, edge: usize) {
        self.versions[edge] += 1;
        let (a, b) = (self.points[edge], self.points[self.next[edge]]);
        let before = self.points[self.previous[edge]];
        let after = self.points[self.next[self.next[edge]]];
        let into = [a[0] - before[0], a[1] - before[1]];
        let back = [b[0] - after[0], b[1] - after[1]];
        let cross = back[0] * into[1] - back[1] * into[0];
        let scale = libm::hypot(into[0], into[1]) * libm::hypot(back[0], back[1]);
        // neighbours that are almost parallel meet too far away or not at all
        if cross <= 1e-9 * scale {
            return;
        }
        let t = (back[0] * (b[1] - a[1]) - back[1] * (b[0] - a[0])) / cross;
        let meeting = [a[0] + t * into[0], a[1] + t * into[1]];
        let growth = (0.5 * turn(a, meeting, b)).max(0.0);
        if growth.is_finite() && t >= 0.0 {
            let version = self.versions[edge];
            self.removals.push(Reverse(Removal { growth, edge, version, meeting }));
        }
    }

    /// Removes an edge: replaces its two corners by the point where its neighbours meet.
    fn remove(&mut self, removal: Removal) {
        let (edge, gone) = (removal.edge, self.next[removal.edge]);
        self.points[edge] = removal.meeting;
        let after = self.next[gone];
        self.next[edge] = after;
        self.previous[after] = edge;
        self.versions[gone] += 1;
        self.alive -= 1;
        if self.first == gone {
            self.first = edge;
        }
        let before = self.previous[edge];
        for changed in [self.previous[before], before, edge, after] {
            self.offer(changed);
        }
    }

    fn corners(&self) -> Vec<[f64; 2]> {
        let follow = |&corner: &usize| Some(self.next[corner]);
        let start = (self.alive > 0).then_some(self.first);
        std::iter::successors(start, follow).take(self.alive).map(|at| self.points[at]).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;
    use crate::polygon::{area, contains, convex_hull};

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    #[test]
    fn a_square() {
        assert_eq!(area(&SQUARE), 4.0);
        assert_eq!(centroid(&SQUARE), [1.0, 1.0]);
        // m (a² + a²)/12 about the centre, plus m r²
        assert!((second_moment(&SQUARE) - (8.0 / 12.0 + 2.0)).abs() < 1e-12);
        assert_eq!(bounding_radius(&SQUARE, [1.0, 1.0]), 2f64.sqrt());
    }

    #[test]
    fn the_border_is_inside() {
        assert!(contains(&SQUARE, [1.0, 1.0]) && contains(&SQUARE, [2.0, 1.0]));
        assert!(!contains(&SQUARE, [2.1, 1.0]) && !contains(&SQUARE[..2], [1.0, 0.0]));
    }

    #[test]
    fn a_hull_omits_inner_collinear_and_repeated_points() {
        let mut points = SQUARE.to_vec();
        points.extend([[1.0, 1.0], [1.0, 0.0], [2.0, 2.0]]);
        assert_eq!(convex_hull(&points), SQUARE);
        assert_eq!(convex_hull(&points[..1]).len(), 1);
    }

    fn ellipse(count: u32, semi_axes: [f64; 2]) -> Vec<[f64; 2]> {
        let corner = |k| {
            let (sin, cos) = libm::sincos(f64::from(k) * TAU / f64::from(count));
            [semi_axes[0] * cos, semi_axes[1] * sin]
        };
        (0..count).map(corner).collect()
    }

    #[test]
    fn a_circle_of_24_corners_is_within_one_per_cent() {
        for count in [30, 100, 1000, 20_000] {
            let circle = ellipse(count, [1.0, 1.0]);
            let simple = simplify_hull(&circle, 24);
            assert_eq!(simple.len(), 24);
            let growth = area(&simple) / area(&circle);
            assert!((1.0..1.01).contains(&growth), "{count}: {growth}");
            let larger: Vec<_> = simple.iter().map(|c| c.map(|v| v * (1.0 + 1e-9))).collect();
            assert!(circle.iter().all(|&point| contains(&larger, point)), "{count}");
        }
    }

    #[test]
    fn simple_polygons_are_kept_and_cheap_corners_are_removed_first() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert_eq!(simplify_hull(&square, 4), square);
        // no edge of a square can be removed
        assert_eq!(simplify_hull(&square, 3), square);
        let bevelled = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.9], [1.9, 2.0], [0.0, 2.0]];
        let simple = simplify_hull(&bevelled, 4);
        assert!((area(&simple) - 4.0).abs() < 1e-12, "{simple:?}");
        assert!(simplify_hull(&[], 4).is_empty());
        assert_eq!(simplify_hull(&[[1.0, 2.0]], 4), [[1.0, 2.0]]);
    }

    #[test]
    fn the_result_stays_convex_and_counter_clockwise() {
        let ellipse = ellipse(500, [3.0, 0.2]);
        let simple = simplify_hull(&ellipse, 8);
        assert_eq!(simple.len(), 8);
        assert_eq!(convex_hull(&simple).len(), 8);
        let exact = PI * 3.0 * 0.2;
        assert!((exact..1.1 * exact).contains(&area(&simple)));
    }
}
