//! State that all clients share: channels, the clients themselves, and the session behind them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use simhost_services::ServiceDesk;
use simhost_streams::Parameter;
use tungstenite::Bytes;

use crate::backlog::Dropped;
use crate::channel::{Channel, Description};
use crate::frame::Frame;
use crate::parameters;
use crate::peer::Peer;
use crate::protocol::{self, Level};
use crate::services;
use crate::settings::ServerSettings;

/// Number of channels in one message, so that no message becomes very large.
const CHANNELS_PER_MESSAGE: usize = 1000;

/// State that all clients share.
pub struct Hub {
    /// Settings of the server.
    pub settings: ServerSettings,
    /// Access to the session.
    pub desk: Arc<ServiceDesk>,
    /// Number of the session, which changes with each server.
    session: String,
    board: Mutex<Board>,
    peers: Mutex<Vec<Arc<Peer>>>,
    /// Stamp of the last completed step.
    stamp: AtomicU64,
    totals: Mutex<Totals>,
    /// Parameters as clients know them.
    known: Mutex<Vec<Parameter>>,
    /// Message about the session that every client receives once.
    notice: Mutex<Option<String>>,
}

/// Channels, and the messages that announce them.
#[derive(Default)]
struct Board {
    channels: Vec<Arc<Channel>>,
    announcements: Vec<Bytes>,
    next: u32,
}

/// Figures of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Number of clients that were connected.
    pub clients: u64,
    /// Number of samples that slow clients did not receive.
    pub dropped_samples: u64,
    /// Size of these samples, bytes.
    pub dropped_bytes: u64,
}

