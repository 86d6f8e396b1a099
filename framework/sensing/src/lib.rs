//! Scans of the scene. Knows outlines and rays, neither vehicles nor worlds.

mod planar;

pub use planar::{Fan, PlanarScene, Visibility};
