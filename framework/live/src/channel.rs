//! Channels: what clients can subscribe to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use simhost_streams::{Stream, Trigger, ros};
use tungstenite::Bytes;

/// Description of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Topic, such as `/robot/odometry`.
    pub topic: String,
    /// Encoding of its messages: `cdr` or `json`.
    pub encoding: String,
    /// Name of the message, such as `nav_msgs/msg/Odometry`.
    pub schema_name: String,
    /// Encoding of the schema: `ros2msg` or `jsonschema`.
    pub schema_encoding: String,
    /// Definition of the message.
    pub schema: String,
    /// Whether each new subscriber receives the last message, however old it is.
    pub is_latched: bool,
}

impl Description {
    /// Describes a stream whose samples are sent as CDR.
    pub fn of_stream(stream: &Stream) -> Self {
        let schema = ros::schema(&stream.kind);
        Self {
            topic: stream.topic(),
            encoding: "cdr".to_owned(),
            schema_name: schema.name.to_string(),
            schema_encoding: "ros2msg".to_owned(),
            schema: schema.text.to_string(),
            is_latched: stream.trigger != Trigger::Step,
        }
    }
}

/// A channel that clients see.
pub struct Channel {
    /// Number of the channel for all clients.
    pub id: u32,
    /// Its description.
    pub description: Description,
    subscribers: AtomicUsize,
    /// The last message with its stamp, for clients that subscribe during a pause.
    latest: Mutex<Option<(u64, Bytes)>>,
}

impl Channel {
    /// Creates a channel without subscribers.
    pub fn new(id: u32, description: Description) -> Self {
        Self { id, description, subscribers: AtomicUsize::new(0), latest: Mutex::default() }
    }

    /// Returns whether a client has subscribed.
    pub fn is_subscribed(&self) -> bool {
        self.subscribers.load(Ordering::Relaxed) > 0
    }

    /// Counts a subscriber.
    pub fn add_subscriber(&self) {
        self.subscribers.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a subscriber less.
    pub fn remove_subscriber(&self) {
        self.subscribers.fetch_sub(1, Ordering::Relaxed);
    }

    /// Keeps the last message.
    pub fn keep(&self, stamp: u64, message: Bytes) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some((stamp, message));
    }

    /// Forgets the last message.
    pub fn forget(&self) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the last message with its stamp.
    pub fn latest(&self) -> Option<(u64, Bytes)> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the channel as clients read it.
    pub fn advertised(&self) -> Value {
        let Description { topic, encoding, schema_name, schema_encoding, schema, .. } =
            &self.description;
        json!({
            "id": self.id, "topic": topic, "encoding": encoding, "schemaName": schema_name,
            "schemaEncoding": schema_encoding, "schema": schema,
        })
    }
}
