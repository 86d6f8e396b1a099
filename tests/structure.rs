//! The shape of the source: layers without cycles, allowed dependencies, and sizes.

mod circles;
mod crates;
mod modules;
mod names;
mod sizes;
mod source;
