//! A client in the program itself, which exchanges messages without a connection.

use std::sync::Arc;

use simhost_services::ServiceDesk;

use crate::frame::Payload;
use crate::hub::Hub;
use crate::peer::Peer;
use crate::publisher::Publisher;
use crate::requests;
use crate::settings::ServerSettings;
use crate::sink::LiveSink;

/// A client in the same thread as the session, for programs without sockets and threads, such as a browser tab. It sends
/// and receives the messages that a WebSocket would carry.
pub struct Loopback {
    hub: Arc<Hub>,
    peer: Arc<Peer>,
}

/// A message from the server or a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveMessage {
    /// JSON of the protocol.
    Text(String),
    /// A binary message of the protocol.
    Binary(Vec<u8>),
}

impl Loopback {
    /// Connects a client with a session. The sink takes the samples that the client receives. Of the settings, the
    /// name, the rate and the largest backlog count.
    pub fn connect(
        settings: ServerSettings,
        desk: impl Into<Arc<ServiceDesk>>,
    ) -> (Self, LiveSink) {
        let (rate, max_backlog) = (settings.rate, settings.max_backlog);
        let hub = Arc::new(Hub::new(settings, desk.into()));
        let peer = Arc::new(Peer::new("this page".to_owned(), max_backlog, || ()));
        hub.join(&peer);
        let sink = LiveSink::new(Publisher::new(hub.clone(), None), rate);
        (Self { hub, peer }, sink)
    }

    /// Handles a message of the client.
    ///
    /// # Errors
    /// The reason why a server would end the connection: the message is not one of the protocol.
    pub fn receive(&self, message: &LiveMessage) -> Result<(), String> {
        match message {
            LiveMessage::Text(text) => requests::text(&self.hub, &self.peer, text),
            LiveMessage::Binary(bytes) => requests::binary(&self.hub, &self.peer, bytes),
        }
    }

    /// Reports changes of parameters to the client. A server does this every 250 ms.
    pub fn report(&self) {
        self.hub.report();
    }

    /// Returns the messages to the client since the last call.
    pub fn take(&self) -> Vec<LiveMessage> {
        let frames = self.peer.backlog.drain();
        frames
            .iter()
            .filter_map(|frame| match frame.payload()? {
                Payload::Text(bytes) => String::from_utf8(bytes).ok().map(LiveMessage::Text),
                Payload::Binary(bytes) => Some(LiveMessage::Binary(bytes)),
            })
            .collect()
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.hub.leave(&self.peer);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};
    use simhost_streams::{Control, Input, InputError, Progress};

    use super::*;

    struct Session;

    impl Control for Session {
        fn send(&self, _: Input) -> Result<(), InputError> {
            Ok(())
        }

        fn progress(&self) -> Progress {
            Progress::default()
        }
    }

    fn texts(client: &Loopback) -> Vec<Value> {
        let texts = client.take().into_iter().filter_map(|message| match message {
            LiveMessage::Text(text) => serde_json::from_str(&text).ok(),
            LiveMessage::Binary(_) => None,
        });
        texts.collect()
    }

    #[test]
    fn a_client_without_a_connection_speaks_the_protocol() {
        let settings = ServerSettings::new(([127, 0, 0, 1], 0).into());
        let (client, _sink) = Loopback::connect(settings, ServiceDesk::new(Arc::new(Session)));
        let greeting = texts(&client);
        assert_eq!(greeting[0]["op"], "serverInfo");
        assert!(greeting.iter().any(|one| one["op"] == "advertiseServices"));
        assert!(texts(&client).is_empty(), "each message is taken once");
        let request = json!({"op": "getParameters", "parameterNames": [], "id": "a"});
        client.receive(&LiveMessage::Text(request.to_string())).unwrap();
        let [answer] = &texts(&client)[..] else { panic!("expected one answer") };
        assert_eq!((&answer["op"], &answer["id"]), (&json!("parameterValues"), &json!("a")));
        assert!(client.receive(&LiveMessage::Text("hello".to_owned())).is_err());
        assert!(client.receive(&LiveMessage::Binary(vec![99])).is_err());
    }
}
