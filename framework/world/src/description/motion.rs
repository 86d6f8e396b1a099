//! What moves by a plan instead of by forces.

use std::sync::Arc;

use super::{Pose, Publish, Visual};
use crate::sources::Span;

/// A motion that repeats for ever.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// Times, rising, s, and poses relative to the pose at the start. The last time is the period.
    pub keyframes: Vec<(f64, Pose)>,
}

/// Someone who walks along a path.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Unique among actors.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// At the start.
    pub pose: Pose,
    /// Keeps the height that its pose gives instead of looking for the ground below.
    pub skip_elevation_adjust: bool,
    /// m/s.
    pub walking_speed: f64,
    /// m/s.
    pub running_speed: f64,
    /// Radius of the body, m.
    pub collision_radius: f64,
    /// Height of the body, m.
    pub collision_height: f64,
    /// Where it goes, one after the other.
    pub path: Vec<Waypoint>,
    /// Begins again at the end of the path.
    pub repeats: bool,
    /// Names of the clips for standing, walking and running.
    pub clips: [String; 3],
    /// A motion that is played instead of the path.
    pub animation: Option<Arc<Animation>>,
    /// Looks.
    pub visuals: Arc<[Visual]>,
    /// What other processes are told.
    pub publish: Option<Arc<Publish>>,
}

/// A place on an actor's path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Where.
    pub pose: Pose,
    /// Wait on arrival, s.
    pub pause: f64,
    /// How to get there.
    pub gait: Gait,
}

/// How an actor moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Not at all: it never arrives.
    Idle,
    /// At the walking speed.
    #[default]
    Walk,
    /// At the running speed.
    Run,
}
