//! Rays of one origin, sorted by their directions, so that those within a part of the sphere are found
//! at once.
//!
//! The cells are rows of equal elevation times columns of equal azimuth. The rays of a spinning lidar
//! fall on a lattice with a ray in each cell, and are found as exactly as if they were computed; rays in
//! any other order share cells. Cells select rays and never reach a result.

use crate::bearing::bearing;
use crate::ray_angles::are_same;

/// Number of rays that are computed together.
pub(super) const TILE: usize = 4;
/// Number of parts of the sine of the elevation, from −1 to 1, that are distinguished.
const PARTS: usize = 8192;
/// Largest number of rows of rays that fall on a lattice.
const MAX_ROWS: usize = 512;
/// Number of rows of other rays.
const COARSE_ROWS: usize = 256;
/// Largest number of cells per ray.
const MAX_CELLS: usize = 4;
/// Number of rays up to which more than one pattern is kept.
const KEPT_RAYS: usize = 1 << 19;
/// Smallest distance of neighbouring columns, rad.
const SMALLEST_SPACING: f64 = 1e-5;
/// Bound of the errors of azimuths, rad, and of sines of elevations.
const GUARD: f32 = 4e-6;

/// Neighbouring rays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PatternTile {
    pub x: [f64; TILE],
    pub y: [f64; TILE],
    pub z: [f64; TILE],
}

/// A row of cells.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Smallest and largest sine of the elevation of its rays.
    low: f32,
    high: f32,
}

/// Sorted rays.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    /// Directions of the sorted rays in the sensor frame; zero behind the last one.
    pub directions: Vec<PatternTile>,
    /// Place of each ray among the sorted ones.
    pub places: Vec<u32>,
    rows: Vec<Row>,
    /// Number of columns.
    columns: usize,
    /// First ray of each cell, row by row, and the number of rays.
    starts: Vec<u32>,
    /// Whether each cell has one ray.
    is_full: bool,
    /// First row whose rays are not all below each part of the sine, and number of rows with some
    /// rays that are not above it.
    row_ends: Vec<[u32; 2]>,
    /// Azimuth of column 0, rad; columns per radian; columns per turn.
    first: f32,
    per_radian: f32,
    period: f32,
    /// Half of the width by which intervals of columns are widened.
    guard: f32,
    /// Azimuth, sine of the elevation and cell of each ray.
    azimuths: Vec<f64>,
    sines: Vec<f64>,
    cells: Vec<u32>,
    /// Row of each part of the sine.
    row_of: Vec<u32>,
    /// Azimuths of one row, and their differences.
    gaps: Vec<f64>,
    /// The rays that are sorted.
    last: Vec<[f64; 3]>,
}

/// Sorted rays of the last sensors, or of the last parts of one, the latest first.
#[derive(Debug, Default)]
pub(super) struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Returns rays, which are sorted unless they have been lately.
    #[inline(always)]
    pub fn of(&mut self, directions: &[[f64; 3]]) -> &Pattern {
        let mut at = 0;
        // rays are compared with the instructions of the caller
        while at < self.0.len()
            && !are_same(self.0[at].last.as_flattened(), directions.as_flattened())
        {
            at += 1;
        }
        self.select(at, directions)
    }

    /// Returns the pattern at a place, or sorts rays if there is none.
    fn select(&mut self, at: usize, directions: &[[f64; 3]]) -> &Pattern {
        let Self(patterns) = self;
        let is_known = at < patterns.len();
        let rays: usize = patterns.iter().map(|pattern| pattern.last.len()).sum();
        // the oldest one is replaced
        if !is_known && (patterns.is_empty() || rays + directions.len() <= KEPT_RAYS) {
            patterns.push(Pattern::default());
        }
        let last = patterns.len() - 1;
        patterns[..=at.min(last)].rotate_right(1);
        let latest = &mut patterns[0];
        if !is_known {
            latest.sort(directions);
        }
        latest
    }
}

/// Part of the sphere: azimuths from `low` to `high`, rad, where `high` can exceed π, and sines of the
/// elevation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub azimuths: [f32; 2],
    pub sines: [f32; 2],
}

impl Window {
    /// All directions.
    pub const ALL: Self = Self { azimuths: [f32::NEG_INFINITY, f32::INFINITY], sines: [-2.0, 2.0] };
}

