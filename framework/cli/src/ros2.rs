//! Runs as ROS 2 nodes.

mod arguments;
mod nodes;
mod questions;

pub use nodes::Ros2Nodes;
pub use questions::ask;
