//! Makes a running simulation a set of ROS 2 nodes over zenoh, with the protocol of `rmw_zenoh_cpp`
//! and without a ROS installation.
//!
//! * [`Link`] is the zenoh session of a process, and [`Node`] the node of a run.
//! * [`Ros2Sink`] publishes the streams of a run, and [`topics`] lists them for a world.
//! * [`ServiceDesk`] gives services access to the session.
//! * [`TypeHash`] and [`describe`] compute the hashes of message types that other nodes expect.
//! * [`package()`] and [`bringup`] write packages of messages and of launch files.
//!
//! DDS is not supported. Tests use independent peers that speak the same protocol; none of them is
//! ROS.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answers;
mod error;
mod facilities;
mod graph;
mod inputs;
mod interfaces;
mod link;
mod listing;
mod names;
mod node;
mod notice;
mod outbox;
mod package;
mod robot;
mod routes;
mod services;
mod settings;
mod sink;
mod type_hash;
mod wire;

pub use error::Ros2Error;
pub use facilities::{LogSeverity, NodeFacilities};
pub use interfaces::{InterfaceType, MessageType, ServiceType, describe, message_type, names};
pub use link::Link;
pub use listing::{TopicInfo, topics};
pub use node::{Node, Topic};
pub use notice::{Notice, Report};
pub use package::{bringup, package};
pub use services::{Answer, NodeService};
pub use settings::{
    NameStyle, Remapping, Ros2Settings, RosDistribution, RouterUse, TransformTopics, domain,
    namespace,
};
pub use simhost_services::ServiceDesk;
pub use sink::{NamesInUse, Ros2Sink};
pub use type_hash::TypeHash;
pub use wire::{Durability, Qos, Reliability, wall_time};
