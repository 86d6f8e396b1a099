//! Geometry without behaviour: poses, polygons, mass properties.

mod mass;
pub mod polygon;
mod pose;

pub use mass::MassProperties;
pub use pose::Pose2;
