//! Sends messages to the clients of a server, and ends it with the run.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use simhost_streams::Control;
use tungstenite::Bytes;

use crate::channel::{Channel, Description};
use crate::hub::{Hub, Totals};

/// Time that clients have at the end to read what waits for them.
const FAREWELL: Duration = Duration::from_secs(1);

/// Sends encoded messages to the clients of a server.
pub struct Publisher {
    hub: Arc<Hub>,
    running: Option<(Sender<()>, JoinHandle<()>)>,
    channels: Vec<Arc<Channel>>,
}

impl Publisher {
    /// Creates the publisher of a hub, with the thread that accepts its clients and the way to end it.
    pub(crate) fn new(hub: Arc<Hub>, running: Option<(Sender<()>, JoinHandle<()>)>) -> Self {
        Self { hub, running, channels: Vec::new() }
    }

    /// Replaces the channels, whose indices the other methods use. Clients keep subscriptions to channels
    /// with the same description. Stamps may begin anew.
    pub fn set_channels(&mut self, descriptions: Vec<Description>) {
        self.channels = self.hub.set_channels(descriptions);
    }

    /// Lets stamps begin anew.
    pub fn rewind(&mut self) {
        let descriptions = self.channels.iter().map(|channel| channel.description.clone());
        self.set_channels(descriptions.collect());
    }

    /// Returns whether a client has subscribed to a channel.
    pub fn is_wanted(&self, channel: usize) -> bool {
        self.channels.get(channel).is_some_and(|channel| channel.is_subscribed())
    }

    /// Sends a message to the clients that have subscribed to its channel.
    pub fn publish(&self, channel: usize, stamp: u64, message: &[u8]) {
        if let Some(channel) = self.channels.get(channel) {
            self.hub.publish(channel, stamp, Bytes::copy_from_slice(message));
        }
    }

    /// Sets the simulated time, ns, which clients receive with [`Self::send_time`] and when they connect.
    pub fn set_time(&self, stamp: u64) {
        self.hub.set_time(stamp);
    }

    /// Sends the simulated time to all clients.
    pub fn send_time(&self) {
        self.hub.send_time();
    }

    /// Returns the session that the clients control.
    pub fn control(&self) -> &dyn Control {
        &*self.hub.desk.control
    }

    /// Sends a message about the session to all clients, and to those that connect later.
    pub fn notify(&self, text: &str) {
        self.hub.notify(text);
    }

    /// Returns whether a client is connected.
    pub fn has_clients(&self) -> bool {
        self.hub.has_clients()
    }

    /// Returns the figures so far.
    pub fn totals(&self) -> Totals {
        self.hub.figures()
    }

    /// Returns a function that returns the figures, also after the server has ended.
    pub fn watch_totals(&self) -> impl Fn() -> Totals + Send + 'static {
        let hub = self.hub.clone();
        move || hub.figures()
    }

    /// Ends the server. Clients have a second to read what waits for them.
    pub fn finish(&mut self) {
        let Some((stop, thread)) = self.running.take() else { return };
        // the thread ends by itself only through a panic
        let _ = stop.send(());
        let _ = thread.join();
        let peers = self.hub.all();
        for peer in &peers {
            peer.dismiss();
        }
        let deadline = Instant::now() + FAREWELL;
        while self.hub.has_clients() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        for peer in &self.hub.all() {
            peer.disconnect();
        }
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.finish();
    }
}
