//! Runs as ROS 2 nodes.

#[cfg(feature = "ros2")]
mod arguments;
#[cfg(feature = "ros2")]
mod nodes;
#[cfg(feature = "ros2")]
mod questions;
#[cfg(feature = "ros2")]
mod services;
#[cfg(feature = "ros2")]
pub use nodes::Ros2Nodes;
#[cfg(feature = "ros2")]
pub use questions::ask;

#[cfg(not(feature = "ros2"))]
mod missing;
#[cfg(not(feature = "ros2"))]
pub use missing::{Ros2Nodes, ask};
