//! The library in exported FMUs, for FMI 2.0 and 3.0.
//!
//! It is the same in all FMUs: the resources of an FMU have the world and its [`Interface`](simhost_fmi::Interface). Each
//! instance is a session, and instances share nothing. `instance` does the work; `fmi2` and `fmi3` have the
//! functions that the standards prescribe.

mod declare;
mod entry;
mod fmi2;
mod fmi3;
mod instance;
mod logger;
mod state;
mod values;
