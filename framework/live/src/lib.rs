//! Serves a running simulation over WebSocket.
//!
//! A [`Server`] listens for clients of the [Foxglove WebSocket protocol][spec], such as Foxglove,
//! Lichtblick, or a program that uses [`Client`]. It sends them the samples that a [`LiveSink`] takes, and
//! passes on what they publish, the parameters that they set and the services that they call to a
//! [`Control`](simhost_streams::Control). Browsers receive a page and the assets of the world on the same port.
//!
//! Each client has two threads and a separate backlog, which is bounded in bytes. The thread that
//! steps the world only appends to backlogs, so a slow client never slows the simulation.
//!
//! [spec]: https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod backlog;
mod channel;
mod client;
mod connection;
mod frame;
mod handshake;
mod head;
mod http;
mod hub;
mod monitor;
mod parameters;
mod peer;
mod player;
mod protocol;
mod publisher;
mod requests;
mod services;
mod settings;
mod sink;

pub use channel::Description;
pub use client::{Client, ClientError, Event};
pub use http::page_address;
pub use hub::Totals;
pub use monitor::Monitor;
pub use player::{Cue, Deck, Player, Server};
pub use publisher::Publisher;
pub use requests::fuzz_messages;
pub use settings::{LiveError, PageFile, ServerSettings, resolve};
pub use simhost_services::ServiceDesk;
pub use sink::LiveSink;
