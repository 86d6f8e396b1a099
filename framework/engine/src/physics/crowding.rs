//! Bound of the pairs that rapier examines.
//!
//! rapier keeps a record for each pair of bodies or obstacles whose bounding boxes overlap, with some 4 kB, and
//! spends about 10 µs per step on it. Their number grows with the square of the number of bodies in one place, so a
//! step with more of them than bodies that stand side by side can have is refused before rapier gets any.

use std::cmp::Reverse;

use rapier2d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};

use super::bodies::Bodies;
use super::body;
use super::crowd::Crowd;
use super::neighbours::MARGIN;
use super::obstacles::Obstacles;

/// Number of pairs that any world can have.
const FEW_PAIRS: usize = 50_000;
/// Further pairs per body. Bodies in a lattice have 4.
const PAIRS_PER_BODY: usize = 4;

impl Crowd {
    /// Returns the crowd among the bodies that are `near` something, if there are too many pairs.
    pub(super) fn among(bodies: &Bodies, obstacles: &Obstacles, near: &[bool]) -> Option<Self> {
        let most = FEW_PAIRS + PAIRS_PER_BODY * bodies.len();
        let is_solved = |number: &usize| near[*number] || bodies.infos[*number].always_solved;
        let count = (0..near.len()).filter(is_solved).count();
        if count.saturating_mul(count / 2 + obstacles.all.len()) <= most {
            return None;
        }
        let numbers: Vec<usize> = (0..near.len()).filter(is_solved).collect();
        let boxes: Vec<Aabb> =
            numbers.iter().map(|number| contact_bounds(bodies, *number)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let (mut left, mut largest) = (most, (0, Reverse(0)));
        for (leaf, (&number, bounds)) in numbers.iter().zip(&boxes).enumerate() {
            let later = tree.intersect_aabb(bounds).filter(|other| *other as usize > leaf);
            let fixed = obstacles.near(bounds).take(left + 1).count();
            let pairs = later.take(left + 1).count() + fixed;
            largest = largest.max((pairs, Reverse(number)));
            left = match left.checked_sub(pairs) {
                Some(left) => left,
                None => {
                    let (pairs, Reverse(body)) = largest;
                    let name = bodies.infos[body].name.clone();
                    return Some(Self { body, name, pairs, most });
                }
            };
        }
        None
    }
}

/// Returns the box of a body within which rapier predicts contacts.
fn contact_bounds(bodies: &Bodies, number: usize) -> Aabb {
    let pose = body::pose(&bodies[number].state);
    bodies.infos[number].shape.compute_aabb(&pose).loosened(MARGIN)
}
