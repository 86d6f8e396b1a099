//! Handles the requests of a client.

use std::sync::Arc;

use simhost_services::ServiceDesk;
use simhost_streams::{
    Control, Direction, Effect, Input, InputError, Parameter, Progress, Stream, ros, types,
};

use crate::frame::Frame;
use crate::hub::Hub;
use crate::peer::{Peer, Published};
use crate::protocol::{Binary, ClientChannel, Level, OPERATIONS, Request, Subscription};
use crate::settings::ServerSettings;
use crate::{parameters, protocol, services};

/// Largest number of channels that one client publishes.
const MAX_PUBLISHED: usize = 1000;

/// Carries a text message out.
///
/// # Errors
/// The reason why the connection has to end: the client does not speak the protocol.
pub fn text(hub: &Hub, peer: &Arc<Peer>, text: &str) -> Result<(), String> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("a text is not JSON: {error}"))?;
    let Some(operation) = value.get("op").and_then(|op| op.as_str()).map(str::to_owned) else {
        return Err("a text is not a JSON object with a field 'op'".to_owned());
    };
    if !OPERATIONS.contains(&operation.as_str()) {
        let expected = OPERATIONS.join(", ");
        peer.tell(Level::Error, &format!("unknown operation: '{operation}'; expected {expected}"));
        return Ok(());
    }
    match serde_json::from_value(value) {
        Ok(request) => carry_out(hub, peer, request),
        Err(error) => peer.tell(Level::Error, &format!("operation '{operation}': {error}")),
    }
    Ok(())
}

/// Carries a binary message out.
///
/// # Errors
/// The reason why the connection has to end: the client does not speak the protocol.
pub fn binary(hub: &Hub, peer: &Arc<Peer>, message: &[u8]) -> Result<(), String> {
    match Binary::read(message) {
        Some(Binary::Message { channel, payload }) => publish(hub, peer, channel, payload),
        Some(Binary::Call(call)) => match services::call(&call, &peer.name, &hub.desk) {
            Ok(response) => {
                peer.backlog.push(Frame::binary(protocol::response(&call, &response)));
            }
            Err(reason) => peer.send(protocol::failure(&call, &reason)),
        },
        None => return Err("a binary message is not one of the protocol".to_owned()),
    }
    Ok(())
}

fn carry_out(hub: &Hub, peer: &Arc<Peer>, request: Request) {
    match request {
        Request::Subscribe { subscriptions } => subscribe(hub, peer, &subscriptions),
        Request::Unsubscribe { subscription_ids } => {
            for id in subscription_ids {
                if !peer.wishes().unsubscribe(id) {
                    peer.tell(Level::Warning, &format!("unknown subscription: {id}"));
                }
            }
        }
        Request::Advertise { channels } => {
            for channel in channels {
                if let Err(reason) = advertise(hub, peer, &channel) {
                    peer.tell(Level::Error, &reason);
                }
            }
        }
        Request::Unadvertise { channel_ids } => {
            let mut wishes = peer.wishes();
            for id in channel_ids {
                wishes.published.remove(&id);
            }
        }
        Request::GetParameters { parameter_names, id } => {
            get(hub, peer, &parameter_names, id.as_deref());
        }
        Request::SetParameters { parameters, id } => {
            for parameter in &parameters {
                if let Err(reason) = parameters::set(parameter, &*hub.desk.control) {
                    peer.tell(Level::Error, &reason);
                }
            }
            let names: Vec<String> = parameters.into_iter().map(|one| one.name).collect();
            if id.is_some() && !names.is_empty() {
                get(hub, peer, &names, id.as_deref());
            }
        }
        Request::SubscribeParameterUpdates { parameter_names } => {
            let all = hub.parameters().into_iter().map(|one| one.name);
            let wanted =
                all.filter(|name| parameter_names.is_empty() || parameter_names.contains(name));
            peer.wishes().watched.extend(wanted);
        }
        Request::UnsubscribeParameterUpdates { parameter_names } => {
            let is_kept =
                |name: &String| !parameter_names.is_empty() && !parameter_names.contains(name);
            peer.wishes().watched.retain(is_kept);
        }
        Request::FetchAsset { uri, request_id } => {
            let name = uri.trim_start_matches("asset:").trim_start_matches('/');
            let asset = hub.desk.host.as_ref().and_then(|library| library.asset(name));
            let found = asset.ok_or_else(|| format!("asset not found: '{uri}'"));
            peer.backlog.push(Frame::binary(protocol::asset(request_id, found.as_deref())));
        }
        Request::SubscribeConnectionGraph => {
            peer.wishes().graph = true;
            peer.send(hub.graph());
        }
        Request::UnsubscribeConnectionGraph => peer.wishes().graph = false,
    }
}

fn subscribe(hub: &Hub, peer: &Peer, subscriptions: &[Subscription]) {
    for Subscription { id, channel_id } in subscriptions {
        let Some(channel) = hub.channel(*channel_id) else {
            peer.tell(Level::Error, &format!("unknown channel: {channel_id}"));
            continue;
        };
        let subscribed = peer.wishes().subscribe(*id, &channel);
        match subscribed {
            Ok(()) => hub.catch_up(peer, &channel),
            Err(reason) => peer.tell(Level::Error, &reason),
        }
    }
}

