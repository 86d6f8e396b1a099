//! Arguments of `simhost new`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `simhost new`.
#[derive(Args, Clone, Debug)]
pub struct NewWorld {
    /// World file to write, such as `my.world.xml`.
    pub world: PathBuf,

    /// Drive of the robot.
    #[arg(long, value_name = "DRIVE", default_value = "differential")]
    pub robot: Robot,

    /// Occupancy map, a YAML file of ROS [default: four walls].
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `simhost demo`.
#[derive(Args, Clone, Debug)]
pub struct Demo {
    /// Folder for the world, its commands and the output files, which is created.
    #[arg(value_name = "DIR", default_value = "simhost-demo")]
    pub folder: PathBuf,

    /// Show the demo in a browser, where it goes on until it is stopped.
    #[arg(long)]
    pub view: bool,
}

/// Drive of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Robot {
    /// Two driven wheels and casters.
    Differential,
    /// Four driven wheels that do not steer.
    #[value(name = "skid-steer")]
    SkidSteer,
    /// A car with front steering.
    Ackermann,
}