impl Hub {
    /// Creates a hub without channels and clients.
    pub fn new(settings: ServerSettings, desk: Arc<ServiceDesk>) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self {
            settings,
            desk,
            session: now.map_or(0, |since| since.as_nanos()).to_string(),
            board: Mutex::default(),
            peers: Mutex::default(),
            stamp: AtomicU64::new(0),
            totals: Mutex::default(),
            known: Mutex::default(),
            notice: Mutex::default(),
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn peers(&self) -> MutexGuard<'_, Vec<Arc<Peer>>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects a client: it receives the channels and services. Returns `false` if there are too many.
    pub fn join(&self, peer: &Arc<Peer>) -> bool {
        let services = services::advertised(&self.desk).to_string();
        // announcements and changes of channels must not overtake each other
        let board = self.board();
        let mut peers = self.peers();
        if peers.len() >= self.settings.max_clients {
            return false;
        }
        peer.send(protocol::server_info(
            &self.settings.name,
            &self.session,
            self.desk.host.is_some(),
        ));
        peer.backlog.push(Frame::time(self.stamp.load(Ordering::Relaxed)));
        for announcement in &board.announcements {
            peer.send(announcement.clone());
        }
        peer.send(services);
        if let Some(notice) = &*self.notice() {
            peer.tell(Level::Warning, notice);
        }
        peers.push(peer.clone());
        self.totals().clients += 1;
        true
    }

    fn notice(&self) -> MutexGuard<'_, Option<String>> {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message about the session to all clients, and to those that connect later.
    pub fn notify(&self, text: &str) {
        let peers = self.peers();
        *self.notice() = Some(text.to_owned());
        peers.iter().for_each(|peer| peer.tell(Level::Warning, text));
    }

    /// Forgets a client.
    pub fn leave(&self, peer: &Arc<Peer>) {
        self.peers().retain(|one| !Arc::ptr_eq(one, peer));
        let dropped = peer.backlog.dropped();
        self.totals().add(dropped);
        peer.wishes().retain(|_| false);
        self.desk.drivers.leave(&peer.name);
        if dropped.samples > 0 {
            let Dropped { samples, bytes } = dropped;
            tracing::warn!(client = %peer.name, samples, bytes, "the client read too slowly");
        }
    }

    /// Returns whether as many clients are connected as may be.
    pub fn is_full(&self) -> bool {
        self.peers().len() >= self.settings.max_clients
    }

    /// Returns whether a client is connected.
    pub fn has_clients(&self) -> bool {
        !self.peers().is_empty()
    }

    /// Returns all clients.
    pub fn all(&self) -> Vec<Arc<Peer>> {
        self.peers().clone()
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the figures so far, including connected clients.
    pub fn figures(&self) -> Totals {
        let peers = self.all();
        let mut totals = *self.totals();
        for peer in peers {
            totals.add(peer.backlog.dropped());
        }
        totals
    }

    /// Replaces the channels. Those with the same description keep their number and their subscribers.
    pub fn set_channels(&self, descriptions: Vec<Description>) -> Vec<Arc<Channel>> {
        let mut board = self.board();
        let mut old: BTreeMap<String, Arc<Channel>> = std::mem::take(&mut board.channels)
            .into_iter()
            .map(|channel| (channel.description.topic.clone(), channel))
            .collect();
        let mut new = Vec::new();
        for description in descriptions {
            let known = old.remove(&description.topic);
            let known = match known {
                Some(channel) if channel.description == description => channel,
                other => {
                    // a topic whose type has changed is another channel
                    old.extend(other.map(|channel| (format!("\n{}", description.topic), channel)));
                    let channel = Arc::new(Channel::new(board.next, description));
                    board.next += 1;
                    new.push(channel.clone());
                    channel
                }
            };
            known.forget();
            board.channels.push(known);
        }
        board.announcements = announcements(&board.channels);
        let gone: Vec<u32> = old.values().map(|channel| channel.id).collect();
        self.announce(&announcements(&new), &gone);
        board.channels.clone()
    }

    /// Sends changes of channels to all clients.
    fn announce(&self, new: &[Bytes], gone: &[u32]) {
        for peer in &*self.peers() {
            let mut wishes = peer.wishes();
            wishes.retain(|channel| !gone.contains(&channel.id));
            wishes.rewind();
            drop(wishes);
            if !gone.is_empty() {
                peer.send(json!({"op": "unadvertise", "channelIds": gone}).to_string());
            }
            for message in new {
                peer.send(message.clone());
            }
        }
    }

    /// Returns a channel.
    pub fn channel(&self, id: u32) -> Option<Arc<Channel>> {
        // numbers increase
        let board = self.board();
        let at = board.channels.binary_search_by_key(&id, |channel| channel.id);
        let at = at.ok().or_else(|| board.channels.iter().position(|channel| channel.id == id))?;
        board.channels.get(at).cloned()
    }

    /// Sends a sample to the clients that have subscribed to its channel.
    pub fn publish(&self, channel: &Channel, stamp: u64, payload: Bytes) {
        channel.keep(stamp, payload.clone());
        for peer in &*self.peers() {
            peer.offer(channel, stamp, &payload);
        }
    }

    /// Sends the last sample of a channel to a client that has subscribed just now, if it is of the
    /// present time or still describes the state.
    pub fn catch_up(&self, peer: &Peer, channel: &Channel) {
        let now = self.stamp.load(Ordering::Relaxed);
        if let Some((stamp, payload)) =
            channel.latest().filter(|(stamp, _)| channel.description.is_latched || *stamp == now)
        {
            peer.offer(channel, stamp, &payload);
        }
    }

    /// Sets the time of the last completed step.
    pub fn set_time(&self, stamp: u64) {
        self.stamp.store(stamp, Ordering::Relaxed);
    }

    /// Sends the time to all clients.
    pub fn send_time(&self) {
        let frame = Frame::time(self.stamp.load(Ordering::Relaxed));
        for peer in &*self.peers() {
            peer.backlog.push(frame.clone());
        }
    }

    /// Reports drops to slow clients, and changes of parameters to those that want them.
    pub fn report(&self) {
        let peers = self.all();
        for peer in &peers {
            let Dropped { samples, bytes } = peer.backlog.report();
            if samples > 0 {
                let text = format!(
                    "{samples} samples ({bytes} bytes) were dropped because this client reads too slowly"
                );
                peer.tell(Level::Warning, &text);
            }
        }
        if peers.iter().any(|peer| !peer.wishes().watched.is_empty()) {
            self.report_parameters(&peers);
        }
    }

    /// Returns all parameters with their present values.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut all = parameters::present(&*self.desk.control);
        all.extend(self.desk.drivers.parameter());
        all
    }

    fn report_parameters(&self, peers: &[Arc<Peer>]) {
        let present = self.parameters();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let changed: Vec<&Parameter> =
            present.iter().filter(|parameter| !known.contains(parameter)).collect();
        for peer in peers.iter().filter(|_| !changed.is_empty()) {
            let wishes = peer.wishes();
            let watched = |parameter: &&Parameter| wishes.watched.contains(&parameter.name);
            let mut changed = changed.iter().copied().filter(watched).peekable();
            if changed.peek().is_some() {
                peer.send(parameters::message(changed, None));
            }
        }
        *known = present;
    }

    /// Returns who publishes and takes which topics.
    pub fn graph(&self) -> String {
        let us = ["simhost"];
        let published: Vec<Value> = self
            .board()
            .channels
            .iter()
            .map(|channel| json!({"name": channel.description.topic, "publisherIds": us}))
            .collect();
        let taken = self.desk.control.input_streams().into_iter();
        let taken: Vec<Value> =
            taken.map(|stream| json!({"name": stream.topic(), "subscriberIds": us})).collect();
        let services: Vec<Value> = services::names(&self.desk)
            .map(|name| json!({"name": name, "providerIds": us}))
            .collect();
        json!({
            "op": "connectionGraphUpdate", "publishedTopics": published, "subscribedTopics": taken,
            "advertisedServices": services, "removedTopics": [], "removedServices": [],
        })
        .to_string()
    }
}

impl Totals {
    fn add(&mut self, dropped: Dropped) {
        self.dropped_samples += dropped.samples;
        self.dropped_bytes += dropped.bytes;
    }
}

/// Returns the messages that announce channels; at least one.
fn announcements(channels: &[Arc<Channel>]) -> Vec<Bytes> {
    let message = |channels: &[Arc<Channel>]| {
        let channels: Vec<Value> = channels.iter().map(|channel| channel.advertised()).collect();
        json!({"op": "advertise", "channels": channels}).to_string().into()
    };
    channels.chunks(CHANNELS_PER_MESSAGE).map(message).collect()
}
