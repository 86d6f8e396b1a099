//! Answers of a program that is built without ROS 2.

use simhost::Session;

use crate::arguments::Ros2;
use crate::exit::{Code, Failure};

/// The nodes of a run, which never exist.
pub struct Ros2Nodes;

impl Ros2Nodes {
    /// Fails if the run is to be a node.
    pub fn connect(arguments: &Ros2) -> Result<Option<Self>, Failure> {
        if arguments.ros2.is_none() {
            return Ok(None);
        }
        let text = "this program is built without ROS 2, which --ros2 needs\nhelp: build it with `cargo build \
                    --release --features ros2`";
        Err(Failure::new(Code::Usage, text.to_owned()))
    }

    /// Does nothing.
    pub fn attach(&mut self, _: &mut Session) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns nothing.
    pub fn command_timeout(&self) -> Option<f64> {
        None
    }

    /// Does nothing.
    pub fn report(&self) {}
}
