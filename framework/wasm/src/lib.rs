//! The simulator as a WebAssembly module, for a browser tab.
//!
//! The page calls the functions of [`boundary`] and reads texts and bytes from the memory of the module. Files, the
//! clock and printed text go through WASI (preview 1), which the page implements in memory:
//! `web/src/tab/wasi.ts`. Sessions work as in any other program. `web/src/tab/module.ts` wraps both.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod boundary;
#[cfg(target_family = "wasm")]
mod missing_libc;
#[cfg(target_family = "wasm")]
mod models;
mod remedies;
#[cfg(target_family = "wasm")]
mod scripts;
mod tab;

pub use tab::{OpenRequest, Tab};
