//! Geometric types.
//!
//! | Concept | Type or module |
//! |---|---|
//! | Poses in the plane and in space | [`Pose2`], [`Pose3`] |
//! | Polygons: area, convex hull, simplification | [`polygon`] |
//! | Mass, centre of mass and moment of inertia | [`MassProperties`] |
//! | Triangle meshes and their projection onto the plane | [`Mesh`], [`Section`] |
//! | Boxes, cylinders, spheres, ramps and bumps | [`Primitive`] |
//! | Ground | [`HeightField`], [`RoadMap`] |
//! | Positions on Earth in metres | [`Utm`] |
//! | Occupancy grids: contours and ray casting | [`OccupancyGrid`] |
//!
//! Lengths are in m and angles in rad. Transcendental functions come from `libm`, so that results
//! do not depend on the platform. Constructors check numbers that may come from files.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod color_image;
mod grid;
mod height_field;
mod mass;
mod mesh;
pub mod polygon;
mod pose;
mod pose3;
mod primitives;
mod roads;
mod section;
mod utm;

pub use color_image::ColorImage;
pub use grid::{Clearance, GridError, Hit, OccupancyGrid, Segment};
pub use height_field::{Edges, HeightField, HeightFieldError, Kernel, KernelError, Roughness};
pub use mass::MassProperties;
pub use mesh::{Bounds, MAX_COORDINATE, Mesh, MeshError, Skin, SkinPlaces, product};
pub use pose::Pose2;
pub use pose3::{Pose3, Rotation};
pub use primitives::{Primitive, PrimitiveError};
pub use roads::{LanePath, RoadHeight, RoadMap, RoadSpot};
pub use section::Section;
pub use utm::Utm;
