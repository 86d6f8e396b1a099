//! Convex outlines with four corners, eight at a time: walls, boxes and vehicles.
//!
//! All outlines of a group of the tree are compared with the fan together: which edges face the origin, and which rays can
//! meet these. Then each of these edges is intersected. An edge is intersected in less time than it takes to find out
//! whether something hides it.

use super::{BESIDE, END_ON, Outline};
use crate::bearing::{Interval, RayIndex, bearing};
use crate::fan::Fan;
use crate::scan::Scan;
use crate::tree::WIDTH;

/// Number of corners.
const CORNERS: usize = 4;
/// Number of edges of a group. The edge after corner `k` of the outline in a slot has the number `k` · [`WIDTH`] + slot.
const EDGES: usize = CORNERS * WIDTH;
/// Angle up to which a ray can be beside a corner, rad. More than √2 times its sine, because the distance of the corner is
/// measured along both axes.
const WIDEST: f64 = 1.5 * BESIDE;

/// One number of each outline of a group.
type Column = [f64; WIDTH];

/// The outlines of a group of the tree.
#[derive(Clone, Debug)]
pub(super) struct Quads {
    /// Corners, m; zero for an outline with another number of corners.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// See [`Outline`]; zero for an outline with another number of corners.
    winding: Column,
    owner: Column,
    heights: [Column; 2],
    centre: [Column; 2],
    /// NaN for an unused slot.
    radius: Column,
    /// Slots of outlines with a winding, as bits.
    wound: u64,
}

impl Quads {
    /// A group without outlines.
    pub const EMPTY: Self = Self {
        x: [[0.0; WIDTH]; CORNERS],
        y: [[0.0; WIDTH]; CORNERS],
        winding: [0.0; WIDTH],
        owner: [0.0; WIDTH],
        heights: [[0.0; WIDTH]; 2],
        centre: [[0.0; WIDTH]; 2],
        radius: [f64::NAN; WIDTH],
        wound: 0,
    };

    /// Sets an outline.
    pub fn set(&mut self, slot: usize, outline: &Outline, corners: &[[f64; 2]]) {
        self.owner[slot] = f64::from(outline.owner);
        self.radius[slot] = outline.radius;
        for k in 0..2 {
            self.heights[k][slot] = outline.heights[k];
            self.centre[k][slot] = outline.centre[k];
        }
        if corners.len() == CORNERS && outline.winding != 0.0 {
            self.wound |= 1 << slot;
            self.winding[slot] = outline.winding;
            for (k, [x, y]) in corners.iter().enumerate() {
                (self.x[k][slot], self.y[k][slot]) = (*x, *y);
            }
        }
    }

    /// Returns the slots of the outlines that a fan can detect, as bits, see [`Outline::is_visible_to`].
    #[inline(always)]
    fn visible_to(&self, fan: &Fan) -> u64 {
        let Fan { origin, z, max_range, .. } = *fan;
        let ignored = fan.ignore.map_or(-1.0, f64::from);
        let mut visible = 0;
        for i in 0..WIDTH {
            let (dx, dy) = (self.centre[0][i] - origin.x, self.centre[1][i] - origin.y);
            let reach = max_range + self.radius[i];
            let is_visible = (self.owner[i] != ignored)
                & (self.heights[0][i] <= z)
                & (z <= self.heights[1][i])
                & (dx * dx + dy * dy <= reach * reach);
            visible |= u64::from(is_visible) << i;
        }
        visible
    }

