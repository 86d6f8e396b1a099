//! Search for the surfaces near a point.

use rapier2d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use smallvec::SmallVec;

/// Numbers of surfaces. Longer lists are allocated.
pub(super) type SurfaceNumbers = SmallVec<[u32; 32]>;

/// Tree of bounding boxes of surfaces, which can move.
#[derive(Clone, Default)]
pub(super) struct SurfaceTree {
    /// Numbers of the surfaces, ascending.
    numbers: Vec<usize>,
    /// Box of each surface.
    boxes: Vec<Aabb>,
    /// Tree over the indices of the boxes.
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl SurfaceTree {
    /// Creates the tree of surfaces with these numbers, ascending, and boxes.
    pub fn new(numbers: Vec<usize>, boxes: Vec<Aabb>) -> Self {
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        Self { numbers, boxes, tree, workspace: BvhWorkspace::default() }
    }

    /// Gives surfaces new boxes. `moved` returns the box of a surface with this number, or `None` if it
    /// has not moved. Allocates nothing in the long run.
    pub fn update(&mut self, mut moved: impl FnMut(usize) -> Option<Aabb>) {
        let mut any = false;
        for (index, number) in self.numbers.iter().enumerate() {
            let Some(bounds) = moved(*number) else { continue };
            self.boxes[index] = bounds;
            self.tree.insert_or_update_partially(bounds, index as u32, 0.0);
            any = true;
        }
        if any {
            self.tree.refit(&mut self.workspace);
            self.tree.optimize_incremental(&mut self.workspace);
        }
    }

    /// Appends the numbers of the surfaces whose boxes intersect `around`, in the order of the tree.
    pub fn add_near(&self, around: &Aabb, found: &mut SurfaceNumbers) {
        for index in self.tree.intersect_aabb(around) {
            work::count();
            let index = index as usize;
            if self.boxes[index].intersects(around) {
                found.push(self.numbers[index] as u32);
            }
        }
    }

    /// Appends the numbers of the surfaces whose boxes intersect `around`, in ascending order.
    pub fn add_near_ascending(&self, around: &Aabb, found: &mut SurfaceNumbers) {
        let first = found.len();
        self.add_near(around, found);
        found[first..].sort_unstable();
    }
}

/// Counts the surfaces that are examined, in tests.
mod work {
    crate::count_work!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier2d_f64::prelude::Vector;

    /// A box of 1 m at a place that depends on its number and the time.
    fn at(number: usize, time: usize) -> Aabb {
        let (column, row) = ((number % 40) as f64, (number / 40) as f64);
        let shift = if number.is_multiple_of(3) { 0.7 * (time * number % 11) as f64 } else { 0.0 };
        Aabb::from_half_extents(Vector::new(2.0 * column + shift, 2.0 * row), Vector::splat(0.5))
    }

    fn tree(count: usize) -> SurfaceTree {
        SurfaceTree::new((0..count).collect(), (0..count).map(|number| at(number, 0)).collect())
    }

    #[test]
    fn moved_surfaces_are_found_as_by_brute_force() {
        let mut tree = tree(400);
        for time in 0..20 {
            tree.update(|number| number.is_multiple_of(3).then(|| at(number, time)));
            for query in 0..50 {
                let place = Vector::new(1.7 * query as f64, 0.3 * query as f64);
                let around = Aabb::from_half_extents(place, Vector::splat(1.0));
                let mut found = SurfaceNumbers::new();
                tree.add_near_ascending(&around, &mut found);
                let all = (0..400).filter(|number| at(*number, time).intersects(&around));
                let all: Vec<u32> = all.map(|number| number as u32).collect();
                assert_eq!(found.as_slice(), all, "time {time}, query {query}");
            }
        }
    }

    #[test]
    fn the_work_grows_with_the_number_of_queries_not_of_surfaces() {
        let examined = [1000, 2000, 4000].map(|count| {
            let mut tree = tree(count);
            for time in 0..30 {
                tree.update(|number| Some(at(number, time)));
            }
            work::take_count();
            for number in 0..count {
                tree.add_near(&at(number, 29), &mut SurfaceNumbers::new());
            }
            work::take_count()
        });
        assert!(
            examined[1] < 3 * examined[0] && examined[2] < 3 * examined[1],
            "{examined:?} surfaces examined by 1,000, 2,000 and 4,000 queries"
        );
    }
}
