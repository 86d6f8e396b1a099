//! Scans of a scene: rays against outlines, independent of vehicles and worlds.

mod planar;

pub use planar::{Fan, PlanarScene, Visibility};
