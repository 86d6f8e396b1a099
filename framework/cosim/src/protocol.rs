//! Messages between simhost and an FMU in a separate process.
//!
//! A message is its length in bytes as `u64`, little endian, and its content in the format of
//! [postcard](https://postcard.jamesmunns.com), in which numbers keep their bits. Both sides are the same program.

use std::borrow::Cow;
use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::description::Start;
use crate::lane::Advance;

/// Largest message, bytes.
pub(crate) const MAX_MESSAGE: u64 = 1 << 30;

/// The first message of the process.
#[derive(Serialize, Deserialize)]
pub(crate) enum Opening {
    Opened {
        /// Token of the description and its number of variables, which show that both sides have read the same file.
        token: String,
        variables: usize,
        /// The reason why the state cannot be saved, if it cannot.
        states: std::result::Result<(), String>,
    },
    Refused {
        text: String,
        help: String,
    },
}

/// A call of an instance, which its number identifies.
#[derive(Serialize, Deserialize)]
pub(crate) enum Request<'a> {
    Create(u32, Cow<'a, [(usize, Start)]>),
    Advance(u32, Cow<'a, Advance>),
    Save(u32),
    Restore(u32, Cow<'a, [u8]>),
    Remove(u32),
}

/// The result of a call.
#[derive(Serialize, Deserialize)]
pub(crate) enum Answer {
    Done,
    Values(Vec<f64>),
    State(Vec<u8>),
    Failed(String),
}

/// Writes a message.
///
/// # Errors
/// The other side has ended.
pub(crate) fn send(writer: &mut impl Write, message: &impl Serialize) -> Result<()> {
    let body = postcard::to_stdvec(message).map_err(Error::other)?;
    let mut bytes = Vec::with_capacity(body.len() + size_of::<u64>());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    writer.write_all(&bytes)?;
    writer.flush()
}

/// Reads a message.
///
/// # Errors
/// The other side has ended, or the message is not valid.
pub(crate) fn receive<T: DeserializeOwned>(reader: &mut impl Read) -> Result<T> {
    let mut length = [0; size_of::<u64>()];
    reader.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_MESSAGE {
        let text = format!("found a message of {length} bytes; expected at most {MAX_MESSAGE}");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    let mut body = vec![0; length as usize];
    reader.read_exact(&mut body)?;
    postcard::from_bytes(&body).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}
