//! Binary trees from the top, with binned surface areas.

use super::bounds::Bounds;

/// Bins per axis.
const BINS: usize = 16;
/// Depth below which nodes are halved by count, which bounds the depth of any tree.
const DEPTH: usize = 40;

struct Item {
    bounds: Bounds,
    centre: [i64; 3],
    index: u32,
}

enum Kind {
    Leaf { first: usize, count: usize },
    Inner { children: [usize; 2] },
}

struct Branch {
    bounds: Bounds,
    kind: Kind,
}

/// A binary tree over boxes.
pub(super) struct Binary {
    branches: Vec<Branch>,
    /// Indices of the boxes in the order of the leaves.
    pub order: Vec<u32>,
    leaf: usize,
}

impl Binary {
    /// Builds a tree with at most `leaf` boxes per leaf.
    pub fn build(boxes: &[Bounds], leaf: usize) -> Self {
        let items = boxes.iter().zip(0..);
        let mut items: Vec<Item> = items
            .map(|(bounds, index)| Item { bounds: *bounds, centre: bounds.centre(), index })
            .collect();
        let mut tree = Self { branches: Vec::new(), order: Vec::new(), leaf };
        if !items.is_empty() {
            tree.grow(&mut items, 0, 0);
        }
        tree.order = items.iter().map(|item| item.index).collect();
        tree
    }

    fn grow(&mut self, items: &mut [Item], first: usize, depth: usize) -> usize {
        let bounds = items.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds));
        let place = self.branches.len();
        let count = items.len();
        self.branches.push(Branch { bounds, kind: Kind::Leaf { first, count } });
        let Some(middle) = split(items, bounds, self.leaf, depth) else { return place };
        let (left, right) = items.split_at_mut(middle);
        let children =
            [self.grow(left, first, depth + 1), self.grow(right, first + middle, depth + 1)];
        self.branches[place].kind = Kind::Inner { children };
        place
    }

    /// Returns the root, unless there are no boxes.
    pub fn root(&self) -> Option<usize> {
        (!self.branches.is_empty()).then_some(0)
    }

    /// Returns the bounds of a node.
    pub fn bounds(&self, node: usize) -> Bounds {
        self.branches[node].bounds
    }

    /// Returns the first place in the order and the number of boxes of a leaf.
    pub fn leaf(&self, node: usize) -> Option<(usize, usize)> {
        match self.branches[node].kind {
            Kind::Leaf { first, count } => Some((first, count)),
            Kind::Inner { .. } => None,
        }
    }

    /// Returns two to four nodes below an inner node, by opening the largest.
    pub fn four_children(&self, node: usize) -> Vec<usize> {
        let mut children = vec![node];
        while children.len() < 4 {
            let inner = |place: &usize| self.leaf(children[*place]).is_none();
            let area = |place: &usize| self.bounds(children[*place]).area();
            let widest = (0..children.len())
                .filter(inner)
                .max_by(|a, b| area(a).total_cmp(&area(b)).then(b.cmp(a)));
            let Some(place) = widest else { break };
            let Kind::Inner { children: [left, right] } = self.branches[children[place]].kind
            else {
                break;
            };
            children[place] = left;
            children.insert(place + 1, right);
        }
        children
    }
}

/// Orders items so that a node can be divided, and returns the place of the division; none for a
/// leaf.
fn split(items: &mut [Item], bounds: Bounds, leaf: usize, depth: usize) -> Option<usize> {
    if items.len() <= 1 {
        return None;
    }
    let best = if depth < DEPTH { best_plane(items) } else { None };
    let Some(plane) = best else {
        if items.len() <= leaf {
            return None;
        }
        let axis = (0..3).max_by_key(|k| i64::from(bounds.max[*k]) - i64::from(bounds.min[*k]))?;
        let middle = items.len() / 2;
        items.select_nth_unstable_by_key(middle, |item| (item.centre[axis], item.index));
        return Some(middle);
    };
    // a box costs about as much as a triangle
    if items.len() <= leaf && plane.cost + bounds.area() >= items.len() as f64 * bounds.area() {
        return None;
    }
    Some(partition(items, |item| plane.bin(item) <= plane.last))
}

/// Moves the items that meet a condition to the front, in a fixed order, and returns their number.
fn partition(items: &mut [Item], front: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for k in 0..items.len() {
        if front(&items[k]) {
            items.swap(count, k);
            count += 1;
        }
    }
    count
}

/// A division of the centres of items along an axis.
struct Plane {
    axis: usize,
    low: i64,
    width: i64,
    /// Last bin of the front.
    last: usize,
    cost: f64,
}

impl Plane {
    fn bin(&self, item: &Item) -> usize {
        let bin = (item.centre[self.axis] - self.low) * BINS as i64 / (self.width + 1);
        bin as usize
    }
}

fn best_plane(items: &[Item]) -> Option<Plane> {
    let planes = (0..3).filter_map(|axis| best_on_axis(items, axis));
    planes.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

fn best_on_axis(items: &[Item], axis: usize) -> Option<Plane> {
    let centres = || items.iter().map(|item| item.centre[axis]);
    let (low, high) = (centres().min()?, centres().max()?);
    if low == high {
        return None;
    }
    let mut plane = Plane { axis, low, width: high - low, last: 0, cost: f64::INFINITY };
    let mut bins = [(Bounds::EMPTY, 0usize); BINS];
    for item in items {
        let (bounds, count) = &mut bins[plane.bin(item)];
        *bounds = bounds.union(item.bounds);
        *count += 1;
    }
    let mut behind = [0.0; BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for bin in (1..BINS).rev() {
        bounds = bounds.union(bins[bin].0);
        count += bins[bin].1;
        behind[bin - 1] = bounds.area() * count as f64;
    }
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for bin in 0..BINS - 1 {
        bounds = bounds.union(bins[bin].0);
        count += bins[bin].1;
        let cost = bounds.area() * count as f64 + behind[bin];
        if cost < plane.cost {
            (plane.last, plane.cost) = (bin, cost);
        }
    }
    Some(plane)
}
