//! Options of `run` for ROS 2.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use simhost_ros2::{NameStyle, RosDistribution, RouterUse, TransformTopics};

use super::Loading;
use super::Models;

/// Options for ROS 2.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "ROS 2")]
pub struct Ros2 {
    /// Make the run a ROS 2 node on the zenoh router at ADDR: tcp/HOST:PORT [default: tcp/localhost:7447]. The run is in
    /// real time unless --clock is given, and without a duration it lasts until it is stopped.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "")]
    pub ros2: Option<String>,

    #[command(flatten)]
    pub node: Ros2Node,
}

/// Options for the ROS 2 node of a run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "ROS 2")]
pub struct Ros2Node {
    /// Whether this process is a router: `auto` (if no other answers), `never` or `only` [default: auto].
    #[arg(long = "ros2-router", value_name = "USE", requires = "ros2", value_parser = named(RouterUse::ALL))]
    pub router: Option<RouterUse>,

    /// Let this process be a router at an address that other machines can reach. They need no token.
    #[arg(long = "ros2-open", requires = "ros2")]
    pub is_open: bool,

    /// Number of the domain [default: ROS_DOMAIN_ID, else 0].
    #[arg(long = "ros2-domain", value_name = "N", requires = "ros2", value_parser = simhost_ros2::domain)]
    pub domain: Option<u32>,

    /// Namespace of the node and its topics, such as /fleet.
    #[arg(long = "ros2-namespace", value_name = "NAME", requires = "ros2", value_parser = simhost_ros2::namespace)]
    pub namespace: Option<String>,

    /// Distribution of the other nodes; `humble` has no hashes of types [default: jazzy].
    #[arg(long = "ros2-distro", value_name = "NAME", requires = "ros2", value_parser = named(RosDistribution::ALL))]
    pub distribution: Option<RosDistribution>,

    /// Names of topics: `mvsim` (as in MVSim's node), `plain` (as in `simhost streams`) or
    /// `autoware` (as in Autoware's simulator) [default: autoware in worlds with the controller
    /// `planning_interface`, else mvsim].
    #[arg(long = "ros2-names", value_name = "STYLE", requires = "ros2", value_parser = named(NameStyle::ALL))]
    pub names: Option<NameStyle>,

    /// Transforms: `common` (on /tf, with frames that have the names of robots) or `per-robot` (on ROBOT/tf, with frames
    /// without them, as Nav2 expects) [default: common].
    #[arg(long = "ros2-tf", value_name = "TOPICS", requires = "ros2", value_parser = named(TransformTopics::ALL))]
    pub transforms: Option<TransformTopics>,

    /// Take velocities as `TwistStamped` instead of `Twist`.
    #[arg(long = "ros2-stamped", requires = "ros2")]
    pub is_stamped: bool,

    /// Leave the transform from `map` to `odom`, and the topics amcl_pose and initialpose, to a localisation.
    #[arg(long = "ros2-no-localization", requires = "ros2")]
    pub has_no_localisation: bool,

    /// Arguments as `ros2 run` takes them, up to the end or `--`: `-r FROM:=TO`, `-p NAME:=VALUE`, `--params-file FILE`.
    #[arg(
        long = "ros-args", value_name = "ARGUMENTS", requires = "ros2", num_args = 0..,
        allow_hyphen_values = true, value_terminator = "--"
    )]
    pub ros_arguments: Vec<String>,
}

/// Arguments of `simhost ros2`.
#[derive(Args, Clone, Debug)]
pub struct AskRos2 {
    #[command(subcommand)]
    pub question: Ros2Question,
}

/// Questions about ROS 2.
#[derive(Clone, Debug, Subcommand)]
pub enum Ros2Question {
    /// List the topics of a world: name, direction, type, quality of service and rate.
    Topics(Box<ListTopics>),
    /// Write the ROS 2 package `simhost_msgs` with simhost's own messages and services, and `simhost_bringup` with launch
    /// files.
    Package(Box<WritePackage>),
}

/// Arguments of `simhost ros2 topics`.
#[derive(Args, Clone, Debug)]
pub struct ListTopics {
    /// World file.
    pub world: PathBuf,

    /// Names of topics, as `run` has them.
    #[arg(long = "ros2-names", value_name = "STYLE", value_parser = named(NameStyle::ALL))]
    pub names: Option<NameStyle>,

    /// Transforms, as `run` has them.
    #[arg(long = "ros2-tf", value_name = "TOPICS", value_parser = named(TransformTopics::ALL))]
    pub transforms: Option<TransformTopics>,

    /// Namespace of the node and its topics, such as /fleet.
    #[arg(long = "ros2-namespace", value_name = "NAME", value_parser = simhost_ros2::namespace)]
    pub namespace: Option<String>,

    /// List velocities as `TwistStamped` instead of `Twist`.
    #[arg(long = "ros2-stamped")]
    pub is_stamped: bool,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Arguments of `simhost ros2 package`.
#[derive(Args, Clone, Debug)]
pub struct WritePackage {
    /// Worlds whose classes define messages, such as sensors.
    pub worlds: Vec<PathBuf>,

    /// Folder of the package `simhost_msgs`.
    #[arg(long, value_name = "DIR", required_unless_present = "bringup")]
    pub out: Option<PathBuf>,

    /// Folder of the package `simhost_bringup`: launch files for the robots of the worlds with Nav2, and for Autoware.
    #[arg(long = "bringup", value_name = "DIR")]
    pub bringup: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Returns the parser of a value that has one of these names.
fn named<T>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err = simhost_ros2::Ros2Error> + Clone + Send + Sync + 'static,
{
    let names = all.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}
