//! Readers of the files that a world refers to: meshes, images, maps, terrains and point clouds.
//!
//! | Module | Input | Output |
//! |---|---|---|
//! | [`mesh`] | Collada, STL, OBJ, glTF and GLB, binary FBX | [`simhost_scene::Mesh`] or its lines |
//! | [`image`] | PNG, JPEG, BMP, GIF, PNM, TGA, TIFF | grey levels |
//! | [`grid`] | images, ROS `map_server` files, MRPT `.gridmap[.gz]` | [`simhost_scene::OccupancyGrid`] |
//! | [`terrain`] | images, matrices as text, DEM text | [`simhost_scene::HeightField`] |
//! | [`crg`] | OpenCRG | [`simhost_scene::HeightField`] |
//! | [`cloud`] | rows of numbers | points |
//! | [`ros_parameters`] | files of parameters of ROS nodes | names and values |
//! | [`matrix`] | matrices as text | matrices, kernels, transformations |
//!
//! Each reader has two forms: one reads a path and reports errors with the file name, the other
//! reads bytes. Files are untrusted: no content causes a panic, an endless loop or memory use
//! beyond [`Limits`], and sizes are checked before memory is allocated.
//!
//! Libraries read STL, OBJ, glTF, images and YAML. Collada is parsed here from XML events, because
//! existing libraries ignore `up_axis`, support only one instance of a geometry, or reject files
//! that deviate from the schema. Binary FBX is parsed here as well, because the existing library
//! panics on some files and only positions are needed.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
mod file;
mod numbers;

pub mod cloud;
pub mod crg;
pub mod grid;
pub mod image;
pub mod matrix;
pub mod mesh;
pub mod ros_parameters;
pub mod terrain;

pub use error::{AssetError, Limits, Problem};
pub use file::open_regular;
