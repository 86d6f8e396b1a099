//! Obstacles that never move, and the search for obstacles in a box.

use std::sync::OnceLock;

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::prelude::*;

use super::body::Surface;

/// An obstacle that never moves.
#[derive(Clone)]
pub(super) struct Obstacle {
    /// Name of the obstacle as messages show it.
    pub name: String,
    pub pose: Pose,
    pub shape: SharedShape,
    /// A cell, if the shape consists of cells.
    pub cell: Option<SharedShape>,
    /// Width at the thinnest, m.
    pub width: f64,
    /// Material of the outline.
    pub surface: Surface,
    /// Index of its height span.
    pub span: usize,
}

/// All obstacles, which do not change after the build.
#[derive(Clone)]
pub(super) struct Obstacles {
    /// In the order in which they were added to the world.
    pub all: Vec<Obstacle>,
    /// Width of the thinnest obstacle, m.
    pub thinnest: f64,
    /// Tree of their bounding boxes, as of the first search.
    tree: OnceLock<Bvh>,
}

impl Default for Obstacles {
    fn default() -> Self {
        Self { all: Vec::new(), thinnest: f64::INFINITY, tree: OnceLock::new() }
    }
}

impl Obstacles {
    /// Adds an obstacle and returns its number.
    pub fn add(&mut self, obstacle: Obstacle) -> usize {
        self.thinnest = self.thinnest.min(obstacle.width);
        self.all.push(obstacle);
        self.tree = OnceLock::new();
        self.all.len() - 1
    }

    /// Returns the obstacles whose bounding boxes intersect `bounds`, with their numbers.
    pub fn near<'a>(&'a self, bounds: &'a Aabb) -> impl Iterator<Item = (usize, &'a Obstacle)> {
        let tree = self.tree.get_or_init(|| {
            let boxes: Vec<Aabb> =
                self.all.iter().map(|one| one.shape.compute_aabb(&one.pose)).collect();
            Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
        });
        let found = tree.intersect_aabb(bounds).map(|number| number as usize);
        found.map(|number| (number, &self.all[number]))
    }
}
