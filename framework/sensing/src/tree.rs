//! A tree of boxes, searched from near to far.
//!
//! Boxes are packed into groups of eight neighbours, and so are the bounds of the groups, up to a single
//! group. A search tests the boxes of a group together: how far and under which
//! bearings they are seen from the origin of a fan. Neither building nor searching allocates once the
//! buffers have grown.

mod walk;

use std::mem::MaybeUninit;

use crate::bearing::{Interval, RayIndex, bearing};

pub(crate) use walk::Walker;

/// Number of boxes in a group.
pub(crate) const WIDTH: usize = 8;
/// Number of boxes that can wait during a search: seven per level, and eleven levels hold 2³² boxes.
const WAITING: usize = WIDTH * 12;
/// Number of times that the groups of moving items are kept before they are chosen again.
const KEPT: usize = 15;
/// Part of the size of a box by which its distance is reduced for rounding errors.
pub(crate) const MARGIN: f64 = 1e-9;

/// An axis-aligned box, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Smallest x and y.
    pub min: [f64; 2],
    /// Largest x and y.
    pub max: [f64; 2],
}

impl Bounds {
    /// A box that contains nothing.
    pub const EMPTY: Self = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    /// Returns the smallest box that contains this one and `other`.
    pub fn union(self, other: Self) -> Self {
        let smaller = |axis: usize| self.min[axis].min(other.min[axis]);
        let larger = |axis: usize| self.max[axis].max(other.max[axis]);
        Self { min: [smaller(0), smaller(1)], max: [larger(0), larger(1)] }
    }
}

/// A box as it is seen from the origin of a fan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// Lower bound of the distance of everything in the box, m.
    pub distance: f64,
    /// Rays that can meet the box.
    pub rays: Interval,
    /// x and y of the sides of the box that face the origin, relative to it and slightly moved
    /// towards it, m; 0 for an axis along which the box contains the origin.
    pub near: [f64; 2],
}

/// The receiver of a search.
pub(crate) trait Visitor {
    /// Returns whether nothing in a box can change the result.
    fn is_hidden(&self, sight: &Sight) -> bool;
    /// Returns whether an item can change the result of this scan.
    fn is_relevant(&mut self, item: usize) -> bool;
    /// Takes a relevant item whose box is not hidden.
    fn visit(&mut self, item: usize, sight: &Sight);
    /// Takes a group of items. Returns the slots of those that have to be visited one by one, as bits.
    #[inline(always)]
    fn visit_group(&mut self, _group: usize) -> u64 {
        u64::MAX
    }
}

/// Eight boxes; unused ones are empty.
#[derive(Clone, Debug)]
struct Group {
    min: [[f64; WIDTH]; 2],
    max: [[f64; WIDTH]; 2],
}

impl Group {
    const EMPTY: Self =
        Self { min: [[f64::INFINITY; WIDTH]; 2], max: [[f64::NEG_INFINITY; WIDTH]; 2] };

    fn set(&mut self, slot: usize, bounds: Bounds) {
        for axis in 0..2 {
            self.min[axis][slot] = bounds.min[axis];
            self.max[axis][slot] = bounds.max[axis];
        }
    }

    fn bounds(&self) -> Bounds {
        let min = |values: &[f64; WIDTH]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = |values: &[f64; WIDTH]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Bounds {
            min: [min(&self.min[0]), min(&self.min[1])],
            max: [max(&self.max[0]), max(&self.max[1])],
        }
    }

    /// Returns distances and intervals of all boxes. Distances of unused ones, and of those that lie between two rays, are
    /// NaN.
    #[inline(always)]
    fn sights(&self, origin: [f64; 2], index: &RayIndex) -> Sights {
        let mut sights = Sights::default();
        for i in 0..WIDTH {
            let (x0, x1) = (self.min[0][i] - origin[0], self.max[0][i] - origin[0]);
            let (y0, y1) = (self.min[1][i] - origin[1], self.max[1][i] - origin[1]);
            let margin = MARGIN * (larger(x0.abs(), x1.abs()) + larger(y0.abs(), y1.abs()));
            let [near_x, near_y] =
                [between_zero(x0 - margin, x1 + margin), between_zero(y0 - margin, y1 + margin)];
            let square = near_x * near_x + near_y * near_y;
            // NaN for an unused box
            sights.distance[i] = square.sqrt() + 0.0 * margin;
            (sights.near[0][i], sights.near[1][i]) = (near_x, near_y);
            // the corners between which the box is seen, clockwise end first
            let beside = if y0 > 0.0 { y0 } else { y1 };
            let y_first = if x1 < 0.0 { y1 } else { beside };
            let y_first = if x0 > 0.0 { y0 } else { y_first };
            let y_last = if x1 < 0.0 { y0 } else { beside };
            let y_last = if x0 > 0.0 { y1 } else { y_last };
            let x_first = if y_first > 0.0 { x1 } else { x0 };
            let x_last = if y_last > 0.0 { x0 } else { x1 };
            let seen = index.between(bearing(x_first, y_first), bearing(x_last, y_last));
            // from inside a box, any ray can meet it
            let low = if square > 0.0 { seen.low } else { Interval::ALL.low };
            let high = if square > 0.0 { seen.high } else { Interval::ALL.high };
            (sights.low[i], sights.high[i]) = (low, high);
            let distance = sights.distance[i];
            let is_met = index.can_meet(Interval { low, high });
            sights.distance[i] = if is_met { distance } else { f64::NAN };
        }
        sights
    }
}

