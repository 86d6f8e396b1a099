//! Streams: named, timed sequences of samples of one type, which enter and leave a simulation.
//!
//! A [`StreamType`] lists its fields with their units, and names the ROS 2 message that carries
//! them. A [`Stream`] is one sequence of such samples in a world, for instance `robot/odometry`. A
//! [`Sink`] takes the samples of streams: a file, a server, or code of a user. An [`Input`] enters
//! a simulation.
//!
//! * [`types`] has the types of the streams, such as odometry, scans and images.
//! * [`ros`] encodes samples as messages of ROS 2, in CDR and JSON.
//! * [`background`] runs a sink on a [`writing_thread`], and [`handover`] passes data to it.
//!
//! The crate does not depend on the simulation: its owner fills samples and applies inputs.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod background;
mod block;
mod control;
pub mod handover;
mod host;
pub mod image;
mod input;
pub mod ros;
mod sample;
mod sink;
pub mod source;
mod stream;
pub mod types;
pub mod writing_thread;

pub use control::{Control, Parameter, Progress};
pub use host::{SessionHost, SessionRequest};
pub use input::{Input, InputError, RecordingAction};
pub use sample::{Bulk, Sample, Stamp};
pub use sink::{Sink, SinkError};
pub use stream::{Count, Direction, Effect, Field, Stream, StreamType, Trigger};
pub use types::TypedSample;
