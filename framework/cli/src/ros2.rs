//! Runs as ROS 2 nodes.

mod arguments;
mod failure;
mod nodes;
mod questions;

pub use nodes::Ros2Nodes;
pub use questions::ask;
