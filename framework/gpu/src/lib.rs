//! Scans of triangle scenes with compute shaders, through [wgpu](https://docs.rs/wgpu).
//!
//! A [`Scanner`] holds a [`Scene`] and the ray [`Pattern`]s of sensors on a [`Device`]. Each
//! [`Submission`] names the instances that move and the sensors with their poses; all rays of all
//! sensors are cast in one submission, and the results stay on the device or are read back.
//!
//! ```no_run
//! use simhost_gpu::{Device, Instance, Light, Mesh, Output, Pattern, Pose, Preference};
//! use simhost_gpu::{Scanner, Scene, Sensor, Submission};
//!
//! # fn main() -> Result<(), simhost_gpu::GpuError> {
//! let vertices = vec![[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]];
//! let mesh = Mesh { vertices, triangles: vec![[0, 1, 2]], colours: Vec::new() };
//! let pose = Pose::new([5.0, 0.0, 0.0], 0.0, 0.0, 0.0);
//! let wall = Instance { mesh: 0, pose, scale: [1.0; 3], number: 1, group: None };
//! let scene = Scene { meshes: vec![mesh], fixed: vec![wall] };
//! let ahead = Pattern { directions: vec![[1.0, 0.0, 0.0]] };
//!
//! let device = Device::open(Preference::Require)?;
//! let mut scanner = Scanner::new(device, scene, &[ahead])?;
//! let pose = Pose::new([0.0, 0.0, 0.5], 0.0, 0.0, 0.0);
//! let sensor = Sensor { pattern: 0, pose, near: 0.1, far: 100.0, ignore: None, noise: None };
//! let readings = scanner.scan(&Submission {
//!     movers: &[],
//!     sensors: &[sensor],
//!     output: Output::Ranges,
//!     light: Light::default(),
//! })?;
//! assert_eq!(readings.ranges(0), [5.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Exactness
//!
//! Shaders have 32-bit numbers only. Positions are whole multiples of a power of two, so that the
//! way from a sensor to a corner of a triangle is an exact difference of integers, wherever in the
//! world both are; directions, and everything that is relative to the sensor, have 24 bits.
//! Ranges agree with 64-bit arithmetic within 1e-4 relative, except for rays that hit within 1e-5
//! rad of an edge. Tests compare them with [`reference::Reference`] on Mesa's software Vulkan.

mod adapter;
mod device;
mod error;
mod geometry;
mod lattice;
mod pattern;
mod program;
mod readings;
pub mod reference;
mod scanner;
mod scene;
mod staging;
mod tree;

pub use adapter::{AdapterKind, AdapterSummary, Preference, adapters, choose};
pub use device::Device;
pub use error::GpuError;
pub use readings::{Pixel, Readings, Return};
pub use scanner::{Limits, Scanner};
pub use scene::{
    Instance, Light, Mesh, Output, Pattern, Pose, RangeNoise, Scene, Sensor, Submission,
};
pub use wgpu;
