//! The shape of the source: layers without cycles, allowed dependencies, and sizes.

#![allow(clippy::unwrap_used)]

#[path = "structure/crates.rs"]
mod crates;
#[path = "structure/modules.rs"]
mod modules;
#[path = "structure/sizes.rs"]
mod sizes;
#[path = "structure/source.rs"]
mod source;
