//! Rigid bodies in the level plane: free motion, contacts and joints.
//!
//! Before a step every body is given the velocity that results from wheels, damping and ground
//! friction. A body that cannot touch anything moves on its own. A body that may touch something or
//! that has a joint is moved by rapier2d, which solves contacts and joints. No force is stored in
//! rapier, where forces persist until they are reset.
//!
//! | Type | Content |
//! |---|---|
//! | `Physics` | The world: connects the others, and makes a step. |
//! | `Bodies` | States, heights and constants of bodies. |
//! | `Obstacles` | Obstacles that never move, and their search tree. |
//! | `Neighbours` | The search for bodies that may touch something. |
//! | `Solver` | The bodies that rapier moves, and corrections of the result. |
//! | `Counterparts` | rapier's world. |
//! | `MovableBlocks` | Fall and ground friction of blocks. |
//!
//! Copies of a world share the obstacles and the constants of bodies.

mod bodies;
mod body;
mod bounds;
mod counterparts;
mod dispatcher;
mod ejection;
mod height_filter;
mod impact;
mod joints;
mod min_distance;
mod neighbours;
mod overlaps;
mod prescribed;
mod proximity;
mod scenery;
mod separation;
mod solver;
mod state;
mod step;
mod sweep;
mod walls;
mod world;

pub(crate) use bodies::BodySpec;
pub(crate) use body::{Body, BodyState, JointEnd, RigidBody, Surface, rotate_heading};
pub(crate) use ejection::Ejection;
pub use overlaps::Overlaps;
pub(crate) use prescribed::Touching;
pub use proximity::BodySearch;
pub(crate) use scenery::{BodyError, no_area};
pub(crate) use step::MOST_PARTS;
pub(crate) use walls::{Passage, plane_pose, wall_boxes, wall_outline};
pub(crate) use world::Physics;

use std::cmp::Reverse;

use rapier2d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::prelude::*;
use smallvec::SmallVec;

use bodies::Bodies;
use body::BodyMotion;
use neighbours::{MARGIN, Obstacles};

/// Number of pairs that any world can have.
const FEW_PAIRS: usize = 50_000;
/// Further pairs per body. Bodies in a lattice have 4.
const PAIRS_PER_BODY: usize = 4;

impl Crowd {
    /// Returns the crowd among the bodies that are `near` something, if there are too many pairs.
    fn among(bodies: &Bodies, obstacles: &Obstacles, near: &[bool]) -> Option<Self> {
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
///
/// rapier keeps a record for each pair of bodies or obstacles whose bounding boxes overlap, with some 4 kB, and
/// spends about 10 µs per step on it. Their number grows with the square of the number of bodies in one place, so a
/// step with more of them than bodies that stand side by side can have is refused before rapier gets any.
fn contact_bounds(bodies: &Bodies, number: usize) -> Aabb {
    let pose = body::pose(&bodies[number].state);
    bodies.infos[number].shape.compute_aabb(&pose).loosened(MARGIN)
}

/// More pairs than rapier can solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crowd {
    /// Number of the body with the most pairs among those counted.
    pub body: usize,
    /// Its name as messages show it.
    pub name: String,
    /// Number of its pairs that were counted.
    pub pairs: usize,
    /// Greatest number of pairs of all bodies together.
    pub most: usize,
}

impl std::fmt::Display for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, pairs, most, .. } = self;
        write!(
            f,
            "too many bodies overlap: {name} is in at least {pairs} overlapping pairs; expected at most {most} pairs of \
             bounding boxes in this world"
        )
    }
}

/// Advice to a user whose bodies are crowded.
pub(crate) const CROWD_ADVICE: &str = "place the bodies apart, or use fewer of them";

/// A movable block and its friction on the ground.
#[derive(Clone)]
struct SlidingBlock {
    /// Body of the block.
    pub body: Body,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg·m².
    pub inertia: f64,
    /// Mass times friction coefficient, kg.
    pub grip: f64,
    /// Greatest friction force, N.
    pub friction: f64,
    /// Lever of the greatest friction moment, m.
    pub lever: f64,
    /// Linear and angular damping, 1/s.
    pub damping: [f64; 2],
    /// Whether the block keeps its height, whatever is below it.
    pub keeps_height: bool,
    /// Downward speed, m/s.
    pub falling: f64,
    /// Whether the block is in the air, where no friction acts.
    pub is_lifted: bool,
}

impl SlidingBlock {
    /// Applies damping and Coulomb friction on the ground, which can stop a block but not push it.
    pub fn slow_down(&self, body: &mut RigidBody, dt: f64) {
        let state = &mut body.state;
        if state.velocity == [0.0, 0.0] && state.omega == 0.0 {
            return;
        }
        let velocity = state.velocity.map(|v| v / (1.0 + dt * self.damping[0]));
        let omega = state.omega / (1.0 + dt * self.damping[1]);
        let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
        let friction = if self.is_lifted { 0.0 } else { self.friction };
        let slower = (speed - friction / self.mass * dt).max(0.0);
        state.velocity =
            if speed > 0.0 { velocity.map(|v| v * (slower / speed)) } else { velocity };
        let slower = omega.abs() - friction * self.lever / self.inertia * dt;
        state.omega = slower.max(0.0).copysign(omega);
    }
}

