//! Makes a running simulation a set of ROS 2 nodes over zenoh, as the middleware `rmw_zenoh_cpp` has them,
//! without a ROS installation.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod interfaces;
mod services;
mod type_hash;

pub use interfaces::{InterfaceType, MessageType, ServiceType, describe, message_type, names};
pub use services::{Answer, Service};
pub use type_hash::TypeHash;
