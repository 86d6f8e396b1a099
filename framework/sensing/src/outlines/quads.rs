//! Convex outlines with four corners, eight at a time: walls, boxes and vehicles.

use super::{BESIDE, END_ON, Outline};
use crate::bearing::{Interval, RayIndex, bearing};
use crate::fan::Fan;
use crate::scan::Scan;
use crate::tree::WIDTH;

/// Number of corners.
const CORNERS: usize = 4;
/// One number of each outline of a group.
type Column = [f64; WIDTH];

/// Number of edges of a group. Edge `k` of the outline in a slot is number `k` · [`WIDTH`] + slot.
const EDGES: usize = CORNERS * WIDTH;
/// Sine of the angle between a ray and a corner within which `|x| + |y|` makes a ray be beside it.
const WIDEST: f64 = 1.5 * BESIDE;

/// The outlines of a group of the tree.
#[derive(Clone, Debug)]
pub(super) struct Quads {
    /// Corners by edges, m; of no meaning for outlines without winding.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// See [`Outline::winding`]; 0 also for an outline with another number of corners.
    winding: [f64; WIDTH],
    /// The owner.
    owner: [f64; WIDTH],
    heights: [[f64; WIDTH]; 2],
    centre: [[f64; WIDTH]; 2],
    /// NaN for an unused slot.
    radius: [f64; WIDTH],
}

/// What a fan sees of one outline.
struct Seen {
    x: [f64; CORNERS],
    y: [f64; CORNERS],
    /// Fractional ray numbers of the corners.
    number: [f64; CORNERS],
    /// Whether edges face the origin.
    faces: [bool; CORNERS],
    /// Whether the origin is outside, and no edge is seen end on.
    is_clear: bool,
}

impl Quads {
    /// An empty group.
    pub const EMPTY: Self = Self {
        x: [[0.0; WIDTH]; CORNERS],
        y: [[0.0; WIDTH]; CORNERS],
        winding: [0.0; WIDTH],
        owner: [0.0; WIDTH],
        heights: [[0.0; WIDTH]; 2],
        centre: [[0.0; WIDTH]; 2],
        radius: [f64::NAN; WIDTH],
    };

    /// Sets an outline.
    pub fn set(&mut self, slot: usize, outline: &Outline, corners: &[[f64; 2]]) {
        self.owner[slot] = f64::from(outline.owner);
        self.radius[slot] = outline.radius;
        for k in 0..2 {
            self.heights[k][slot] = outline.heights[k];
            self.centre[k][slot] = outline.centre[k];
        }
        if corners.len() == CORNERS {
            self.winding[slot] = outline.winding;
            for (k, [x, y]) in corners.iter().enumerate() {
                (self.x[k][slot], self.y[k][slot]) = (*x, *y);
            }
        }
    }

    /// Returns whether a fan can detect an outline, see [`Outline::is_visible_to`].
    #[inline(always)]
    fn is_visible(&self, slot: usize, fan: &Fan, ignored: f64) -> bool {
        let (dx, dy) = (self.centre[0][slot] - fan.origin.x, self.centre[1][slot] - fan.origin.y);
        let reach = fan.max_range + self.radius[slot];
        (self.owner[slot] != ignored)
            & (self.heights[0][slot] <= fan.z)
            & (fan.z <= self.heights[1][slot])
            & (dx * dx + dy * dy <= reach * reach)
    }

    #[inline(always)]
    fn see(&self, slot: usize, origin: [f64; 2], index: &RayIndex) -> Seen {
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
        Seen { x, y, number, faces, is_clear }
    }