/// Eight boxes as they are seen from the origin of a fan.
#[derive(Default)]
struct Sights {
    distance: [f64; WIDTH],
    low: [f64; WIDTH],
    high: [f64; WIDTH],
    near: [[f64; WIDTH]; 2],
}

impl Sights {
    #[inline(always)]
    fn get(&self, slot: usize) -> Sight {
        let rays = Interval { low: self.low[slot], high: self.high[slot] };
        let near = [self.near[0][slot], self.near[1][slot]];
        Sight { distance: self.distance[slot], rays, near }
    }

    /// Returns the number of boxes within `limit`, m, and their slots from near to far.
    #[inline(always)]
    fn near(&self, limit: f64) -> (usize, [u8; WIDTH]) {
        let (mut key, mut rank, mut slots) = ([0.0; WIDTH], [0u64; WIDTH], [0; WIDTH]);
        let mut count = 0;
        for (i, key) in key.iter_mut().enumerate() {
            // false for an unused box, and for one between two rays
            let is_near = self.distance[i] <= limit;
            let distance = if is_near { self.distance[i] } else { f64::MAX };
            count += u64::from(is_near);
            // numbers that differ
            *key = f64::from_bits(distance.to_bits() & !(WIDTH as u64 - 1) | i as u64);
        }
        for other in key {
            for i in 0..WIDTH {
                rank[i] += u64::from(other < key[i]);
            }
        }
        for (slot, rank) in rank.iter().enumerate() {
            slots[*rank as usize % WIDTH] = slot as u8;
        }
        (count as usize, slots)
    }
}

/// Returns the number of an interval that is nearest to zero.
#[inline(always)]
fn between_zero(low: f64, high: f64) -> f64 {
    let below = if high < 0.0 { high } else { 0.0 };
    if low > 0.0 { low } else { below }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A tree over items that are numbered from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// All levels, the items first.
    groups: Vec<Group>,
    /// Index of the first group of each level.
    levels: Vec<usize>,
    /// Number of each item, group by group.
    order: Vec<u32>,
    /// Centres of the boxes of all items, m.
    centres: Vec<[f64; 2]>,
    /// Number of times that the groups have been kept.
    kept: usize,
}

/// Divides items into parts of the same number, a power of [`WIDTH`], and each part further down to
/// groups: at the median along the longer axis, like a k-d tree (Bentley 1975).
fn divide(items: &mut [u32], part: usize, centres: &[[f64; 2]]) {
    let parts = items.len().div_ceil(part);
    if parts < 2 {
        if part > WIDTH {
            divide(items, part / WIDTH, centres);
        }
        return;
    }
    let points = items.iter().map(|item| centres[*item as usize]);
    let all = points.map(|at| Bounds { min: at, max: at }).fold(Bounds::EMPTY, Bounds::union);
    let axis = usize::from(all.max[1] - all.min[1] > all.max[0] - all.min[0]);
    let place = |item: &u32| centres[*item as usize][axis];
    let half = parts / 2 * part;
    items.select_nth_unstable_by(half, |a, b| place(a).total_cmp(&place(b)));
    let (low, high) = items.split_at_mut(half);
    divide(low, part, centres);
    divide(high, part, centres);
}

impl Tree {
    /// Builds the tree of `count` items with these bounds.
    ///
    /// For the same number of items, the groups of the last time are kept in most calls, because what
    /// moves seldom changes its neighbours. Groups decide how long a search takes, not what it finds.
    pub fn build(&mut self, count: usize, bounds: impl Fn(usize) -> Bounds) {
        if count != self.order.len() || self.kept == KEPT {
            self.arrange(count, &bounds);
            self.kept = 0;
        } else {
            self.kept += 1;
        }
        self.groups.clear();
        self.levels.clear();
        self.levels.push(0);
        for items in self.order.chunks(WIDTH) {
            let mut group = Group::EMPTY;
            for (slot, item) in items.iter().enumerate() {
                group.set(slot, bounds(*item as usize));
            }
            self.groups.push(group);
        }
        let mut first = 0;
        while self.groups.len() - first > 1 {
            let end = self.groups.len();
            self.levels.push(end);
            for start in (first..end).step_by(WIDTH) {
                let mut group = Group::EMPTY;
                for below in start..end.min(start + WIDTH) {
                    group.set(below - start, self.groups[below].bounds());
                }
                self.groups.push(group);
            }
            first = end;
        }
    }