/// Tops of bodies. Few bodies lie below one point.
pub(crate) type Roofs = SmallVec<[Roof; 2]>;

/// Top of a body.
#[derive(Clone)]
pub(crate) struct Roof {
    shape: SharedShape,
    pose: Pose,
    /// Height, m, world frame.
    pub height: f64,
}

impl Roof {
    /// Returns whether a point of the world lies above or below the roof.
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        let local = self.pose.inverse_transform_point(Vector::new(x, y));
        self.shape.contains_local_point(local)
    }
}

impl Bodies {
    /// Returns the tops, up to the height `ceiling`, m, of the bodies that `body` may lie above. Blocks
    /// are surfaces of the ground instead.
    pub fn roofs(&self, body: Body, ceiling: f64) -> Roofs {
        let mut roofs = Roofs::new();
        let ([x, y], own_radius) = (self[body.0].centre(), self.infos[body.0].radius);
        for (number, (other, info)) in self.states.iter().zip(&*self.infos).enumerate() {
            let [_, height] = self.heights.now(info.span);
            if number == body.0 || info.motion == BodyMotion::Block || height > ceiling {
                continue;
            }
            let [other_x, other_y] = other.centre();
            let (dx, dy) = (other_x - x, other_y - y);
            let reach = own_radius + info.radius;
            if dx * dx + dy * dy < reach * reach {
                let (shape, pose) = (info.shape.clone(), body::pose(&other.state));
                roofs.push(Roof { shape, pose, height });
            }
        }
        roofs
    }
}

/// Blocks that contacts move, in the order of their bodies.
#[derive(Clone, Default)]
pub(crate) struct MovableBlocks {
    all: Vec<SlidingBlock>,
}

/// A block whose support has to be looked up.
pub(crate) struct FallingBlock {
    /// Body of the block.
    pub body: Body,
    /// Centre of mass, world frame, m.
    pub centre: [f64; 2],
    /// Height of the origin, which stands on the ground, m.
    pub origin: f64,
    /// Downward speed, m/s.
    pub falling: f64,
    /// Whether the block is in the air.
    pub is_lifted: bool,
}

impl MovableBlocks {
    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Applies damping and ground friction to the bodies of all blocks.
    fn slow_down(&self, bodies: &mut Bodies, dt: f64) {
        for block in &self.all {
            block.slow_down(&mut bodies[block.body.0], dt);
        }
    }

    /// Sets the gravity on which the friction of blocks depends, m/s².
    pub fn set_gravity(&mut self, gravity: f64) {
        for block in &mut self.all {
            block.friction = block.grip * gravity;
        }
    }

    /// Returns a block, unless it keeps its height. A block at rest needs no look at the ground
    /// unless `has_moved` says that the ground has moved.
    pub fn falling(&self, index: usize, bodies: &Bodies, has_moved: bool) -> Option<FallingBlock> {
        let SlidingBlock { body, falling, is_lifted, keeps_height, .. } = self.all[index];
        let state = bodies.state(body);
        let rests = state.velocity == [0.0; 2] && state.omega == 0.0;
        if keeps_height || rests && !is_lifted && falling == 0.0 && !has_moved {
            return None;
        }
        let (centre, origin) = (bodies[body.0].centre(), bodies.origin_height(body));
        Some(FallingBlock { body, centre, origin, falling, is_lifted })
    }

    /// Sets the downward speed of a block, m/s, and whether it is in the air. Returns its body.
    pub fn set_falling(&mut self, index: usize, falling: f64, is_lifted: bool) -> Body {
        let block = &mut self.all[index];
        (block.falling, block.is_lifted) = (falling, is_lifted);
        block.body
    }

    /// Ends the fall of a body if it is a block.
    fn stop(&mut self, body: Body) {
        if let Some(index) = self.find(body) {
            self.set_falling(index, 0.0, false);
        }
    }

    /// Gives the block of `body` the downward speed of the block of `old_body` in `old`, if both bodies are blocks.
    fn copy(&mut self, body: Body, old: &Self, old_body: Body) {
        if let (Some(to), Some(from)) = (self.find(body), old.find(old_body)) {
            let SlidingBlock { falling, is_lifted, .. } = old.all[from];
            self.set_falling(to, falling, is_lifted);
        }
    }

    fn find(&self, body: Body) -> Option<usize> {
        self.all.binary_search_by_key(&body.0, |block| block.body.0).ok()
    }
}

#[cfg(test)]
mod tests;
