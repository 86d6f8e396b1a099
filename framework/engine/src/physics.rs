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

mod blocks;
mod bodies;
mod body;
mod bounds;
mod contacts;
mod continuation;
mod counterparts;
mod crowd;
mod crowding;
mod dispatcher;
mod duplicate;
mod ejection;
mod encounter;
mod error;
mod groups;
mod height_filter;
mod impact;
mod joints;
mod min_distance;
mod neighbours;
mod obstacles;
mod overlaps;
mod prescribed;
mod proximity;
mod roofs;
mod scenery;
mod separation;
mod shape;
mod sliding;
mod solver;
mod state;
mod step;
mod sweep;
mod walls;
mod world;

#[cfg(test)]
mod tests;

pub(crate) use bodies::BodySpec;
pub(crate) use body::{Body, BodyState, JointEnd, RigidBody, Surface, rotate_heading};
pub(crate) use contacts::Touching;
pub(crate) use crowd::{CROWD_ADVICE, Crowd};
pub(crate) use ejection::Ejection;
pub(crate) use error::{BodyError, no_area};
pub use overlaps::Overlaps;
pub use proximity::BodySearch;
pub(crate) use roofs::Roofs;
pub(crate) use step::MOST_PARTS;
pub(crate) use walls::{Passage, plane_pose, wall_boxes, wall_outline};
pub(crate) use world::Physics;