    /// Returns the items of each group of items.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.order.chunks(WIDTH)
    }

    /// Chooses the groups.
    fn arrange(&mut self, count: usize, bounds: &impl Fn(usize) -> Bounds) {
        self.centres.clear();
        self.centres.extend((0..count).map(|item| {
            let Bounds { min, max } = bounds(item);
            [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1])]
        }));
        self.order.clear();
        self.order.extend(0..count as u32);
        let mut part = WIDTH;
        while part * WIDTH < count {
            part *= WIDTH;
        }
        divide(&mut self.order, part, &self.centres);
    }

    /// Visits the items within `limit`, m, roughly from near to far. Returns the number of groups of
    /// boxes that were tested.
    #[inline(always)]
    pub fn search(
        &self,
        origin: [f64; 2],
        index: &RayIndex,
        limit: f64,
        visitor: &mut impl Visitor,
    ) -> usize {
        if self.order.is_empty() {
            return 0;
        }
        let mut groups = 0;
        let whole = Sight { distance: 0.0, rays: Interval::ALL, near: [0.0; 2] };
        let mut waiting = [const { MaybeUninit::uninit() }; WAITING];
        waiting[0].write((self.levels.len() as u32 - 1, 0u32, whole));
        let mut count = 1;
        while count > 0 {
            count -= 1;
            // SAFETY: all places below the count have been written.
            let (level, group, sight) = unsafe { waiting[count].assume_init() };
            if visitor.is_hidden(&sight) {
                continue;
            }
            groups += 1;
            let rest = if level == 0 { visitor.visit_group(group as usize) } else { u64::MAX };
            if rest == 0 {
                continue;
            }
            let at = self.levels[level as usize] + group as usize;
            let sights = self.groups[at].sights(origin, index);
            let first = group as usize * WIDTH;
            let (near, slots) = sights.near(limit);
            if level > 0 {
                for &slot in slots[..near].iter().rev() {
                    let slot = usize::from(slot);
                    waiting[count].write((level - 1, (first + slot) as u32, sights.get(slot)));
                    count += 1;
                }
                continue;
            }
            for &slot in &slots[..near] {
                let (item, sight) = (first + usize::from(slot), &sights.get(usize::from(slot)));
                let item = self.order[item] as usize;
                if rest >> slot & 1 != 0 && visitor.is_relevant(item) && !visitor.is_hidden(sight) {
                    visitor.visit(item, sight);
                }
            }
        }
        groups
    }
}

/// Boxes of a group from near to far.
#[derive(Default)]
struct NearestLeaves {
    slots: [u8; WIDTH],
    distances: [f64; WIDTH],
    count: usize,
}

impl NearestLeaves {
    #[inline(always)]
    fn insert(&mut self, slot: usize, distance: f64) {
        let mut at = self.count;
        while at > 0 && self.distances[at - 1] > distance {
            self.slots[at] = self.slots[at - 1];
            self.distances[at] = self.distances[at - 1];
            at -= 1;
        }
        self.slots[at] = slot as u8;
        self.distances[at] = distance;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bearing::Spread;

    /// Collects all items.
    struct All(Vec<usize>);

    impl Visitor for All {
        fn is_hidden(&self, _: &Sight) -> bool {
            false
        }
        fn is_relevant(&mut self, _: usize) -> bool {
            true
        }
        fn visit(&mut self, item: usize, _: &Sight) {
            self.0.push(item);
        }
    }

    /// Boxes on a square lattice with a spacing of 10 m.
    fn lattice(side: usize) -> Tree {
        let mut tree = Tree::default();
        tree.build(side * side, |item| {
            let at = [(item % side) as f64 * 10.0, (item / side) as f64 * 10.0];
            Bounds { min: at, max: at.map(|value| value + 1.0) }
        });
        tree
    }

    #[test]
    fn a_search_finds_what_is_within_reach() {
        // rays without order, of which any can meet a box
        let index = RayIndex::new(0.0, 3, &Spread::new(&[0.5; 3]));
        for side in [1, 2, 3, 9, 20, 64] {
            let tree = lattice(side);
            for (origin, limit) in [([0.5, 0.5], 14.0), ([55.0, 57.0], 31.0), ([-90.0, 0.0], 100.0)]
            {
                let mut all = All(Vec::new());
                tree.search(origin, &index, limit, &mut all);
                all.0.sort_unstable();
                let expected: Vec<usize> = (0..side * side)
                    .filter(|item| {
                        let away = |value: f64, at: usize| {
                            let low = at as f64 * 10.0;
                            (low - value).max(value - low - 1.0).max(0.0)
                        };
                        let (dx, dy) = (away(origin[0], item % side), away(origin[1], item / side));
                        (dx * dx + dy * dy).sqrt() <= limit
                    })
                    .collect();
                assert_eq!(all.0, expected, "{side} from {origin:?}");
            }
        }
    }

    #[test]
    fn an_empty_tree_has_no_items() {
        let mut tree = lattice(3);
        tree.build(0, |_| Bounds::EMPTY);
        let mut all = All(Vec::new());
        tree.search([0.0; 2], &RayIndex::new(0.0, 1, &Spread::new(&[0.0])), 1e9, &mut all);
        assert!(all.0.is_empty());
    }
}
