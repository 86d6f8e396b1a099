//! Readers of what world files point to: meshes, images, maps, terrains, point clouds.
//!
//! | Module | From | To |
//! |---|---|---|
//! | [`mesh`] | Collada, STL, OBJ, glTF and GLB, binary FBX | [`simhost_scene::Mesh`], or the lines of it |
//! | [`image`] | PNG, JPEG, BMP, GIF, PNM, TGA, TIFF | grey levels |
//! | [`grid`] | images, ROS `map_server` files, MRPT `.gridmap[.gz]` | [`simhost_scene::OccupancyGrid`] |
//! | [`terrain`] | images, matrix text, DEM text | [`simhost_scene::HeightField`] |
//! | [`cloud`] | rows of numbers | points |
//! | [`matrix`] | matrix text | rows, kernels, transformations |
//!
//! Every reader comes twice: from a path, with errors that name the file, and from bytes. Files are
//! untrusted: what is in them neither panics nor hangs nor takes memory beyond [`Limits`], and sizes
//! are checked before anything is allocated for them.
//!
//! STL, OBJ, glTF, images and YAML are read by libraries. Collada is read on top of an XML library, as
//! the libraries for it ignore `up_axis`, keep one place for a geometry that stands in several, or
//! refuse files that stray from the schema. FBX is read here too, as the library for it can be brought
//! to panic; only positions are taken, which is little.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
mod file;
mod limits;
mod numbers;

pub mod cloud;
pub mod grid;
pub mod image;
pub mod matrix;
pub mod mesh;
pub mod terrain;

pub use error::{AssetError, Problem};
pub use file::open_regular;
pub use limits::Limits;
