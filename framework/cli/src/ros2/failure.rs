//! Failures of nodes.

use simhost_ros2::Ros2Error;

use crate::exit::{Code, Failure};

/// Returns the failure of a node that does not start.
pub(super) fn failure(error: Ros2Error) -> Failure {
    let help = match &error {
        Ros2Error::Address { found } if found.ends_with(".xml") => {
            "help: put the world before --ros2, or write `--ros2=`"
        }
        Ros2Error::Address { .. } => "help: give tcp/HOST:PORT, such as --ros2 tcp/localhost:7447",
        Ros2Error::Open { .. } => {
            "help: add --ros2-open if every machine of the network may control it, or omit the address"
        }
        Ros2Error::NoRouter { .. } => {
            "help: start a router, such as `ros2 run rmw_zenoh_cpp rmw_zenohd`, or omit --ros2-router never"
        }
        Ros2Error::Taken { .. } | Ros2Error::Session { .. } => {
            "help: choose another port, such as --ros2 tcp/localhost:7448"
        }
        _ => "help: `simhost run --help` lists the options for ROS 2",
    };
    Failure::new(Code::Usage, format!("{error}\n{help}"))
}
