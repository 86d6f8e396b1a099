//! Inputs from messages of other nodes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use serde_json::{Value, json};
use simhost_services::ServiceDesk;
use simhost_streams::{Effect, Input, InputError, Stream, ros, types};

use crate::interfaces::{InterfaceType, MessageType, message_type};
use crate::names::Names;
use crate::node::{Node, Subscription};
use crate::services::CALLER;
use crate::settings::{NameStyle, Ros2Settings};
use crate::wire::Qos;

/// Messages that may wait to become inputs.
const MAX_WAITING: usize = 10_000;
/// Quality of service of the subscriptions.
pub(crate) const INPUT_QOS: Qos = Qos::reliable(10);
/// Bytes that may follow a message: writers pad messages to a multiple of four.
const PADDING: usize = 3;
/// Largest number of a command, a pose or a velocity, in its unit. Times since 1970 are smaller, and the square of a larger
/// one would soon overflow in a controller.
const LARGEST: f64 = 1e12;
/// Speed at full deflection of a stick, m/s.
const JOY_SPEED: f64 = 1.0;
/// Yaw rate at full deflection of a stick, rad/s.
const JOY_YAW_RATE: f64 = 1.0;
/// Steering angle at full deflection of a stick, rad.
const JOY_STEERING: f64 = 0.5;

/// A message for the thread that makes inputs, or the end.
enum Arrival {
    Message(Arc<Target>, Vec<u8>),
    End,
}

/// Takes the messages of topics that control a session, and sends the inputs in them to the session.
pub(crate) struct Intake {
    node: Node,
    desk: Arc<ServiceDesk>,
    arrivals: SyncSender<Arrival>,
    thread: JoinHandle<()>,
    /// Subscriptions by topic and hash.
    subscriptions: BTreeMap<(String, String), (Arc<Target>, Subscription)>,
}

impl Intake {
    pub fn start(node: &Node, desk: Arc<ServiceDesk>) -> Self {
        let (arrivals, messages) = sync_channel(MAX_WAITING);
        let own = (node.clone(), desk.clone());
        let thread = std::thread::spawn(move || run(&own.0, &own.1, &messages));
        Self { node: node.clone(), desk, arrivals, thread, subscriptions: BTreeMap::new() }
    }

    /// Subscribes to the topics of the present input streams, and to no others.
    pub fn follow(&mut self, names: &Names) {
        let mut old = std::mem::take(&mut self.subscriptions);
        for target in targets(self.node.settings(), names, &self.desk.control.input_streams()) {
            let key = (target.topic.clone(), target.kind.hash.to_string());
            let known = old.remove(&key);
            let entry = match known {
                Some((known, subscription)) if known.is_same(&target) => (known, subscription),
                _ => match self.subscribe(target) {
                    Some(new) => new,
                    None => continue,
                },
            };
            self.subscriptions.insert(key, entry);
        }
    }

    fn subscribe(&self, target: Target) -> Option<(Arc<Target>, Subscription)> {
        let target = Arc::new(target);
        let (own, arrivals, node) = (target.clone(), self.arrivals.clone(), self.node.clone());
        let take = move |message: &[u8]| {
            let arrival = Arrival::Message(own.clone(), message.to_vec());
            if arrivals.try_send(arrival).is_err() {
                own.refuse(&node, "more messages arrive than are taken");
            }
        };
        match self.node.subscribe(&target.topic, &target.kind, INPUT_QOS, take) {
            Ok(subscription) => Some((target, subscription)),
            Err(error) => {
                self.node.warn(&format!("ROS 2: {error}"));
                None
            }
        }
    }

    /// Ends the subscriptions, and reports how many messages were not applied.
    pub fn finish(self) {
        let Self { node, arrivals, thread, subscriptions, .. } = self;
        let targets: Vec<Arc<Target>> =
            subscriptions.into_values().map(|(target, _)| target).collect();
        let _ = arrivals.send(Arrival::End);
        // a panic of the thread has been reported
        let _ = thread.join();
        for target in targets {
            let refused = target.refused.load(Ordering::Relaxed);
            if refused > 1 {
                let topic = &target.topic;
                node.warn(&format!("ROS 2: {topic}: {refused} messages were not applied"));
            }
        }
    }
}

