//! MCAP files of runs: writing, reading and recovery.
//!
//! The format is [MCAP](https://mcap.dev/spec) with the profile `ros2`: schemas in the form `ros2msg`,
//! messages as CDR, chunks compressed with Zstandard. Each channel also carries a description of its
//! stream, from which units, frames and labels are read back.
//!
//! Everything is written here rather than with the crate `mcap`, which would make the program 0.3 MB
//! larger and the first build longer, and write a message in 1.4 to 2.4 times the time. Tests read the
//! files with that crate.
//!
//! [`McapSink`] writes the streams of a run, [`Recording`] reads a file, also one of a program that was
//! killed, and [`recover`] completes such a file. [`PlainMcap`] writes to memory, without compression.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod chunk;
mod description;
mod error;
mod file;
mod recording;
mod recover;
mod scan;
mod sink;
mod summary;

pub use error::McapError;
pub use file::{Attachment, PlainMcap};
pub use recording::{Channel, Message, Recording};
pub use recover::{Recovered, recover};
pub use sink::McapSink;
