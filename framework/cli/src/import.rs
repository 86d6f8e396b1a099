//! `simhost import`: a robot in URDF or SDF as a vehicle file.

#[cfg(feature = "urdf")]
mod robot;

use std::path::PathBuf;

use clap::Args;

use crate::process::{Code, Failure};

/// Arguments of `simhost import`.
#[derive(Args, Clone, Debug)]
pub struct ImportRobot {
    /// Robot in URDF, or models in SDF.
    pub file: PathBuf,

    /// Vehicle file to write, such as `robot.vehicle.xml`, or for a world in SDF a world, such as `yard.world.xml`.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,

    /// Model to import, if the file has several.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,

    /// Name of the vehicle class [default: the name of the robot].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Folder of a ROS package that `package://` or `model://` names (repeatable). Otherwise it is searched for next to
    /// the file and in the folders above it, by its name or its `package.xml`.
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = crate::arguments::argument)]
    pub packages: Vec<(String, String)>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,
}

/// Writes a vehicle file, and prints what had no effect.
#[cfg(feature = "urdf")]
pub fn import(arguments: &ImportRobot) -> Result<Code, Failure> {
    robot::write(arguments)
}

/// Says that this build reads no robots.
#[cfg(not(feature = "urdf"))]
pub fn import(arguments: &ImportRobot) -> Result<Code, Failure> {
    let file = arguments.file.display();
    let text = format!(
        "{file}: this build of simhost reads no robots\nhelp: build it with the feature `urdf`, or with `full`"
    );
    Err(Failure::new(Code::Usage, text))
}
