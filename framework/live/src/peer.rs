//! A connected client.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use simhost_streams::Stream;
use tungstenite::Bytes;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;

use crate::backlog::Backlog;
use crate::channel::Channel;
use crate::frame::Frame;
use crate::protocol::{Level, status};

/// A connected client: what waits for it, and what it has asked for.
pub struct Peer {
    /// Name under which others know it, such as its address.
    pub name: String,
    /// What waits until it reads.
    pub backlog: Backlog,
    /// Ends the connection at once.
    hang_up: Box<dyn Fn() + Send + Sync>,
    wishes: Mutex<Wishes>,
}

/// Requests of a client.
#[derive(Default)]
pub struct Wishes {
    /// Subscriptions by the number of the channel.
    subscriptions: BTreeMap<u32, Subscribed>,
    /// Channels that it publishes, by its numbers.
    pub published: BTreeMap<u32, Published>,
    /// Parameters whose changes it receives.
    pub watched: BTreeSet<String>,
    /// Whether it receives who publishes and takes which topics.
    pub graph: bool,
}

struct Subscribed {
    /// Number that the client gave the subscription.
    id: u32,
    channel: Arc<Channel>,
    /// Stamp of the last sample that was sent.
    last: Option<u64>,
}

/// A channel that a client publishes.
#[derive(Clone)]
pub struct Published {
    /// The input stream of its topic.
    pub stream: Arc<Stream>,
    /// Whether its messages are in JSON instead of CDR.
    pub is_json: bool,
}

impl Peer {
    /// Creates a client without subscriptions. `hang_up` ends its connection.
    pub fn new(
        name: String,
        max_backlog: usize,
        hang_up: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let (backlog, hang_up) = (Backlog::new(max_backlog), Box::new(hang_up));
        Self { name, backlog, hang_up, wishes: Mutex::default() }
    }

    /// Returns what the client has asked for.
    pub fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a text.
    pub fn send(&self, text: impl Into<Bytes>) {
        self.backlog.push(Frame::text(text));
    }

    /// Sends a message for the user of the client.
    pub fn tell(&self, level: Level, message: &str) {
        tracing::debug!(client = %self.name, "{message}");
        self.send(status(level, message));
    }

    /// Sends a sample if the client has subscribed to the channel and does not have the sample.
    pub fn offer(&self, channel: &Channel, stamp: u64, payload: &Bytes) {
        let mut wishes = self.wishes();
        let Some(subscribed) = wishes.subscriptions.get_mut(&channel.id) else { return };
        if subscribed.last.is_none_or(|last| last < stamp) {
            subscribed.last = Some(stamp);
            let frame = Frame::sample(subscribed.id, stamp, payload.clone());
            self.backlog.push(match channel.description.is_latched {
                true => frame,
                false => frame.of_state(subscribed.id),
            });
        }
    }

    /// Sends the message that the run has ended, and closes the backlog.
    pub fn dismiss(&self) {
        let reason = "the run has ended";
        let mut bytes = Vec::new();
        let frame = CloseFrame { code: CloseCode::Away, reason: reason.into() };
        if tungstenite::protocol::frame::Frame::close(Some(frame)).format(&mut bytes).is_ok() {
            self.backlog.push(Frame::raw(bytes));
        }
        self.backlog.close();
    }

    /// Ends the connection at once.
    pub fn disconnect(&self) {
        self.backlog.abandon();
        (self.hang_up)();
    }
}

impl Wishes {
    /// Subscribes to a channel under a number of the client. Fails if either has a subscription.
    pub fn subscribe(&mut self, id: u32, channel: &Arc<Channel>) -> Result<(), String> {
        if self.subscriptions.values().any(|one| one.id == id) {
            return Err(format!("subscription {id} exists already"));
        }
        if self.subscriptions.contains_key(&channel.id) {
            return Err(format!("channel {} has a subscription already", channel.id));
        }
        let subscribed = Subscribed { id, channel: channel.clone(), last: None };
        self.subscriptions.insert(channel.id, subscribed);
        channel.add_subscriber();
        Ok(())
    }

    /// Ends the subscription with a number of the client. Returns `false` if there is none.
    pub fn unsubscribe(&mut self, id: u32) -> bool {
        let found = self.subscriptions.iter().find(|(_, one)| one.id == id).map(|(key, _)| *key);
        let removed = found.and_then(|key| self.subscriptions.remove(&key));
        removed.map(|one| one.channel.remove_subscriber()).is_some()
    }

    /// Ends the subscriptions to all channels but those that `keep` accepts.
    pub fn retain(&mut self, keep: impl Fn(&Channel) -> bool) {
        self.subscriptions.retain(|_, one| {
            let is_kept = keep(&one.channel);
            if !is_kept {
                one.channel.remove_subscriber();
            }
            is_kept
        });
    }

    /// Begins all subscriptions anew, because time goes back.
    pub fn rewind(&mut self) {
        for subscribed in self.subscriptions.values_mut() {
            subscribed.last = None;
        }
    }
}
