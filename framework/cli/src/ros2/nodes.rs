//! The ROS 2 node of a run.

use std::sync::Arc;

use simhost::{ClockMode, Selection, Session};
use simhost_ros2::{
    Link, LogSeverity, Node, NodeFacilities, Notice, Ros2Error, Ros2Settings, Ros2Sink,
};
use simhost_streams::Input;

use super::arguments::{NodeParameters, RosArguments};
use crate::arguments::Ros2;
use crate::live::Desk;
use crate::process::{Code, Failure};
use crate::terminal::Severity;
use crate::{opening, terminal};

/// Stream that has a sample of each step.
const CLOCK: &str = "clock";

/// The ROS 2 node of a run.
pub struct Ros2Nodes {
    settings: Ros2Settings,
    parameters: NodeParameters,
    /// Parameters of models, which are set before the first step.
    models: Vec<(String, String)>,
    /// The session of zenoh before the run begins.
    link: Option<Link>,
    node: Option<Node>,
    /// Services of the node, and its messages for people.
    facilities: Option<Arc<NodeFacilities>>,
}

impl Ros2Nodes {
    /// Connects to a router or becomes one, if the run is to be a node.
    ///
    /// # Errors
    /// Fails if the settings are not valid, or the address cannot be used.
    pub fn connect(arguments: &Ros2) -> Result<Option<Self>, Failure> {
        let Some(address) = &arguments.ros2 else { return Ok(None) };
        let mut settings = settings(arguments, address)?;
        let mut given = RosArguments::read(&arguments.node.ros_arguments)?;
        let parameters = given.take_own(&mut settings)?;
        settings.remappings = given.remappings;
        let link = Link::open(&settings).map_err(failure)?;
        terminal::remark(&link.announcement(&settings));
        if link.is_open() {
            terminal::warning(&format!(
                "other machines can control the simulation through the router at {}",
                link.address
            ));
        }
        let models = given.parameters;
        Ok(Some(Self {
            settings,
            parameters,
            models,
            link: Some(link),
            node: None,
            facilities: None,
        }))
    }

    /// Returns the age of a command at which a vehicle stops, s.
    pub fn command_timeout(&self) -> Option<f64> {
        self.parameters.command_timeout
    }

    /// Publishes the streams of a session from now on, and takes commands.
    ///
    /// # Errors
    /// Fails if zenoh does not take the node, or the session has no description from which its streams follow.
    pub fn attach(&mut self, desk: &Desk, session: &mut Session) -> Result<(), Failure> {
        let Some(link) = self.link.take() else { return Ok(()) };
        let NodeParameters { realtime_factor, period, .. } = self.parameters;
        session.control().set_clock(ClockMode::Realtime { factor: realtime_factor });
        let report = Arc::new(|notice: &Notice| match notice {
            Notice::Warning(text) => terminal::warning(text),
            Notice::Remark(text) => terminal::remark(text),
        });
        let node = Node::new(link, self.settings.clone(), report).map_err(failure)?;
        let (clock, others) = Ros2Sink::pair(&node, desk.services().clone());
        let names = others.names();
        let select = |patterns: &[&str], state_period| Selection {
            patterns: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
            state_period,
            ..Selection::default()
        };
        let attached = [
            session.attach(Box::new(clock), &select(&[CLOCK], None)),
            session.attach(Box::new(others), &select(&["**", "!clock"], Some(period))),
        ];
        attached.into_iter().try_for_each(|one| one.map(drop)).map_err(opening::failure)?;
        self.set_parameters(session);
        let facilities = NodeFacilities::start(&node, desk.services().clone(), names);
        let facilities = Arc::new(facilities.map_err(failure)?);
        let log = facilities.clone();
        terminal::listen(Some(Arc::new(move |severity, text| {
            log.log(severity_of(severity), text);
        })));
        self.facilities = Some(facilities);
        self.node = Some(node);
        Ok(())
    }

    /// Ends the services, before the session ends.
    pub fn end(&mut self) {
        if let Some(facilities) = self.facilities.take() {
            terminal::listen(None);
            facilities.finish();
        }
    }

    /// Sets the parameters of models that the command line and its files give.
    fn set_parameters(&self, session: &Session) {
        let inputs = session.inputs();
        for (name, value) in &self.models {
            let (name, value) = (name.replace('.', "/"), value.clone());
            if let Err(error) = inputs.send(Input::Parameter { name, value }) {
                terminal::warning(&format!("ROS 2: a parameter is not set: {error}"));
            }
        }
    }

    /// Reports samples that could not be sent in time.
    pub fn report(&self) {
        let dropped = self.node.as_ref().map_or(0, Node::dropped);
        if dropped > 0 {
            let text = format!(
                "ROS 2: {dropped} samples were dropped because they could not be sent in time"
            );
            terminal::warning(&text);
        }
    }
}

const fn severity_of(severity: Severity) -> LogSeverity {
    match severity {
        Severity::Remark => LogSeverity::Info,
        Severity::Warning => LogSeverity::Warning,
        Severity::Error => LogSeverity::Error,
    }
}

/// Returns the settings of the command line and the environment.
fn settings(arguments: &Ros2, address: &str) -> Result<Ros2Settings, Failure> {
    let node = &arguments.node;
    let default = Ros2Settings::default();
    let of_environment = || match std::env::var("ROS_DOMAIN_ID") {
        Ok(text) if !text.is_empty() => simhost_ros2::domain(&text)
            .map_err(|error| Failure::new(Code::Usage, format!("ROS_DOMAIN_ID: {error}"))),
        _ => Ok(default.domain),
    };
    Ok(Ros2Settings {
        address: (!address.is_empty()).then(|| address.to_owned()),
        router: node.router.unwrap_or(default.router),
        is_open: node.is_open,
        domain: node.domain.map_or_else(of_environment, Ok)?,
        namespace: node.namespace.clone().unwrap_or_default(),
        distribution: node.distribution.unwrap_or(default.distribution),
        names: node.names,
        transforms: node.transforms.unwrap_or(default.transforms),
        is_stamped: node.is_stamped,
        has_localisation: !node.has_no_localisation,
        ..default
    })
}

/// Returns the failure of a node that does not start.
fn failure(error: Ros2Error) -> Failure {
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