fn get(hub: &Hub, peer: &Peer, names: &[String], id: Option<&str>) {
    let all = hub.parameters();
    let wanted = all.iter().filter(|one| names.is_empty() || names.contains(&one.name));
    peer.send(parameters::message(wanted, id));
}

/// Finds the input stream that a channel of a client belongs to.
fn advertise(hub: &Hub, peer: &Peer, channel: &ClientChannel) -> Result<(), String> {
    let ClientChannel { id, topic, encoding, schema_name } = channel;
    let streams = hub.desk.control.input_streams();
    let name = topic.trim_start_matches('/');
    let Some(stream) = streams.into_iter().find(|one| one.topic().trim_start_matches('/') == name)
    else {
        return Err(unknown_topic(topic, &hub.desk.control.input_streams()));
    };
    let is_json = match encoding.as_str() {
        "json" => true,
        "cdr" => false,
        other => {
            return Err(format!("{topic}: encoding is '{other}'; expected 'cdr' or 'json'"));
        }
    };
    let message = &stream.kind.message;
    if !is_json && !schema_name.is_empty() && without_folder(schema_name) != without_folder(message)
    {
        return Err(format!("{topic}: type is '{schema_name}'; expected '{message}'"));
    }
    let mut wishes = peer.wishes();
    if wishes.published.len() >= MAX_PUBLISHED {
        return Err(format!("a client can publish at most {MAX_PUBLISHED} channels"));
    }
    wishes.published.insert(*id, Published { stream, is_json });
    Ok(())
}

/// Returns the name of a message as ROS 1 writes it, without the folder: `geometry_msgs/Twist`.
fn without_folder(name: &str) -> String {
    name.replacen("/msg/", "/", 1)
}

fn unknown_topic(topic: &str, streams: &[Arc<Stream>]) -> String {
    const MOST: usize = 8;
    let topics: Vec<String> = streams.iter().map(|stream| stream.topic()).collect();
    let expected = match topics.len() {
        0 => "this session takes no input".to_owned(),
        1..=MOST => format!("expected {}", topics.join(", ")),
        _ => format!("expected, for instance, {}", topics[..MOST].join(", ")),
    };
    format!("no input stream has the topic '{topic}'; {expected}")
}

fn publish(hub: &Hub, peer: &Peer, id: u32, payload: &[u8]) {
    let published = peer.wishes().published.get(&id).cloned();
    let Some(Published { stream, is_json }) = published else {
        peer.tell(Level::Error, &format!("channel {id} is not advertised"));
        return;
    };
    if let Some(reason) = hub.desk.drivers.refusal(&stream, &peer.name) {
        peer.tell(Level::Error, &reason);
        return;
    }
    if let Err(error) =
        decode(&stream, is_json, payload).and_then(|input| hub.desk.control.send(input))
    {
        peer.tell(Level::Error, &format!("{}: {error}", stream.topic()));
    }
}

fn decode(stream: &Stream, is_json: bool, payload: &[u8]) -> Result<Input, InputError> {
    if !is_json {
        return ros::input_from_cdr(stream, payload);
    }
    let text = std::str::from_utf8(payload).map_err(|error| InputError::Value {
        name: "message".to_owned(),
        found: error.to_string(),
        expected: "JSON in UTF-8".to_owned(),
    })?;
    ros::input_from_json(stream, text)
}

/// Carries any bytes out as the messages of a client: a byte for the kind, two for the length, and the
/// message, one after the other.
pub fn fuzz_messages(mut bytes: &[u8]) {
    let desk = Arc::new(ServiceDesk::new(Arc::new(Session)));
    let hub = Hub::new(ServerSettings::new(([127, 0, 0, 1], 0).into()), desk);
    let descriptions = [crate::Description {
        topic: "/robot/odometry".to_owned(),
        encoding: "cdr".to_owned(),
        schema_name: "nav_msgs/msg/Odometry".to_owned(),
        schema_encoding: "ros2msg".to_owned(),
        schema: String::new(),
        is_latched: true,
    }];
    hub.set_channels(descriptions.to_vec());
    let peer = Arc::new(Peer::new("fuzz".to_owned(), 1 << 20, || ()));
    hub.join(&peer);
    while let [kind, low, high, rest @ ..] = bytes {
        let len = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (message, after) = rest.split_at(len);
        bytes = after;
        let carried = match kind % 2 {
            0 => text(&hub, &peer, &String::from_utf8_lossy(message)),
            _ => binary(&hub, &peer, message),
        };
        // the connection would end
        if carried.is_err() {
            break;
        }
    }
    hub.report();
    hub.leave(&peer);
}

/// A session that accepts every input.
struct Session;

impl Control for Session {
    fn send(&self, _: Input) -> Result<(), InputError> {
        Ok(())
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        let effect = Effect::Command { vehicle: "robot".to_owned(), kind: "twist".to_owned() };
        let mut stream = Stream::new("robot/cmd_vel", Arc::new(types::Twist::TYPE));
        (stream.direction, stream.effect) = (Direction::Input, Some(effect));
        vec![Arc::new(stream)]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter { name: "robot/controller/KP".to_owned(), value: "1".to_owned() }]
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }
}
