//! Scans on the software adapter, and on a GPU where there is one, against 64-bit arithmetic.

#![allow(clippy::unwrap_used)]

#[path = "scan/agreement.rs"]
mod agreement;
#[path = "scan/behaviour.rs"]
mod behaviour;
#[path = "scan/scenes.rs"]
mod scenes;
