//! Offers of the node of a run in addition to the streams: services, events of parameters, messages for people, and
//! descriptions of robots.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use simhost_services::ServiceDesk;
use simhost_streams::SessionRequest;

use crate::error::Ros2Error;
use crate::interfaces::MessageType;
use crate::names::Names;
use crate::node::{Node, Topic};
use crate::robot::urdf;
use crate::services::{ParameterWatch, mode_services, services};
use crate::sink::NamesInUse;
use crate::wire::{Qos, wall_time};

/// Wall time between two looks at parameters and vehicles.
const LOOK: Duration = Duration::from_millis(100);
/// Number of messages for people that late subscribers receive, as nodes of ROS 2 have it.
const KEPT_MESSAGES: u32 = 1000;

/// Severity of a message for people, with its number in `rcl_interfaces/msg/Log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSeverity {
    /// Something that is worth knowing.
    Info = 20,
    /// Something is not as it should be.
    Warning = 30,
    /// Something has failed.
    Error = 40,
}

/// Services, events of parameters, messages for people and descriptions of robots of a node, until [`Self::finish`].
pub struct NodeFacilities {
    messages: Announcer,
    is_finished: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A topic whose messages are made from JSON.
#[derive(Clone)]
struct Announcer {
    topic: Topic,
    message: Arc<MessageType>,
}

impl Announcer {
    fn open(node: &Node, name: &str, kind: &str, qos: Qos) -> Result<Self, Ros2Error> {
        let message = MessageType::named(kind).map_err(|error| Ros2Error::Declare {
            name: name.to_owned(),
            cause: error.to_string(),
        })?;
        let topic = node.publish(name, &message.kind, qos);
        Ok(Self { topic, message: Arc::new(message) })
    }

    fn send(&self, content: &Value) {
        match self.message.layout.encode(content) {
            Ok(bytes) => self.topic.send_vec(bytes, wall_time()),
            Err(error) => tracing::warn!("{}: {error}", self.topic.name()),
        }
    }
}

impl NodeFacilities {
    /// Offers the services of a session, and looks after the topics from now on. `names` are those that the sink uses.
    ///
    /// # Errors
    /// [`Ros2Error::Declare`] if zenoh does not take a service.
    pub fn start(
        node: &Node,
        desk: Arc<ServiceDesk>,
        names: NamesInUse,
    ) -> Result<Self, Ros2Error> {
        let all = services(&desk).map_err(|error| Ros2Error::Declare {
            name: node.full_name(),
            cause: error.to_string(),
        })?;
        all.into_iter().try_for_each(|service| node.serve(service))?;
        let messages = Announcer::open(
            node,
            "/rosout",
            "rcl_interfaces/msg/Log",
            Qos::latched(KEPT_MESSAGES),
        )?;
        let mut caretaker = Caretaker::new(node, desk, names)?;
        let is_finished = Arc::new(AtomicBool::new(false));
        let finished = is_finished.clone();
        let thread = std::thread::spawn(move || {
            while !finished.load(Ordering::Relaxed) {
                caretaker.look();
                std::thread::sleep(LOOK);
            }
        });
        Ok(Self { messages, is_finished, thread: Mutex::new(Some(thread)) })
    }

    /// Sends a message for people to `/rosout`.
    pub fn log(&self, severity: LogSeverity, text: &str) {
        let now = wall_time();
        self.messages.send(&json!({
            "stamp": {"sec": now / 1_000_000_000, "nanosec": now % 1_000_000_000},
            "level": severity as u8, "name": "simhost", "msg": text,
        }));
    }

    /// Ends looking after the topics.
    pub fn finish(&self) {
        self.is_finished.store(true, Ordering::Relaxed);
        if let Some(thread) = lock(&self.thread).take() {
            // a panic of the thread has been reported
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks after the topics that follow changes of the session.
struct Caretaker {
    node: Node,
    desk: Arc<ServiceDesk>,
    watch: ParameterWatch,
    events: Announcer,
    names: NamesInUse,
    /// The names for which everything has been done.
    seen: Option<Arc<Names>>,
    /// Descriptions of robots by the names of their topics.
    robots: BTreeMap<String, (Announcer, String)>,
    /// Vehicles that have the service for their modes.
    modes: Vec<String>,
}

impl Caretaker {
    fn new(node: &Node, desk: Arc<ServiceDesk>, names: NamesInUse) -> Result<Self, Ros2Error> {
        let kind = "rcl_interfaces/msg/ParameterEvent";
        let qos = Qos::reliable(KEPT_MESSAGES);
        Ok(Self {
            node: node.clone(),
            watch: ParameterWatch::new(desk.clone()),
            desk,
            events: Announcer::open(node, "/parameter_events", kind, qos)?,
            names,
            seen: None,
            robots: BTreeMap::new(),
            modes: Vec::new(),
        })
    }

    fn look(&mut self) {
        let is_wanted = self.events.topic.is_wanted();
        let event = if is_wanted { self.watch.look(&self.node.full_name()) } else { None };
        event.iter().for_each(|event| self.events.send(event));
        let Some(names) = self.names.get() else { return };
        if self.seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, &names)) {
            return;
        }
        self.serve_modes(&names);
        if self.describe_robots(&names) {
            self.seen = Some(names);
        }
    }

    /// Publishes descriptions of the vehicles, where they have changed. Returns whether it could describe all.
    fn describe_robots(&mut self, names: &Names) -> bool {
        let mut present = Vec::new();
        let mut is_complete = true;
        // the file of a robot is a stream
        let others = names.vehicles().iter().filter(|vehicle| !names.has_description(vehicle));
        for vehicle in others {
            let request = SessionRequest::DescribeVehicle(vehicle.clone());
            let Ok(described) = self.desk.ask(request) else {
                is_complete = false;
                continue;
            };
            let text = urdf(&described, &|frame| names.frame(frame));
            let name = names.of_vehicle(vehicle, "robot_description");
            present.push(name.clone());
            if self.robots.get(&name).is_some_and(|(_, known)| *known == text) {
                continue;
            }
            let open =
                || Announcer::open(&self.node, &name, "std_msgs/msg/String", Qos::latched(1));
            let known = self.robots.remove(&name).map(|(announcer, _)| Ok(announcer));
            if let Ok(announcer) = known.unwrap_or_else(open) {
                announcer.send(&json!({"data": text}));
                self.robots.insert(name, (announcer, text));
            }
        }
        self.robots.retain(|name, _| present.contains(name));
        is_complete
    }

    /// Offers the services for modes of new vehicles.
    fn serve_modes(&mut self, names: &Names) {
        let Ok(all) = mode_services(&self.desk) else { return };
        for (vehicle, mut service) in all {
            if self.modes.contains(&vehicle) {
                continue;
            }
            service.name = format!("/{}", names.of_vehicle(&vehicle, &service.name));
            match self.node.serve(service) {
                Ok(()) => self.modes.push(vehicle),
                Err(error) => self.node.warn(&error.to_string()),
            }
        }
    }
}
