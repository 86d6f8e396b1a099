//! The start of a connection: the handshake, or the answer to a request of HTTP.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tungstenite::Error;
use tungstenite::handshake::HandshakeError;
use tungstenite::handshake::server::{Request, Response, ServerHandshake};
use tungstenite::http::StatusCode;
use tungstenite::protocol::WebSocketConfig;

use crate::handshake::{self, Refusal};
use crate::head::Head;
use crate::http;
use crate::hub::Hub;

/// Time for the handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The kind of a connection.
pub enum Greeted {
    /// A client of the protocol, which is connected now.
    Client,
    /// A request of HTTP, which has been answered.
    Page,
}

/// Does the handshake, or answers a request of HTTP.
pub fn greet(stream: &TcpStream, hub: &Hub) -> Result<Greeted, String> {
    let prepared =
        stream.set_nodelay(true).and_then(|()| stream.set_write_timeout(Some(HANDSHAKE)));
    prepared.map_err(|error| error.to_string())?;
    let mut socket = Handshaking { stream, deadline: Instant::now() + HANDSHAKE, head: Vec::new() };
    let head = Head::read(&mut socket).inspect_err(|error| refuse_stranger(stream, error))?;
    if !head.is_upgrade() {
        let mut to = io::BufWriter::new(stream);
        let answered =
            http::answer(&mut to, &head.request, &hub.settings, hub.desk.host.as_deref());
        return answered.map(|()| Greeted::Page).map_err(|error| error.to_string());
    }
    socket.head = head.bytes;
    let mut reason = None;
    #[expect(clippy::result_large_err, reason = "the library prescribes the type")]
    let check = |request: &Request, response: Response| {
        let checked = match hub.is_full() {
            true => {
                let text = format!("{} clients are connected already", hub.settings.max_clients);
                Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text))
            }
            false => handshake::check(request, response, &hub.settings),
        };
        checked.map_err(|refusal| {
            reason = Some(refusal.text.clone());
            refusal.response()
        })
    };
    match ServerHandshake::start(socket, check, Some(config(hub))).handshake() {
        Ok(_) => match stream.set_read_timeout(None) {
            Ok(()) => Ok(Greeted::Client),
            Err(error) => Err(error.to_string()),
        },
        Err(HandshakeError::Interrupted(_)) => Err("the handshake took too long".to_owned()),
        Err(HandshakeError::Failure(error)) => {
            if !matches!(error, Error::Http(_) | Error::Io(_)) {
                refuse_stranger(stream, &error.to_string());
            }
            Err(reason.unwrap_or_else(|| error.to_string()).trim().to_owned())
        }
    }
}

/// Answers a program that speaks neither WebSocket nor HTTP.
fn refuse_stranger(mut stream: &TcpStream, error: &str) {
    let text = format!(
        "{error}\nThis address serves a simulation to clients of the Foxglove WebSocket protocol, such as \
         Foxglove, Lichtblick or `simhost top`.\n"
    );
    let len = text.len();
    // the client may be gone
    let _ = write!(
        stream,
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\
         Content-Length: {len}\r\n\r\n{text}"
    );
}

/// Returns the limits of the messages of a client.
pub fn config(hub: &Hub) -> WebSocketConfig {
    let max = Some(hub.settings.max_message);
    WebSocketConfig::default()
        .read_buffer_size(8 << 10)
        .write_buffer_size(0)
        .max_message_size(max)
        .max_frame_size(max)
}

/// A connection during the handshake, which has to end in time.
struct Handshaking<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
    /// Bytes that have been read already, and are read again.
    head: Vec<u8>,
}

impl Read for Handshaking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            let count = self.head.len().min(buffer.len());
            buffer[..count].copy_from_slice(&self.head[..count]);
            self.head.drain(..count);
            return Ok(count);
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

impl Write for Handshaking<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