/// Number of windows that are looked up together.
pub(super) const BLOCK: usize = 8;

/// Windows, with the fields of [`Window`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub low: [f32; BLOCK],
    pub high: [f32; BLOCK],
    pub fall: [f32; BLOCK],
    pub rise: [f32; BLOCK],
}

impl Windows {
    pub fn get(&self, at: usize) -> Window {
        Window { azimuths: [self.low[at], self.high[at]], sines: [self.fall[at], self.rise[at]] }
    }
}

/// Rows and columns of a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cells {
    /// First row, and first row behind the last one.
    pub rows: [u32; 2],
    /// First and last column.
    columns: [u32; 2],
    /// Whether these are all columns: the window does not continue after a turn.
    pub is_plain: bool,
}

impl Row {
    /// Returns whether no ray is in the row, which is so between the rows of an image.
    fn is_empty(&self) -> bool {
        self.low > self.high
    }
}

fn part_of(sine: f64) -> usize {
    ((sine + 1.0) * (0.5 * PARTS as f64)).clamp(0.0, (PARTS - 1) as f64) as usize
}

impl Pattern {
    /// Sorts rays.
    fn sort(&mut self, directions: &[[f64; 3]]) {
        self.last.clear();
        self.last.extend_from_slice(directions);
        self.azimuths.clear();
        self.azimuths.extend(directions.iter().map(|[x, y, _]| bearing(*x, *y)));
        self.sines.clear();
        self.sines.extend(directions.iter().map(|[x, y, z]| z / (x * x + y * y + z * z).sqrt()));
        self.find_rows();
        self.find_columns();
        self.fill_cells(directions);
    }

    /// Divides the sines of the elevation into rows.
    fn find_rows(&mut self) {
        let Self { rows, row_of, sines, .. } = self;
        row_of.clear();
        row_of.resize(PARTS, 0);
        sines.iter().for_each(|sine| row_of[part_of(*sine)] = 1);
        let is_used = |part: usize, row_of: &[u32]| row_of[part] != 0;
        let (mut count, mut run) = (0u32, 0);
        for part in 0..PARTS {
            // rays of one row differ by rounding errors, which can put them into two parts
            if !is_used(part, row_of) {
                run = 0;
                row_of[part] = count;
                continue;
            }
            (count, run) = if run == 1 { (count, 2) } else { (count + 1, 1) };
            row_of[part] = count;
        }
        if count as usize > MAX_ROWS {
            let parts = || sines.iter().map(|sine| part_of(*sine));
            let (first, last) = (parts().min().unwrap_or(0), parts().max().unwrap_or(0));
            let span = last - first + 1;
            for (part, row) in row_of.iter_mut().enumerate() {
                let at = part.clamp(first, last) - first;
                *row = 1 + (at * COARSE_ROWS / span) as u32;
            }
            count = COARSE_ROWS as u32;
        }
        rows.clear();
        rows.resize(count as usize, Row { low: f32::INFINITY, high: f32::NEG_INFINITY });
        for sine in sines.iter() {
            let row = &mut rows[row_of[part_of(*sine)] as usize - 1];
            let sine = *sine as f32;
            (row.low, row.high) = (row.low.min(sine), row.high.max(sine));
        }
    }

    /// Divides the azimuths into columns, by the distances of the rays of one row.
    fn find_columns(&mut self) {
        let spacing = self.spacing();
        let finite = || self.azimuths.iter().copied().filter(|azimuth| azimuth.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min).min(4.0);
        let high = finite().fold(f64::NEG_INFINITY, f64::max).max(low);
        let mut spacing = spacing.max(SMALLEST_SPACING);
        let limit = (MAX_CELLS * self.sines.len() / self.rows.len().max(1)).max(1);
        spacing = spacing.max((high - low) / limit as f64);
        let per_radian = 1.0 / spacing;
        self.columns = ((high - low) * per_radian).round() as usize + 1;
        let mut deviation = 0.0f64;
        for azimuth in finite() {
            let at = (azimuth - low) * per_radian;
            deviation = deviation.max((at - at.round()).abs());
        }
        self.first = low as f32;
        self.per_radian = per_radian as f32;
        self.period = (std::f64::consts::TAU * per_radian) as f32;
        // azimuths are numbers of single precision
        self.guard = deviation as f32 + GUARD * self.per_radian + 1e-3 + 1e-6 * self.columns as f32;
    }

