//! Answers of a program that is built without ROS 2.

use simhost::Session;

use crate::arguments::{AskRos2, Ros2};
use crate::live::Desk;
use crate::process::{Code, Failure};

/// The nodes of a run, which never exist.
pub struct Ros2Nodes;

impl Ros2Nodes {
    /// Fails if the run is to be a node.
    pub fn connect(arguments: &Ros2) -> Result<Option<Self>, Failure> {
        if arguments.ros2.is_none() {
            return Ok(None);
        }
        Err(missing("--ros2"))
    }

    /// Does nothing.
    pub fn attach(&mut self, _: &Desk, _: &mut Session) -> Result<(), Failure> {
        Ok(())
    }

    /// Does nothing.
    pub fn end(&mut self) {}

    /// Returns nothing.
    pub fn command_timeout(&self) -> Option<f64> {
        None
    }

    /// Does nothing.
    pub fn report(&self) {}
}

/// Fails.
pub fn ask(_: &AskRos2) -> Result<Code, Failure> {
    Err(missing("simhost ros2"))
}

fn missing(what: &str) -> Failure {
    let text = format!(
        "this program is built without ROS 2, which {what} needs\nhelp: build it with `cargo build --release \
         --features ros2`"
    );
    Failure::new(Code::Usage, text)
}
