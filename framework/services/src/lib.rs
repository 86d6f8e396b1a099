//! Services that the servers of a running simulation offer their clients.
//!
//! `SERVICES` lists them with their types and actions. A server reads a request in its own form, calls
//! [`Service::call`] with a [`ServiceDesk`], which gives access to the session, and writes the response in its own
//! form: the live server in CDR or JSON, a ROS 2 node in CDR. [`ServiceForm`] has the definitions of the messages.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod desk;
#[cfg(test)]
mod driven;
mod drivers;
mod entities;
mod interfaces;
pub mod modes;
mod piece;
mod service;
mod session;
mod table;

pub use desk::{FAILED, ServiceDesk, ServiceRefusal};
pub use drivers::Drivers;
pub use entities::stamp;
pub use interfaces::{SEPARATOR, ServiceForm, definitions, is_known, schema_of};
pub use service::{Caller, Service, failure};
pub use table::services;
