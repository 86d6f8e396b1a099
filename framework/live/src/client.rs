//! A client of the protocol, for programs that watch or drive a session.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::http::header::{AUTHORIZATION, SEC_WEBSOCKET_PROTOCOL};
use tungstenite::{Error, Message, WebSocket};

use crate::handshake::SUBPROTOCOLS;
use crate::protocol;

/// A connection to a server.
pub struct Client {
    socket: WebSocket<TcpStream>,
    /// Channels by topic.
    channels: BTreeMap<String, u32>,
    /// Numbers of services by name.
    services: BTreeMap<String, u32>,
    /// Topics that are subscribed to.
    subscribed: BTreeSet<String>,
    name: String,
    next: u32,
}

/// A message of the server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A sample of a subscription.
    Sample {
        /// Number that [`Client::subscribe`] returned.
        subscription: u32,
        /// Simulated time, ns.
        stamp: u64,
        /// The message in CDR.
        payload: Vec<u8>,
    },
    /// Simulated time, ns.
    Time(u64),
    /// The response of a service in JSON.
    Response {
        /// Number that [`Client::call`] returned.
        call: u32,
        /// The response.
        value: Value,
    },
    /// Any other message, such as changed channels, values of parameters, or a status.
    Text(Value),
    /// The server has ended the connection.
    Closed(String),
}

/// A client cannot connect, or has lost its connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server does not answer.
    #[error("cannot connect to {address}: {error}")]
    Connect {
        /// Address of the server.
        address: SocketAddr,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The server refuses the client.
    #[error("{address} refuses the connection: {reason}")]
    Refused {
        /// Address of the server.
        address: SocketAddr,
        /// The reason it gives.
        reason: String,
    },
    /// The connection is lost.
    #[error("the connection is lost: {0}")]
    Lost(String),
    /// The server has no such topic or service.
    #[error("the server has no '{0}'")]
    Unknown(String),
}