    /// Looks at the outline in a slot.
    #[inline(always)]
    fn see(&self, slot: usize, origin: [f64; 2], index: &RayIndex) -> SeenQuad {
        let (mut x, mut y) = ([0.0; CORNERS], [0.0; CORNERS]);
        let (mut square, mut number) = ([0.0; CORNERS], [0.0; CORNERS]);
        for k in 0..CORNERS {
            x[k] = self.x[k][slot] - origin[0];
            y[k] = self.y[k][slot] - origin[1];
            square[k] = x[k] * x[k] + y[k] * y[k];
            number[k] = index.number(bearing(x[k], y[k]));
        }
        let (mut faces, mut is_clear) = ([false; CORNERS], true);
        for k in 0..CORNERS {
            let next = (k + 1) % CORNERS;
            let cross = self.winding[slot] * (x[k] * y[next] - y[k] * x[next]);
            is_clear &= cross * cross > END_ON * END_ON * square[k] * square[next];
            faces[k] = cross < 0.0;
        }
        is_clear &= faces[0] | faces[1] | faces[2] | faces[3];
        SeenQuad {
            x,
            y,
            number,
            faces,
            is_clear,
            falls: self.winding[slot] * index.per_radian > 0.0,
        }
    }
}

/// Returns the bits of all slots, each shifted by the number of its slot.
#[inline(always)]
fn merge(bits: &[u64; WIDTH]) -> u64 {
    let mut all = 0;
    for (slot, bits) in bits.iter().enumerate() {
        all |= bits << slot;
    }
    all
}

/// An outline as it is seen from the origin of a fan.
struct SeenQuad {
    /// Corners relative to the origin, m.
    x: [f64; CORNERS],
    y: [f64; CORNERS],
    /// Fractional ray numbers of the corners.
    number: [f64; CORNERS],
    /// Whether the edge after each corner faces the origin.
    faces: [bool; CORNERS],
    /// Whether the origin is outside, and no edge is seen almost end on.
    is_clear: bool,
    /// Whether ray numbers fall from corner to corner along the edges that face the origin.
    falls: bool,
}

impl SeenQuad {
    /// Returns the rays that can meet the edge after a corner.
    #[inline(always)]
    fn rays(&self, k: usize, index: &RayIndex) -> Interval {
        let (a, b) = (self.number[k], self.number[(k + 1) % CORNERS]);
        let (low, high) = (if self.falls { b } else { a }, if self.falls { a } else { b });
        index.guarded(low, if high < low { high + index.period } else { high })
    }

    /// Returns the rays that can be beside the corners between which a clear outline is seen.
    #[inline(always)]
    fn beside(&self, index: &RayIndex) -> [Interval; 2] {
        let (mut start, mut end) = (0.0, 0.0);
        for k in 0..CORNERS {
            let (next, before) = ((k + 1) % CORNERS, (k + CORNERS - 1) % CORNERS);
            start = if self.faces[k] & !self.faces[before] { self.number[k] } else { start };
            end = if self.faces[k] & !self.faces[next] { self.number[next] } else { end };
        }
        let width = WIDEST * index.per_radian.abs();
        [index.guarded(start - width, start + width), index.guarded(end - width, end + width)]
    }
}

/// Edges of the outlines of a group that face the origin of a fan.
#[derive(Debug)]
pub(super) struct QuadEdges {
    /// Corners relative to the origin, m.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// First and last rays of the first and of the second run of rays that can meet an edge.
    from: [[Column; CORNERS]; 2],
    to: [[Column; CORNERS]; 2],
    /// Runs with rays, as bits.
    runs: u64,
    /// Lower and upper ends of the intervals of rays that can be beside both corners between which an outline is seen.
    beside: [[Column; 2]; 2],
    /// Slots of outlines with such rays, as bits.
    grazed: u64,
}

impl Default for QuadEdges {
    fn default() -> Self {
        let corners = [[0.0; WIDTH]; CORNERS];
        Self {
            x: corners,
            y: corners,
            from: [corners; 2],
            to: [corners; 2],
            runs: 0,
            beside: [[[0.0; WIDTH]; 2]; 2],
            grazed: 0,
        }
    }
}

