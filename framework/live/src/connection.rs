//! The two threads of a client: one reads and handles requests, one writes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::net::sockopt::set_socket_send_buffer_size;
use tungstenite::handshake::HandshakeError;
use tungstenite::handshake::server::{Request, Response, ServerHandshake};
use tungstenite::http::StatusCode;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use crate::frame::Frame;
use crate::handshake::Refusal;
use crate::head::Head;
use crate::hub::Hub;
use crate::peer::Peer;
use crate::{handshake, http, requests};

/// Time after which a client that reads nothing at all is disconnected.
const STALLED: Duration = Duration::from_secs(30);

/// Serves a client until the connection ends. Called on a separate thread.
pub fn serve(stream: TcpStream, hub: &Arc<Hub>) {
    let Ok(address) = stream.peer_addr() else { return };
    match greet(&stream, hub) {
        Ok(Greeted::Page) => {}
        Ok(Greeted::Client) => {
            tracing::info!(client = %address, "connected");
            if let Err(error) = converse(stream, hub) {
                tracing::warn!(client = %address, %error, "connection failed");
            }
            tracing::info!(client = %address, "disconnected");
        }
        Err(reason) => tracing::warn!(client = %address, reason, "refused"),
    }
}

/// Reads the requests of a client and carries them out.
fn converse(stream: TcpStream, hub: &Arc<Hub>) -> io::Result<()> {
    let address = stream.peer_addr()?;
    let own = stream.try_clone()?;
    // fails only if the connection has ended already
    let hang_up = move || drop(own.shutdown(Shutdown::Both));
    let peer = Arc::new(Peer::new(address.to_string(), hub.settings.max_backlog, hang_up));
    if !hub.join(&peer) {
        return Ok(());
    }
    let writer = {
        let (peer, stream) = (peer.clone(), stream.try_clone()?);
        thread::Builder::new().name("live-write".to_owned()).spawn(move || write(&stream, &peer))
    };
    let socket = Talking { stream, peer: peer.clone(), replies: Vec::new() };
    let mut socket = WebSocket::from_raw_socket(socket, Role::Server, Some(websocket_config(hub)));
    let ended = match &writer {
        Ok(_) => listen(&mut socket, hub, &peer),
        Err(error) => Err(error.to_string()),
    };
    if let Err(reason) = ended {
        tracing::warn!(client = %address, reason, "the connection is closed");
        farewell(&mut socket, &reason);
    }
    hub.leave(&peer);
    peer.backlog.close();
    if let Ok(writer) = writer {
        // a panic of the writer has ended the connection
        let _ = writer.join();
    }
    peer.disconnect();
    Ok(())
}

/// Carries requests out until the connection ends.
///
/// # Errors
/// The reason if the server ends the connection.
fn listen(socket: &mut WebSocket<Talking>, hub: &Hub, peer: &Arc<Peer>) -> Result<(), String> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => requests::text(hub, peer, text.as_str())?,
            Ok(Message::Binary(message)) => requests::binary(hub, peer, &message)?,
            Ok(_) => {}
            Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Sends the reason for the end of a connection.
fn farewell(socket: &mut WebSocket<Talking>, reason: &str) {
    /// Largest reason in a frame, bytes.
    const MOST: usize = 120;
    let end = reason.floor_char_boundary(MOST);
    let frame = CloseFrame { code: CloseCode::Policy, reason: reason[..end].into() };
    // the client may be gone
    let _ = socket.close(Some(frame));
    let _ = socket.flush();
}

/// Sizes of the buffer of the system for a connection, bytes: the smallest, the first, and the largest one.
const ROOM: [usize; 3] = [32 << 10, 64 << 10, 1 << 20];
/// Time for which the buffer holds what a connection takes, s.
const IN_TRANSIT: f64 = 0.15;
/// Time between two choices of its size.
const CHOICE: Duration = Duration::from_millis(200);

/// Writes what waits for a client until its backlog is closed or it stops reading. The system buffers no more than
/// the connection takes in a moment, so that samples wait in the backlog, where later ones replace them.
fn write(mut stream: &TcpStream, peer: &Peer) {
    let mut bytes = Vec::new();
    let (mut room, mut since, mut written) = (ROOM[1], Instant::now(), 0);
    // Linux doubles the size
    let set_room = |stream: &TcpStream, room: usize| set_socket_send_buffer_size(stream, room / 2);
    let prepared =
        stream.set_write_timeout(Some(STALLED)).and_then(|()| Ok(set_room(stream, room)?));
    while prepared.is_ok() && peer.backlog.take(room / 4, &mut bytes) {
        if let Err(error) = stream.write_all(&bytes) {
            tracing::debug!(client = %peer.name, %error, "cannot write");
            break;
        }
        written += bytes.len();
        let time = since.elapsed();
        if time >= CHOICE {
            room = room_for(written, time);
            (since, written) = (Instant::now(), 0);
            // without the call, the buffer keeps its size
            let _ = set_room(stream, room);
        }
        bytes.clear();
        bytes.shrink_to(1 << 20);
    }
    peer.backlog.abandon();
    // the reader waits for the client, which has been served
    let _ = stream.shutdown(Shutdown::Both);
}

/// Returns the size of the buffer for a connection that took some bytes in a time.
fn room_for(bytes: usize, time: Duration) -> usize {
    ((bytes as f64 * IN_TRANSIT / time.as_secs_f64()) as usize).clamp(ROOM[0], ROOM[2])
}

/// A connection after the handshake. It reads from the socket; its own frames, such as replies to pings,
/// go to the backlog like all others.
struct Talking {
    stream: TcpStream,
    peer: Arc<Peer>,
    replies: Vec<u8>,
}

impl Read for Talking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Talking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.replies.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.replies.is_empty() {
            self.peer.backlog.push(Frame::raw(std::mem::take(&mut self.replies)));
        }
        Ok(())
    }
}

/// Time for the handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The kind of a connection.
enum Greeted {
    /// A client of the protocol, which is connected now.
    Client,
    /// A request of HTTP, which has been answered.
    Page,
}

/// Does the handshake, or answers a request of HTTP.
fn greet(stream: &TcpStream, hub: &Hub) -> Result<Greeted, String> {
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
    match ServerHandshake::start(socket, check, Some(websocket_config(hub))).handshake() {
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
fn websocket_config(hub: &Hub) -> WebSocketConfig {
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