fn run(node: &Node, desk: &ServiceDesk, messages: &Receiver<Arrival>) {
    while let Ok(Arrival::Message(target, message)) = messages.recv() {
        if let Some(driver) = desk.drivers.refusal(&target.stream, CALLER.name) {
            target.refuse(node, &driver);
            continue;
        }
        let input = target.input(&message).and_then(checked);
        match input.and_then(|input| desk.control.send(input)) {
            // messages that arrive behind the end are late, not wrong
            Ok(()) | Err(InputError::Ended) => {}
            Err(error) => target.refuse(node, &error.to_string()),
        }
    }
}

/// Refuses numbers that no vehicle can follow.
fn checked(input: Input) -> Result<Input, InputError> {
    let values = match &input {
        Input::Command { values, .. } => &values[..],
        Input::Pose { pose: values, .. } | Input::Velocity { velocity: values, .. } => values,
        _ => &[],
    };
    match values.iter().find(|value| value.abs() > LARGEST) {
        None => Ok(input),
        Some(value) => Err(InputError::Value {
            name: "a value".to_owned(),
            found: format!("{value:e}"),
            expected: format!("a number from -{LARGEST:e} to {LARGEST:e}"),
        }),
    }
}

/// An input stream as a topic.
struct Target {
    /// Absolute name.
    topic: String,
    kind: InterfaceType,
    form: TargetForm,
    stream: Arc<Stream>,
    /// Definition of the messages.
    layout: ros::Layout,
    /// Number of messages that were not applied.
    refused: AtomicU64,
}

/// Form of the messages of an input stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TargetForm {
    /// The form of the stream.
    Own,
    /// `TwistStamped` for `Twist`.
    Stamped,
    /// `Joy` for `Twist` or `AckermannDriveStamped`.
    Joy,
    /// `PoseWithCovarianceStamped` for `PoseStamped`.
    InitialPose,
    /// `TwistStamped` for the speed and the stamp of an initial twist.
    InitialTwist,
}

impl Target {
    fn is_same(&self, other: &Self) -> bool {
        self.form == other.form && self.stream == other.stream
    }

    /// Returns the input in a message.
    fn input(&self, bytes: &[u8]) -> Result<Input, InputError> {
        let wrong = |text: String| InputError::Message { stream: self.topic.clone(), text };
        let decoded = self.layout.decode_with_length(bytes);
        let (message, len) = decoded.map_err(|error| wrong(error.to_string()))?;
        if bytes.len() > len + PADDING {
            let rest = bytes.len() - len;
            return Err(wrong(format!("{rest} unexpected bytes after the end of the message")));
        }
        let number = |path: &str| message.pointer(path).cloned().unwrap_or(Value::Null);
        match self.form {
            TargetForm::Own => ros::input_from_cdr(&self.stream, bytes),
            TargetForm::Stamped => self.input_of(&message["twist"]),
            TargetForm::InitialPose => self
                .input_of(&json!({"header": message["header"], "pose": message["pose"]["pose"]})),
            TargetForm::InitialTwist => {
                let speed = number("/twist/linear/x").as_f64().unwrap_or(f64::NAN);
                let part = |path: &str| number(path).as_f64().unwrap_or_default();
                let stamp = part("/header/stamp/sec") + part("/header/stamp/nanosec") * 1e-9;
                self.command(vec![speed, stamp])
            }
            TargetForm::Joy => {
                let axis = |index: usize| match message["axes"].get(index) {
                    Some(value) => value.as_f64().unwrap_or(f64::NAN),
                    None => 0.0,
                };
                // the left stick: forwards is positive, and so is left
                let (forward, left) = (axis(1).clamp(-1.0, 1.0), axis(0).clamp(-1.0, 1.0));
                match self.stream.kind.name == types::AckermannDrive::TYPE.name {
                    true => self.command(vec![forward * JOY_SPEED, left * JOY_STEERING]),
                    false => self.command(vec![forward * JOY_SPEED, 0.0, left * JOY_YAW_RATE]),
                }
            }
        }
    }

