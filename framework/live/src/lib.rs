//! Serves a running simulation over WebSocket.
//!
//! A [`Server`] listens for clients of the [Foxglove WebSocket protocol][spec], such as Foxglove,
//! Lichtblick, or a program that uses [`Client`]. It sends them the samples that a [`LiveSink`] takes, and
//! passes on what they publish, the parameters that they set and the services that they call to a
//! [`Control`](simhost_streams::Control). Browsers receive a page and the assets of the world on the same port.
//!
//! A [`Loopback`] connects a client in the same thread, without the feature `sockets` and everything that needs it.
//!
//! Each client of a server has two threads and a separate backlog, which is bounded in bytes. The thread that
//! steps the world only appends to backlogs, so a slow client never slows the simulation.
//!
//! [spec]: https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md

#![cfg_attr(test, allow(clippy::unwrap_used))]
// what only servers use
#![cfg_attr(not(feature = "sockets"), allow(dead_code))]

mod backlog;
mod channel;
#[cfg(feature = "sockets")]
mod client;
#[cfg(feature = "sockets")]
mod connection;
mod frame;
#[cfg(feature = "sockets")]
mod handshake;
#[cfg(feature = "sockets")]
mod head;
#[cfg(feature = "sockets")]
mod http;
mod hub;
mod loopback;
#[cfg(feature = "sockets")]
mod monitor;
mod parameters;
mod peer;
#[cfg(feature = "sockets")]
mod player;
mod protocol;
mod publisher;
mod requests;
mod services;
mod settings;
mod sink;

pub use channel::Description;
#[cfg(feature = "sockets")]
pub use client::{Client, ClientError, Event};
#[cfg(feature = "sockets")]
pub use http::page_address;
pub use hub::Totals;
pub use loopback::{LiveMessage, Loopback};
#[cfg(feature = "sockets")]
pub use monitor::Monitor;
#[cfg(feature = "sockets")]
pub use player::{Cue, Deck, Player, Server};
pub use publisher::Publisher;
pub use requests::fuzz_messages;
pub use settings::{LiveError, PageFile, ServerSettings, resolve};
pub use simhost_services::ServiceDesk;
pub use sink::LiveSink;