    /// Returns the usual distance of neighbouring rays of a row, rad.
    fn spacing(&mut self) -> f64 {
        let Self { gaps, row_of, azimuths, sines, .. } = self;
        let row_at = |sine: f64| row_of[part_of(sine)];
        let Some(middle) = sines.get(sines.len() / 2) else { return 1.0 };
        let row = row_at(*middle);
        let rays = sines.iter().zip(azimuths.iter());
        gaps.clear();
        gaps.extend(rays.filter(|(sine, _)| row_at(**sine) == row).map(|(_, azimuth)| *azimuth));
        gaps.sort_unstable_by(f64::total_cmp);
        for at in 1..gaps.len() {
            gaps[at - 1] = gaps[at] - gaps[at - 1];
        }
        gaps.pop();
        gaps.retain(|gap| *gap > SMALLEST_SPACING);
        if gaps.is_empty() {
            return 1.0;
        }
        let half = gaps.len() / 2;
        let median = *gaps.select_nth_unstable_by(half, f64::total_cmp).1;
        // the mean of the usual gaps is more exact than any one of them
        let usual = gaps.iter().filter(|gap| (*gap - median).abs() < 0.01 * median);
        let (sum, count) = usual.fold((0.0, 0.0), |(sum, count), gap| (sum + gap, count + 1.0));
        sum / count
    }

    /// Sorts the rays by their cells.
    fn fill_cells(&mut self, directions: &[[f64; 3]]) {
        let (first, per_radian) = (f64::from(self.first), f64::from(self.per_radian));
        let (columns, row_of) = (self.columns, &self.row_of);
        let cell = |(sine, azimuth): (&f64, &f64)| {
            let column = ((azimuth - first) * per_radian).round().max(0.0) as usize;
            (row_of[part_of(*sine)] as usize - 1) * columns + column.min(columns - 1)
        };
        self.cells.clear();
        self.cells.extend(self.sines.iter().zip(&self.azimuths).map(|ray| cell(ray) as u32));
        self.starts.clear();
        self.starts.resize(self.rows.len() * columns + 1, 0);
        self.cells.iter().for_each(|cell| self.starts[*cell as usize] += 1);
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.places.clear();
        self.places.resize(directions.len(), 0);
        self.directions.clear();
        self.directions.resize(directions.len().div_ceil(TILE), PatternTile::default());
        for (ray, cell) in self.cells.iter().enumerate().rev() {
            let at = &mut self.starts[*cell as usize];
            *at -= 1;
            let at = *at as usize;
            self.places[ray] = at as u32;
            let tile = &mut self.directions[at / TILE];
            [tile.x[at % TILE], tile.y[at % TILE], tile.z[at % TILE]] = directions[ray];
        }
        self.is_full = (0..).zip(&self.starts).all(|(cell, start)| cell == *start);
        self.find_row_ends();
    }

    fn find_row_ends(&mut self) {
        let Self { rows, row_ends, .. } = self;
        row_ends.clear();
        let (mut first, mut end) = (0, 0);
        for part in 0..PARTS {
            let edge = |part: usize| (part as f64 / (0.5 * PARTS as f64) - 1.0) as f32;
            while first < rows.len() && rows[first].high < edge(part) - GUARD {
                first += 1;
            }
            while end < rows.len()
                && (rows[end].low <= edge(part + 1) + GUARD || rows[end].is_empty())
            {
                end += 1;
            }
            row_ends.push([first as u32, end as u32]);
        }
    }

