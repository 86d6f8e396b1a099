//! The library in exported FMUs, for FMI 2.0 and 3.0.
//!
//! It is the same in all FMUs: the resources of an FMU have an [`Interface`](simhost_fmi::Interface), and the world or the
//! model. An `Instance` is a `WorldSimulator` or a `ModelSimulator` with its variables, and instances share nothing. `fmi2` and
//! `fmi3` have the functions that the standards prescribe.

mod declare;
mod derivative;
mod entry;
mod fmi2;
mod fmi3;
mod instance;
mod logger;
mod model;
mod saved;
mod simulator;
mod state;
mod values;
mod world;
