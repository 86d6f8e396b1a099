//! Patterns of rays.

use simhost_scene::Pose2;

/// Outlines that a fan detects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All outlines.
    All,
    /// Only outlines that never move.
    StaticOnly,
}

/// Rays that start at one point.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    /// Origin and heading in the world frame.
    pub origin: Pose2,
    /// Height above the ground, m.
    pub z: f64,
    /// Direction of each ray relative to the heading, rad. Evenly spaced angles are fastest, in either
    /// order and with or without noise.
    pub angles: &'a [f64],
    /// Maximum range, m.
    pub max_range: f64,
    /// Owner whose outlines are ignored.
    pub ignore: Option<u32>,
    /// Outlines that the fan detects.
    pub see: Visibility,
}