impl QuadEdges {
    /// Projects the outlines of a group into the scan of a fine fan. Returns the slots of the visible ones that it leaves
    /// out, as bits: they are not convex, have another number of corners, or are not clear.
    #[inline(always)]
    pub fn project(&mut self, quads: &Quads, fan: &Fan, scan: &mut Scan) -> u64 {
        let visible = quads.visible_to(fan);
        if visible & quads.wound == 0 {
            return visible;
        }
        let clear = self.find(quads, visible, scan.origin, scan.index);
        scan.work.candidates += clear.count_ones() as usize;
        self.meet(scan);
        self.meet_beside(scan);
        visible & !clear
    }

    /// Finds the edges of visible outlines that face the origin. Returns the slots of the visible outlines that are clear.
    #[inline(always)]
    fn find(&mut self, quads: &Quads, visible: u64, origin: [f64; 2], index: RayIndex) -> u64 {
        // a copy, which no store below can change, so that the loop is vectorised
        let index = &index;
        let (mut runs, mut others) = ([0; WIDTH], [0; WIDTH]);
        for i in 0..WIDTH {
            let seen = quads.see(i, origin, index);
            let is_met = seen.is_clear & (visible >> i & 1 != 0);
            for k in 0..CORNERS {
                let [first, second] = index.two_runs(seen.rays(k, index));
                let is_met = is_met & seen.faces[k];
                let bits = [1 << (k * WIDTH), 1 << (EDGES + k * WIDTH)];
                runs[i] |= if is_met & (first[0] <= first[1]) { bits[0] } else { 0 };
                runs[i] |= if is_met & (second[0] <= second[1]) { bits[1] } else { 0 };
                (self.from[0][k][i], self.to[0][k][i]) = (first[0], first[1]);
                (self.from[1][k][i], self.to[1][k][i]) = (second[0], second[1]);
                (self.x[k][i], self.y[k][i]) = (seen.x[k], seen.y[k]);
            }
            let beside = seen.beside(index);
            let is_grazed = index.can_meet(beside[0]) | index.can_meet(beside[1]);
            others[i] |= if is_met & is_grazed { 1 } else { 0 };
            others[i] |= if is_met { 1 << WIDTH } else { 0 };
            for (ends, rays) in self.beside.iter_mut().zip(beside) {
                (ends[0][i], ends[1][i]) = (rays.low, rays.high);
            }
        }
        self.runs = merge(&runs);
        let others = merge(&others);
        self.grazed = others & 0xff;
        others >> WIDTH
    }

    /// Returns the ends of an edge relative to the origin, m.
    #[inline(always)]
    fn ends(&self, edge: usize) -> [[f64; 2]; 2] {
        let [x, y] = [self.x.as_flattened(), self.y.as_flattened()];
        let (a, b) = (edge % EDGES, (edge + WIDTH) % EDGES);
        [[x[a], y[a]], [x[b], y[b]]]
    }

    /// Intersects the edges with the rays that can meet them.
    #[inline(always)]
    fn meet(&self, scan: &mut Scan) {
        let from = self.from.as_flattened().as_flattened();
        let to = self.to.as_flattened().as_flattened();
        let mut runs = self.runs;
        while runs != 0 {
            let run = runs.trailing_zeros() as usize;
            runs &= runs - 1;
            scan.meet_edge(self.ends(run), [from[run], to[run]]);
        }
    }

    /// Intersects all edges of an outline with the rays beside corners, see [`BESIDE`].
    #[inline(always)]
    fn meet_beside(&self, scan: &mut Scan) {
        let mut slots = self.grazed;
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            // both intervals, both of their runs, and all edges
            for at in 0..4 * CORNERS {
                let [low, high] = self.beside[at & 1];
                let rays = Interval { low: low[slot], high: high[slot] };
                let [from, to] = scan.index.two_runs(rays)[at >> 1 & 1];
                if from <= to {
                    scan.meet_edge(self.ends((at >> 2) * WIDTH + slot), [from, to]);
                }
            }
        }
    }
}
