//! Simplification of a convex polygon to a larger one with fewer corners.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::turn;

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
    use super::*;
    use crate::polygon::{area, contains, convex_hull};
    use std::f64::consts::{PI, TAU};

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
