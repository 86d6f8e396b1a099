//! Makes a running simulation a set of ROS 2 nodes over zenoh, as the middleware `rmw_zenoh_cpp` has them,
//! without a ROS installation.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod type_hash;

pub use type_hash::TypeHash;