impl Client {
    /// Connects to a server and waits until its channels and services are known.
    ///
    /// # Errors
    /// [`ClientError`] if there is no server, or it refuses the client.
    pub fn connect(address: SocketAddr, token: Option<&str>) -> Result<Self, ClientError> {
        const PATIENCE: Duration = Duration::from_secs(5);
        let failed = |error| ClientError::Connect { address, error };
        let stream = TcpStream::connect_timeout(&address, PATIENCE).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        let refused = |reason: String| ClientError::Refused { address, reason };
        let mut request = format!("ws://{address}/")
            .into_client_request()
            .map_err(|error| refused(error.to_string()))?;
        let headers = request.headers_mut();
        headers.insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOLS[0]));
        if let Some(token) = token {
            let value = HeaderValue::try_from(format!("Bearer {token}"));
            headers.insert(AUTHORIZATION, value.map_err(|error| refused(error.to_string()))?);
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| match error {
            tungstenite::HandshakeError::Failure(Error::Http(response)) => {
                refused(text_of(&response))
            }
            tungstenite::HandshakeError::Failure(error) => refused(error.to_string()),
            tungstenite::HandshakeError::Interrupted(_) => refused("no reply".to_owned()),
        })?;
        let (channels, services, subscribed) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let mut client =
            Self { socket, channels, services, subscribed, name: String::new(), next: 0 };
        while client.services.is_empty() {
            match client.next(PATIENCE)? {
                None => return Err(refused("the server announces no services".to_owned())),
                Some(Event::Closed(reason)) => return Err(refused(reason)),
                Some(_) => {}
            }
        }
        Ok(client)
    }

    /// Returns the topics that can be subscribed to.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.channels.keys().map(String::as_str)
    }

    /// Returns the names of the services, sorted.
    pub fn services(&self) -> impl Iterator<Item = &str> {
        self.services.keys().map(String::as_str)
    }

    /// Returns the name that the server sent, such as the name of the world.
    pub fn server_name(&self) -> &str {
        &self.name
    }

    /// Returns whether the client has subscribed to a topic.
    pub fn is_subscribed(&self, topic: &str) -> bool {
        self.subscribed.contains(topic)
    }

    /// Waits for the next message. Returns `None` if there is none in time.
    ///
    /// # Errors
    /// [`ClientError::Lost`] if the connection is lost.
    pub fn next(&mut self, patience: Duration) -> Result<Option<Event>, ClientError> {
        let lost = |error: &dyn std::fmt::Display| ClientError::Lost(error.to_string());
        let patience = patience.max(Duration::from_millis(1));
        self.socket.get_ref().set_read_timeout(Some(patience)).map_err(|error| lost(&error))?;
        loop {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error))
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    ) =>
                {
                    return Ok(None);
                }
                Err(error) => return Err(lost(&error)),
            };
            let event = match message {
                Message::Text(text) => self.text(text.as_str()),
                Message::Binary(bytes) => binary(&bytes),
                Message::Close(frame) => {
                    let reason = frame.map(|frame| frame.reason.as_str().to_owned());
                    Some(Event::Closed(reason.unwrap_or_default()))
                }
                _ => None,
            };
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    fn text(&mut self, text: &str) -> Option<Event> {
        let value: Value = serde_json::from_str(text).ok()?;
        let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let listed = |list: &str, name: &str| {
            let all = value.get(list).and_then(Value::as_array).into_iter().flatten();
            let named =
                all.filter_map(|one| Some((one[name].as_str()?.to_owned(), number(&one["id"])?)));
            named.collect::<Vec<_>>()
        };
        match value["op"].as_str()? {
            "advertise" => self.channels.extend(listed("channels", "topic")),
            "advertiseServices" => self.services.extend(listed("services", "name")),
            "unadvertise" => {
                let gone: Vec<u32> =
                    value["channelIds"].as_array()?.iter().filter_map(number).collect();
                self.channels.retain(|_, id| !gone.contains(id));
                self.subscribed.retain(|topic| self.channels.contains_key(topic));
            }
            "serverInfo" => value["name"].as_str()?.clone_into(&mut self.name),
            _ => {}
        }
        Some(Event::Text(value))
    }

    /// Subscribes to a topic and returns the number of the subscription.
    ///
    /// # Errors
    /// [`ClientError`] if the server has no such topic, or the connection is lost.
    pub fn subscribe(&mut self, topic: &str) -> Result<u32, ClientError> {
        let unknown = || ClientError::Unknown(topic.to_owned());
        let channel = *self.channels.get(topic).ok_or_else(unknown)?;
        let id = self.number();
        let subscription = json!({"id": id, "channelId": channel});
        self.send(&json!({"op": "subscribe", "subscriptions": [subscription]}))?;
        self.subscribed.insert(topic.to_owned());
        Ok(id)
    }

    /// Announces that the client publishes a topic in JSON, and returns the number of its channel.
    ///
    /// # Errors
    /// [`ClientError::Lost`] if the connection is lost.
    pub fn advertise(&mut self, topic: &str, schema_name: &str) -> Result<u32, ClientError> {
        let id = self.number();
        let channel =
            json!({"id": id, "topic": topic, "encoding": "json", "schemaName": schema_name});
        self.send(&json!({"op": "advertise", "channels": [channel]}))?;
        Ok(id)
    }

    /// Publishes a message in JSON.
    ///
    /// # Errors
    /// [`ClientError::Lost`] if the connection is lost.
    pub fn publish(&mut self, channel: u32, message: &Value) -> Result<(), ClientError> {
        let mut bytes = vec![1];
        bytes.extend(channel.to_le_bytes());
        bytes.extend(message.to_string().as_bytes());
        self.write(Message::binary(bytes))
    }

    /// Calls a service with a request in JSON, and returns the number that its response repeats.
    ///
    /// # Errors
    /// [`ClientError`] if the server has no such service, or the connection is lost.
    pub fn call(&mut self, service: &str, request: &Value) -> Result<u32, ClientError> {
        let unknown = || ClientError::Unknown(service.to_owned());
        let service = *self.services.get(service).ok_or_else(unknown)?;
        let call = self.number();
        let mut bytes = vec![2];
        bytes.extend(service.to_le_bytes());
        bytes.extend(call.to_le_bytes());
        bytes.extend(4_u32.to_le_bytes());
        bytes.extend(b"json");
        bytes.extend(request.to_string().as_bytes());
        self.write(Message::binary(bytes))?;
        Ok(call)
    }

    /// Sends a text message of the protocol.
    ///
    /// # Errors
    /// [`ClientError::Lost`] if the connection is lost.
    pub fn send(&mut self, message: &Value) -> Result<(), ClientError> {
        self.write(Message::text(message.to_string()))
    }

    fn write(&mut self, message: Message) -> Result<(), ClientError> {
        self.socket.send(message).map_err(|error| ClientError::Lost(error.to_string()))
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

fn binary(bytes: &[u8]) -> Option<Event> {
    let (opcode, rest) = bytes.split_first()?;
    let stamp_of = |bytes: &[u8]| Some(u64::from_le_bytes(*bytes.first_chunk()?));
    match opcode {
        1 => {
            let (subscription, rest) = protocol::u32_of(rest)?;
            let stamp = stamp_of(rest)?;
            Some(Event::Sample { subscription, stamp, payload: rest[8..].to_vec() })
        }
        2 => Some(Event::Time(stamp_of(rest)?)),
        3 => {
            let (_, rest) = protocol::u32_of(rest)?;
            let (call, rest) = protocol::u32_of(rest)?;
            let (len, rest) = protocol::u32_of(rest)?;
            let payload = rest.get(len as usize..)?;
            Some(Event::Response { call, value: serde_json::from_slice(payload).ok()? })
        }
        _ => None,
    }
}

/// Returns the reason in a response that refuses a client.
fn text_of(response: &tungstenite::http::Response<Option<Vec<u8>>>) -> String {
    let body = response.body().as_deref().map(String::from_utf8_lossy);
    let body = body.as_deref().map(str::trim).filter(|text| !text.is_empty());
    body.map_or_else(|| response.status().to_string(), str::to_owned)
}
