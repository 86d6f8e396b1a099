//! Geometry without behaviour.
//!
//! | What | Where |
//! |---|---|
//! | poses in the plane and in space | [`Pose2`], [`Pose3`] |
//! | outlines: area, hull, fewer corners | [`polygon`] |
//! | mass, centre of mass, inertia | [`MassProperties`] |
//! | triangle meshes and what of them matters in the plane | [`Mesh`], [`Section`] |
//! | boxes, cylinders, ramps | [`Primitive`] |
//! | ground | [`HeightField`] |
//! | places on Earth as metres in a zone | [`Utm`] |
//! | maps of cells: their contour, rays through them | [`OccupancyGrid`] |
//!
//! Lengths are in m, angles in rad. Transcendental functions come from `libm`, so that results do not
//! depend on the platform. Whatever is built here from numbers of a file is checked when it is built.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod grid;
mod height_field;
mod mass;
mod mesh;
pub mod polygon;
mod pose;
mod pose3;
mod primitives;
mod section;
mod utm;

pub use grid::{GridError, Hit, OccupancyGrid, Segment};
pub use height_field::{Edges, HeightField, HeightFieldError, Kernel, KernelError};
pub use mass::MassProperties;
pub use mesh::{Bounds, MAX_COORDINATE, Mesh, MeshError};
pub use pose::Pose2;
pub use pose3::{Pose3, Rotation};
pub use primitives::{Primitive, PrimitiveError};
pub use section::Section;
pub use utm::Utm;
