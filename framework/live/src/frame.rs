//! Frames of the WebSocket protocol that wait for a client.

use tungstenite::Bytes;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// Largest header of a frame (10 bytes) and of a message in it (13 bytes).
const MAX_HEAD: usize = 23;

/// Opcode of a message with a sample.
const SAMPLE: u8 = 1;
/// Opcode of a message with the simulated time.
const TIME: u8 = 2;

/// The state that frames with the simulated time describe. Numbers of subscriptions are smaller.
const CLOCK: u64 = u64::MAX;

/// Message of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Text in UTF-8.
    Text(Vec<u8>),
    /// Any bytes.
    Binary(Vec<u8>),
}

/// A frame that is sent to a client. Clients share the payload.
#[derive(Clone, Debug)]
pub struct Frame {
    head: [u8; MAX_HEAD],
    head_len: usize,
    /// Length of the header of WebSocket, with which `head` begins.
    header_len: usize,
    payload: Bytes,
    /// Whether it may be dropped when the client reads too slowly.
    pub is_sample: bool,
    /// The stream whose later samples replace this one, by the number of its subscription, or [`CLOCK`].
    pub state: Option<u64>,
}

impl Frame {
    /// Creates a frame with a text.
    pub fn text(payload: impl Into<Bytes>) -> Self {
        Self::new(OpCode::Data(Data::Text), &[], payload.into(), false)
    }

    /// Creates a frame with bytes that must not be dropped.
    pub fn binary(payload: impl Into<Bytes>) -> Self {
        Self::new(OpCode::Data(Data::Binary), &[], payload.into(), false)
    }

    /// Creates a frame with a sample of a stream.
    pub fn sample(subscription: u32, stamp: u64, payload: Bytes) -> Self {
        let mut head = [SAMPLE; 13];
        head[1..5].copy_from_slice(&subscription.to_le_bytes());
        head[5..].copy_from_slice(&stamp.to_le_bytes());
        Self::new(OpCode::Data(Data::Binary), &head, payload, true)
    }

    /// Returns the sample as one of a state, which later ones replace.
    #[must_use]
    pub fn of_state(self, subscription: u32) -> Self {
        Self { state: Some(subscription.into()), ..self }
    }

    /// Creates a frame with the simulated time.
    pub fn time(stamp: u64) -> Self {
        let mut head = [TIME; 9];
        head[1..].copy_from_slice(&stamp.to_le_bytes());
        let frame = Self::new(OpCode::Data(Data::Binary), &head, Bytes::new(), true);
        Self { state: Some(CLOCK), ..frame }
    }

    /// Creates a frame from its bytes.
    pub fn raw(bytes: Vec<u8>) -> Self {
        Self {
            head: [0; MAX_HEAD],
            head_len: 0,
            header_len: 0,
            payload: bytes.into(),
            is_sample: false,
            state: None,
        }
    }

    fn new(opcode: OpCode, prefix: &[u8], payload: Bytes, is_sample: bool) -> Self {
        let header = FrameHeader { opcode, ..FrameHeader::default() };
        let mut head = [0; MAX_HEAD];
        let mut rest = &mut head[..];
        let len = (prefix.len() + payload.len()) as u64;
        header.format(len, &mut rest).expect("a header has at most 10 bytes");
        let start = MAX_HEAD - rest.len();
        head[start..start + prefix.len()].copy_from_slice(prefix);
        let head_len = start + prefix.len();
        Self { head, head_len, header_len: start, payload, is_sample, state: None }
    }

    /// Returns the message in the frame, unless it controls the connection.
    pub fn payload(&self) -> Option<Payload> {
        let [header, prefix] =
            [&self.head[..self.header_len], &self.head[self.header_len..self.head_len]];
        let bytes = [prefix, &self.payload[..]].concat();
        match OpCode::from(header.first()? & 0x0f) {
            OpCode::Data(Data::Text) => Some(Payload::Text(bytes)),
            OpCode::Data(Data::Binary) => Some(Payload::Binary(bytes)),
            _ => None,
        }
    }

    /// Returns the memory that the frame takes, bytes.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.payload.len()
    }

    /// Appends the bytes of the frame.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head[..self.head_len]);
        out.extend_from_slice(&self.payload);
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Payload};
    use tungstenite::Bytes;

    #[test]
    fn frames_have_the_bytes_of_the_protocol() {
        let mut out = Vec::new();
        Frame::sample(7, 0x0102, Bytes::from_static(b"ab")).write(&mut out);
        // final binary frame, 15 bytes; opcode, subscription, stamp, payload
        assert_eq!(out[..2], [0x82, 15]);
        assert_eq!(out[2..], [1, 7, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, b'a', b'b']);
        let message = [1, 7, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, b'a', b'b'];
        let sample = Frame::sample(7, 0x0102, Bytes::from_static(b"ab"));
        assert_eq!(sample.payload(), Some(Payload::Binary(message.to_vec())));
        assert_eq!(Frame::text("ab").payload(), Some(Payload::Text(b"ab".to_vec())));
        assert_eq!(Frame::raw(vec![0x88, 0]).payload(), None, "the end of the connection");
        out.clear();
        Frame::text(vec![b'x'; 70_000]).write(&mut out);
        assert_eq!(out[..10], [0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70]);
        assert_eq!(out.len(), 70_010);
    }
}
