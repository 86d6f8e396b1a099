//! Options of a program that is built without ROS 2.

use clap::Args;

/// Options for ROS 2.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "ROS 2")]
pub struct Ros2 {
    /// Make the run a ROS 2 node [needs a build with the feature `ros2`].
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "")]
    pub ros2: Option<String>,
}

/// Arguments of `simhost ros2`.
#[derive(Args, Clone, Debug)]
pub struct AskRos2 {
    /// Words for a build with the feature `ros2`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// Description of `simhost ros2`.
pub const UNAVAILABLE: &str =
    "List the ROS 2 topics of a world [needs a build with the feature `ros2`]";
