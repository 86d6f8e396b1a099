//! Makes a running simulation a set of ROS 2 nodes over zenoh, as the middleware `rmw_zenoh_cpp` has them,
//! without a ROS installation.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answers;
mod error;
mod graph;
mod inputs;
mod interfaces;
mod link;
mod messages;
mod names;
mod node;
mod notice;
mod outbox;
mod routes;
mod services;
mod settings;
mod sink;
mod type_hash;
mod wire;

pub use error::Ros2Error;
pub use interfaces::{InterfaceType, MessageType, ServiceType, describe, message_type, names};
pub use link::Link;
pub use node::{Node, Topic};
pub use notice::{Notice, Report};
pub use services::{Answer, ParameterWatch, Service, ServiceDesk, mode_services, services};
pub use settings::{
    NameStyle, Remapping, Ros2Settings, RosDistribution, RouterUse, TransformTopics, domain,
    namespace,
};
pub use sink::Ros2Sink;
pub use type_hash::TypeHash;
pub use wire::{Durability, Qos, Reliability, wall_time};