    fn input_of(&self, message: &Value) -> Result<Input, InputError> {
        ros::input_from_value(&self.stream, message).map_err(|error| match error {
            // the reader of JSON knows NaN as null
            InputError::Value { name, found, expected } if found == "null" => {
                InputError::Value { name, found: "not finite".to_owned(), expected }
            }
            other => other,
        })
    }

    fn command(&self, values: Vec<f64>) -> Result<Input, InputError> {
        match &self.stream.effect {
            Some(Effect::Command { vehicle, kind }) => {
                Ok(Input::Command { vehicle: vehicle.clone(), kind: kind.clone(), values })
            }
            _ => Err(InputError::Message {
                stream: self.topic.clone(),
                text: "it takes no commands".to_owned(),
            }),
        }
    }

    /// Counts a message that is not applied, and reports the first one.
    fn refuse(&self, node: &Node, reason: &str) {
        if self.refused.fetch_add(1, Ordering::Relaxed) == 0 {
            let topic = &self.topic;
            node.warn(&format!(
                "ROS 2: {topic}: a message is not applied: {reason}; further ones are only counted"
            ));
        }
    }
}

/// Returns names and types of the topics of input streams, with the stream of each.
pub(crate) fn subscriptions(
    settings: &Ros2Settings,
    names: &Names,
    streams: &[Arc<Stream>],
) -> Vec<(String, InterfaceType, Arc<Stream>)> {
    let all = targets(settings, names, streams).into_iter();
    all.map(|target| (target.topic, target.kind, target.stream)).collect()
}

/// Returns the topics of input streams.
fn targets(settings: &Ros2Settings, names: &Names, streams: &[Arc<Stream>]) -> Vec<Target> {
    let target = |name: &str, stream: &Arc<Stream>, form: TargetForm| {
        let message = match form {
            TargetForm::Own => None,
            TargetForm::Stamped | TargetForm::InitialTwist => {
                Some("geometry_msgs/msg/TwistStamped")
            }
            TargetForm::Joy => Some("sensor_msgs/msg/Joy"),
            TargetForm::InitialPose => Some("geometry_msgs/msg/PoseWithCovarianceStamped"),
        };
        let (kind, layout) = match message {
            Some(name) => MessageType::named(name).map(|message| (message.kind, message.layout)),
            None => message_type(&stream.kind)
                .and_then(|kind| Ok((kind, ros::Layout::new(&ros::schema(&stream.kind))?))),
        }
        .ok()?;
        let topic = settings.resolve(name);
        let stream = stream.clone();
        Some(Target { topic, kind, form, stream, layout, refused: AtomicU64::new(0) })
    };
    let mut all = Vec::new();
    for stream in streams {
        let name = names.topic(stream);
        let vehicle = names.split(&stream.name);
        let kind = match &stream.effect {
            Some(Effect::Command { kind, .. }) => kind.as_str(),
            _ => "",
        };
        let is_stamped = settings.is_stamped && kind == "twist";
        let is_initial_twist = kind == "initial_twist" && names.style() == NameStyle::Autoware;
        all.push(match (is_stamped, is_initial_twist) {
            (true, _) => target(&name, stream, TargetForm::Stamped),
            (_, true) => target(&name, stream, TargetForm::InitialTwist),
            _ => target(&name, stream, TargetForm::Own),
        });
        let Some((vehicle, rest)) = vehicle.filter(|_| names.style() != NameStyle::Plain) else {
            continue;
        };
        let has_interface = streams.iter().any(|one| {
            let initial = format!("{vehicle}/cmd_initial_pose");
            one.name == initial
        });
        if matches!(kind, "twist" | "speed_steer") {
            let name = names.of_vehicle(vehicle, "joy");
            all.push(target(&name, stream, TargetForm::Joy));
        }
        // with a localisation of its own, the pose is meant for that one
        if rest == "set_pose" && settings.has_localisation && !has_interface {
            let name = names.of_vehicle(vehicle, "initialpose");
            all.push(target(&name, stream, TargetForm::InitialPose));
        }
    }
    all.into_iter().flatten().collect()
}
