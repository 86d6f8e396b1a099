//! Convex outlines with four corners, eight at a time: walls, boxes and vehicles.
//!
//! All outlines of a group of the tree are compared with the fan together: which edges face the origin, and which rays can
//! meet these. Then each of these edges is intersected. An edge is intersected in less time than it takes to find out
//! whether something hides it.

use super::{BESIDE, END_ON, Outline};
use crate::bearing::{Interval, RayIndex, bearing, ray_of};
use crate::scan::{Fan, Scan};
use crate::tree::WIDTH;

/// Number of edges of a group. The edge after corner `k` of the outline in a slot has the number `k` · [`WIDTH`] + slot.
const EDGES: usize = CORNERS * WIDTH;
/// Number of corners between which the outlines of a group are seen.
const ENDS: usize = 2 * WIDTH;

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

/// First and last rays of two runs for each of `N` places of each outline of a group. Run `r` of place `k` of the outline in
/// a slot has the number (`r` · `N` + `k`) · [`WIDTH`] + slot.
#[derive(Debug)]
struct RayRuns<const N: usize> {
    from: [[Column; N]; 2],
    to: [[Column; N]; 2],
}

impl<const N: usize> RayRuns<N> {
    /// Sets both runs of a place, and returns those with rays as bits, of the outline in slot 0, unless none is wanted.
    #[inline(always)]
    fn set(&mut self, k: usize, slot: usize, runs: [[f64; 2]; 2], is_wanted: bool) -> u64 {
        let mut bits = 0;
        for (run, [from, to]) in runs.into_iter().enumerate() {
            (self.from[run][k][slot], self.to[run][k][slot]) = (from, to);
            bits |= if is_wanted & (from <= to) { 1 << ((run * N + k) * WIDTH) } else { 0 };
        }
        bits
    }

    /// Returns the first and the last ray of a run.
    #[inline(always)]
    fn get(&self, run: usize) -> [f64; 2] {
        [self.from.as_flattened().as_flattened()[run], self.to.as_flattened().as_flattened()[run]]
    }
}

/// Edges of the outlines of a group that face the origin of a fan.
#[derive(Debug)]
pub(super) struct QuadEdges {
    /// Corners relative to the origin, m.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// Rays that can meet the edges, and their runs with rays, as bits.
    rays: RayRuns<CORNERS>,
    runs: u64,
    /// Corners between which an outline is seen, relative to the origin, m.
    end_x: [Column; 2],
    end_y: [Column; 2],
    /// Rays that can be near these corners, and their runs with rays, as bits.
    beside: RayRuns<2>,
    grazed: u64,
}

impl Default for QuadEdges {
    fn default() -> Self {
        let (corners, ends) = ([[0.0; WIDTH]; CORNERS], [[0.0; WIDTH]; 2]);
        Self {
            x: corners,
            y: corners,
            rays: RayRuns { from: [corners; 2], to: [corners; 2] },
            runs: 0,
            end_x: ends,
            end_y: ends,
            beside: RayRuns { from: [ends; 2], to: [ends; 2] },
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
                let rays = index.two_runs(seen.rays(k, index));
                runs[i] |= self.rays.set(k, i, rays, is_met & seen.faces[k]);
                (self.x[k][i], self.y[k][i]) = (seen.x[k], seen.y[k]);
            }
            for (end, corner) in seen.ends().iter().enumerate() {
                let rays = index.two_runs(corner.beside(index));
                others[i] |= self.beside.set(end, i, rays, is_met);
                (self.end_x[end][i], self.end_y[end][i]) = (corner.x, corner.y);
            }
            others[i] |= if is_met { 1 << (2 * ENDS) } else { 0 };
        }
        self.runs = merge(&runs);
        let others = merge(&others);
        self.grazed = others & ((1 << (2 * ENDS)) - 1);
        others >> (2 * ENDS)
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
        let mut runs = self.runs;
        while runs != 0 {
            let run = runs.trailing_zeros() as usize;
            runs &= runs - 1;
            scan.meet_edge(self.ends(run), self.rays.get(run));
        }
    }

    /// Intersects all edges of an outline with the rays near corners, see [`BESIDE`].
    #[inline(always)]
    fn meet_beside(&self, scan: &mut Scan) {
        let mut runs = self.grazed;
        while runs != 0 {
            let run = runs.trailing_zeros() as usize;
            runs &= runs - 1;
            let rays = self.beside.get(run);
            // the guard makes most runs wider than what is beside a corner
            if self.is_beside(run % ENDS, rays, scan) {
                for k in 0..CORNERS {
                    scan.meet_edge(self.ends(k * WIDTH + run % WIDTH), rays);
                }
            }
        }
    }

    /// Returns whether a ray of a run, given by its first and last ray, is near a corner, see
    /// [`BESIDE`].
    #[inline(always)]
    fn is_beside(&self, end: usize, [from, to]: [f64; 2], scan: &Scan) -> bool {
        let (x, y) = (self.end_x.as_flattened()[end], self.end_y.as_flattened()[end]);
        let (mut ray, mut is_beside) = (from, false);
        while ray <= to {
            // SAFETY: the run consists of numbers of rays.
            let [cos, sin] = scan.direction(unsafe { ray_of(ray) });
            is_beside |= (cos * y - sin * x).abs() <= BESIDE * (x.abs() + y.abs());
            ray += 1.0;
        }
        is_beside
    }
}