    /// Projects the outlines into the scan of a fine fan.
    ///
    /// Returns the slots of the others that the fan can detect, as bits.
    #[inline(always)]
    pub fn project(&self, fan: &Fan, scan: &Scan, edges: &mut QuadEdges) {
        let (index, origin) = (scan.index, scan.origin);
        let fan = &Fan { angles: &[], ..*fan };
        let ignored = fan.ignore.map_or(-1.0, f64::from);
        edges.runs = 0;
        let turns = 1f64.copysign(index.per_radian);
        let beside = WIDEST * index.per_radian.abs();
        let (mut runs, mut others) = ([0u64; WIDTH], [0u64; WIDTH]);
        for i in 0..WIDTH {
            let seen = self.see(i, origin, &index);
            let rises = self.winding[i] * turns > 0.0;
            let (mut start, mut end) = (0.0, 0.0);
            let is_visible = self.is_visible(i, fan, ignored);
            let is_met = is_visible & seen.is_clear;
            for k in 0..CORNERS {
                let (next, before) = ((k + 1) % CORNERS, (k + 3) % CORNERS);
                start = if seen.faces[k] & !seen.faces[before] { seen.number[k] } else { start };
                end = if seen.faces[k] & !seen.faces[next] { seen.number[next] } else { end };
                let ends = [seen.number[k], seen.number[next]];
                let low = if rises { ends[1] } else { ends[0] };
                let high = if rises { ends[0] } else { ends[1] };
                let high = if high < low { high + index.period } else { high };
                let [first, second] = index.two_runs(index.guarded(low, high));
                let is_met = is_met & seen.faces[k];
                let is_first = is_met & (first[0] <= first[1]);
                let is_second = is_met & (second[0] <= second[1]);
                runs[i] |= if is_first { 1 << (k * WIDTH) } else { 0 };
                runs[i] |= if is_second { 1 << (EDGES + k * WIDTH) } else { 0 };
                (edges.from[0][k][i], edges.to[0][k][i]) = (first[0], first[1]);
                (edges.from[1][k][i], edges.to[1][k][i]) = (second[0], second[1]);
                (edges.x[k][i], edges.y[k][i]) = (seen.x[k], seen.y[k]);
            }
            let start = index.guarded(start - beside, start + beside);
            let end = index.guarded(end - beside, end + beside);
            (edges.start[0][i], edges.start[1][i]) = (start.low, start.high);
            (edges.end[0][i], edges.end[1][i]) = (end.low, end.high);
            let is_beside = is_met & (index.can_meet(start) | index.can_meet(end));
            others[i] |= if is_beside { 1 } else { 0 };
            others[i] |= if is_visible & !seen.is_clear { 1 << 8 } else { 0 };
        }
        let mut other = 0;
        for i in 0..WIDTH {
            edges.runs |= runs[i] << i;
            other |= others[i] << i;
        }
        edges.beside = other & 255;
        edges.rest = other >> 8;
    }
}

/// Edges of the outlines of a group that face the origin of a fan.
#[derive(Debug)]
pub(super) struct QuadEdges {
    /// Corners relative to the origin, m.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// First and last rays of both runs of rays that can meet an edge.
    from: [[Column; CORNERS]; 2],
    to: [[Column; CORNERS]; 2],
    /// Runs that are not empty, as bits.
    runs: u64,
    /// Rays beside the corners between which an outline is seen.
    start: [[f64; WIDTH]; 2],
    end: [[f64; WIDTH]; 2],
    /// Slots with rays beside these corners, as bits.
    beside: u64,
    /// Slots of visible outlines that are not clear, as bits.
    pub rest: u64,
}

impl Default for QuadEdges {
    fn default() -> Self {
        let column = [0.0; WIDTH];
        Self {
            x: [column; CORNERS],
            y: [column; CORNERS],
            from: [[column; CORNERS]; 2],
            to: [[column; CORNERS]; 2],
            runs: 0,
            start: [column; 2],
            end: [column; 2],
            beside: 0,
            rest: 0,
        }
    }
}

impl QuadEdges {
    /// Intersects the edges with the rays of a scan. Returns the slots of the visible outlines that are not clear, as bits.
    #[inline(always)]
    pub fn meet(&self, scan: &mut Scan) -> u64 {
        let [x, y] = [self.x.as_flattened(), self.y.as_flattened()];
        let [from, to] = [&self.from, &self.to].map(|ray| ray.as_flattened().as_flattened());
        let ends = |edge: usize| {
            let (a, b) = (edge % EDGES, (edge + WIDTH) % EDGES);
            [[x[a], y[a]], [x[b], y[b]]]
        };
        let mut runs = self.runs;
        while runs != 0 {
            let run = runs.trailing_zeros() as usize;
            runs &= runs - 1;
            scan.meet_edge(ends(run), [from[run], to[run]]);
        }
        let mut slots = self.beside;
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            for [low, high] in [self.start, self.end] {
                let rays = Interval { low: low[slot], high: high[slot] };
                for [from, to] in scan.index.two_runs(rays) {
                    if from <= to {
                        for k in 0..CORNERS {
                            scan.meet_edge(ends(k * WIDTH + slot), [from, to]);
                        }
                    }
                }
            }
        }
        let slots = self.runs | self.runs >> EDGES;
        let slots = slots | slots >> (2 * WIDTH);
        scan.work.candidates += ((slots | slots >> WIDTH) & 255).count_ones() as usize;
        self.rest
    }
}
