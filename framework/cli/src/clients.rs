//! The connections of a run: clients of its server, and ROS 2 nodes.

use simhost::Session;

use crate::arguments::Run;
use crate::live::{self, Desk, Serving};
use crate::process::Failure;
use crate::ros2::Ros2Nodes;

/// The connections of a run.
pub struct Clients {
    serving: Option<Serving>,
    nodes: Option<Ros2Nodes>,
    desk: Option<Desk>,
}

impl Clients {
    /// Takes the addresses of the command line.
    ///
    /// # Errors
    /// Fails if an address cannot be used.
    pub fn bind(arguments: &Run) -> Result<Self, Failure> {
        let serving = Serving::bind(&arguments.live, &arguments.world)?;
        Ok(Self { serving, nodes: Ros2Nodes::connect(&arguments.ros2)?, desk: None })
    }

    /// Returns whether anything can be connected.
    pub fn is_open(&self) -> bool {
        self.serving.is_some() || self.nodes.is_some()
    }

    /// Returns the arguments with the settings that come with a node.
    pub fn configure(&self, mut arguments: Run) -> Run {
        let timeout = self.nodes.as_ref().and_then(Ros2Nodes::command_timeout);
        arguments.live.command_timeout = arguments.live.command_timeout.or(timeout);
        arguments
    }

    /// Connects everything to a session from now on, which is in real time unless the command line says otherwise.
    ///
    /// # Errors
    /// Fails if the session has no description from which its streams follow.
    pub fn attach(&mut self, arguments: &Run, session: &mut Session) -> Result<(), Failure> {
        if !self.is_open() {
            return Ok(());
        }
        let desk = self.desk.insert(live::desk(arguments, session)?);
        if let Some(serving) = &mut self.serving {
            serving.attach(desk, session)?;
        }
        if let Some(nodes) = &mut self.nodes {
            nodes.attach(desk, session)?;
        }
        if let Some(clock) = arguments.pacing.clock {
            session.control().set_clock(clock);
        }
        Ok(())
    }

    /// Handles the requests of clients. Called between two steps.
    pub fn attend(&mut self, session: &mut Session) {
        if let Some(desk) = &mut self.desk {
            desk.attend(session);
        }
    }

    /// Takes no more requests, before the session ends.
    pub fn end(&mut self) {
        if let Some(desk) = self.desk.take() {
            desk.end();
        }
        if let Some(nodes) = &mut self.nodes {
            nodes.end();
        }
    }

    /// Reports samples that did not arrive.
    pub fn report(&self) {
        if let Some(serving) = &self.serving {
            serving.report();
        }
        if let Some(nodes) = &self.nodes {
            nodes.report();
        }
    }
}