/// Number of corners.
const CORNERS: usize = 4;

/// Angle up to which a ray can be near a corner, rad. More than √2 times its sine, because the
/// distance of the corner is measured along both axes.
const WIDEST: f64 = 1.5 * BESIDE;

/// An outline as it is seen from the origin of a fan.
struct SeenQuad {
    /// Corners relative to the origin, m.
    pub x: [f64; CORNERS],
    pub y: [f64; CORNERS],
    /// Fractional ray numbers of the corners.
    pub number: [f64; CORNERS],
    /// Whether the edge after each corner faces the origin.
    pub faces: [bool; CORNERS],
    /// Whether the origin is outside, and no edge is seen almost end on.
    pub is_clear: bool,
    /// Whether ray numbers fall from corner to corner along the edges that face the origin.
    pub falls: bool,
}

/// A corner at which the edges that face the origin begin or end.
#[derive(Clone, Copy, Default)]
struct SeenEnd {
    /// Position relative to the origin, m.
    pub x: f64,
    pub y: f64,
    /// Fractional ray number.
    number: f64,
}

impl SeenQuad {
    /// Returns the rays that can meet the edge after a corner.
    #[inline(always)]
    pub fn rays(&self, k: usize, index: &RayIndex) -> Interval {
        let (a, b) = (self.number[k], self.number[(k + 1) % CORNERS]);
        let (low, high) = (if self.falls { b } else { a }, if self.falls { a } else { b });
        index.guarded(low, if high < low { high + index.period } else { high })
    }

    /// Returns the corners between which a clear outline is seen.
    #[inline(always)]
    pub fn ends(&self) -> [SeenEnd; 2] {
        let mut ends = [SeenEnd::default(); 2];
        for k in 0..CORNERS {
            let before = (k + CORNERS - 1) % CORNERS;
            let corner = SeenEnd { x: self.x[k], y: self.y[k], number: self.number[k] };
            ends[0].replace(corner, self.faces[k] & !self.faces[before]);
            ends[1].replace(corner, self.faces[before] & !self.faces[k]);
        }
        ends
    }
}

impl SeenEnd {
    /// Takes another corner if it is an end, without a branch.
    #[inline(always)]
    fn replace(&mut self, corner: Self, is_end: bool) {
        self.x = if is_end { corner.x } else { self.x };
        self.y = if is_end { corner.y } else { self.y };
        self.number = if is_end { corner.number } else { self.number };
    }

    /// Returns the rays that can be near the corner.
    #[inline(always)]
    pub fn beside(&self, index: &RayIndex) -> Interval {
        let width = WIDEST * index.per_radian.abs();
        index.guarded(self.number - width, self.number + width)
    }
}
