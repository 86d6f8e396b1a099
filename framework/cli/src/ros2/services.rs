//! Services of the ROS 2 node of a run, and its messages for people.

use std::sync::{Arc, mpsc};

use simhost::Session;
use simhost_ros2::{LogSeverity, NamesInUse, Node, NodeFacilities, ServiceDesk};
use simhost_web::WorldLibrary;

use super::failure::failure;
use crate::arguments::Run;
use crate::exit::Failure;
use crate::live::{Desk, world_name};
use crate::mcap;
use crate::opening;
use crate::terminal::{self, Severity};

/// Services of the node of a run.
pub struct NodeServices {
    desk: Desk,
    facilities: Arc<NodeFacilities>,
}

impl NodeServices {
    /// Offers services from now on, and sends what is printed to `/rosout`.
    ///
    /// # Errors
    /// Fails if zenoh does not take a service.
    pub fn start(
        node: &Node,
        names: NamesInUse,
        arguments: &Run,
        session: &Session,
    ) -> Result<Self, Failure> {
        let (asked, questions) = mpsc::channel();
        let (inputs, woken) = (session.inputs(), session.inputs());
        let library =
            WorldLibrary::new(move || inputs.world()).with_session(asked, move || woken.wake());
        let control = Arc::new(session.client_inputs().map_err(opening::failure)?);
        let path = arguments.world.display().to_string();
        let name = world_name(&arguments.world);
        let services = ServiceDesk::new(control, Arc::new(library), name, path)
            .with_folders(arguments.live.client_files.iter().cloned());
        let facilities = NodeFacilities::start(node, services, names).map_err(failure)?;
        let facilities = Arc::new(facilities);
        let listener = facilities.clone();
        terminal::listen(Some(Arc::new(move |severity, text| {
            listener.log(severity_of(severity), text);
        })));
        let desk = Desk::new(questions, arguments.out.clone(), mcap::selection(arguments));
        Ok(Self { desk, facilities })
    }

    /// Handles the requests of services. Called between two steps.
    pub fn attend(&mut self, session: &mut Session) {
        self.desk.attend(session);
        self.facilities.wake();
    }

    /// Ends the services.
    pub fn end(self) {
        terminal::listen(None);
        // services that wait for an answer get none
        drop(self.desk);
        self.facilities.wake();
        self.facilities.finish();
    }
}

const fn severity_of(severity: Severity) -> LogSeverity {
    match severity {
        Severity::Remark => LogSeverity::Info,
        Severity::Warning => LogSeverity::Warning,
        Severity::Error => LogSeverity::Error,
    }
}