    /// Returns the cells in windows.
    #[inline(always)]
    pub fn cells(&self, windows: &Windows) -> [Cells; BLOCK] {
        let last = (self.columns - 1) as f32;
        let (mut from, mut to) = ([0.0f32; BLOCK], [0.0f32; BLOCK]);
        let (mut low_part, mut high_part) = ([0i32; BLOCK], [0i32; BLOCK]);
        let mut is_plain = [0u32; BLOCK];
        for i in 0..BLOCK {
            let low = (windows.low[i] - self.first) * self.per_radian - self.guard;
            let high = (windows.high[i] - self.first) * self.per_radian + self.guard;
            let shift = (high / self.period).floor() * self.period;
            // rounding of the shift
            let slack = 1e-6 * shift.abs();
            let (low, high) = (low - shift - slack, high - shift + slack);
            let rises = (high - low < self.period) & (low + self.period > last + 0.5);
            is_plain[i] = u32::from(rises);
            let (ceil, floor) = (low.ceil(), high.floor());
            from[i] = if ceil > 0.0 { ceil } else { 0.0 };
            to[i] = if floor < last { floor } else { last };
            let part = |sine: f32| {
                let part = (sine + 1.0) * (0.5 * PARTS as f32);
                let part = if part > 0.0 { part } else { 0.0 };
                let top = (PARTS - 1) as f32;
                (if part < top { part } else { top }) as i32
            };
            low_part[i] = part(windows.fall[i] - GUARD);
            high_part[i] = part(windows.rise[i] + GUARD);
        }
        let mut cells = [Cells::default(); BLOCK];
        for i in 0..BLOCK {
            let [first_row, _] = self.row_ends[low_part[i] as usize];
            let [_, end_row] = self.row_ends[high_part[i] as usize];
            let rows = [first_row, end_row];
            cells[i] = if is_plain[i] == 0 {
                Cells { rows, columns: [1, 0], is_plain: false }
            } else if from[i] <= to[i] {
                Cells { rows, columns: [from[i] as u32, to[i] as u32], is_plain: true }
            } else {
                Cells { rows: [0, 0], columns: [0, 0], is_plain: true }
            };
        }
        cells
    }

    /// Calls `take` with the first and the last of the sorted rays of each run of rays in cells.
    #[inline(always)]
    pub fn each_run(&self, cells: &Cells, mut take: impl FnMut(usize, usize)) {
        let (from, to) = (cells.columns[0] as usize, cells.columns[1] as usize);
        for row in cells.rows[0] as usize..cells.rows[1] as usize {
            let (first, last) = (row * self.columns + from, row * self.columns + to + 1);
            // a single call, so that it is compiled for the instructions of the caller
            let (start, end) = match self.is_full {
                true => (first, last),
                false => (self.starts[first] as usize, self.starts[last] as usize),
            };
            if start < end {
                take(start, end - 1);
            }
        }
    }

    /// Returns the cells of a window, given those that [`Self::cells`] has found for it.
    #[inline(always)]
    pub fn spans(&self, cells: &Cells, window: &Window) -> Spans {
        match cells.is_plain {
            true => Spans {
                rows: cells.rows,
                low: cells.columns[0] as f32,
                high: cells.columns[1] as f32,
                period: f32::INFINITY,
                last: (self.columns - 1) as f32,
            },
            false => self.spans_of(window),
        }
    }

    /// Returns the cells of a window.
    #[inline(never)]
    pub fn spans_of(&self, window: &Window) -> Spans {
        let [low, high] = window.azimuths;
        let low = (low - self.first) * self.per_radian - self.guard;
        let high = (high - self.first) * self.per_radian + self.guard;
        let last = (self.columns - 1) as f32;
        let part = |sine: f32| part_of(f64::from(sine));
        let [first_row, _] = self.row_ends[part(window.sines[0] - GUARD)];
        let [_, end_row] = self.row_ends[part(window.sines[1] + GUARD)];
        let all =
            Spans { rows: [first_row, end_row], low: 0.0, high: last, period: f32::INFINITY, last };
        // also false for infinite numbers
        let is_part = high - low < self.period;
        if !is_part {
            return all;
        }
        let shift = (high / self.period).floor() * self.period;
        let slack = 1e-6 * shift.abs();
        let (low, high) = (low - shift - slack, high - shift + slack);
        Spans { low, high, period: self.period, ..all }
    }
}

/// Cells of a window: between two columns, and between those one period later, up to the last column.
pub(super) struct Spans {
    rows: [u32; 2],
    low: f32,
    high: f32,
    period: f32,
    last: f32,
}

impl Spans {
    /// Returns the next cells.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Cells> {
        while self.low <= self.last {
            let from = if self.low > 0.0 { self.low.ceil() } else { 0.0 };
            let to = if self.high < self.last { self.high.floor() } else { self.last };
            (self.low, self.high) = (self.low + self.period, self.high + self.period);
            if from <= to {
                let columns = [from as u32, to as u32];
                return Some(Cells { rows: self.rows, columns, is_plain: true });
            }
        }
        None
    }
}
