//! Geometry without behaviour: poses, polygons, mass properties.

mod grid;
mod height_field;
mod mass;
pub mod polygon;
mod pose;

pub use grid::OccupancyGrid;
pub use height_field::HeightField;
pub use mass::MassProperties;
pub use pose::Pose2;
