//! Models in WebAssembly modules.
//!
//! A module is a plugin in one file for all platforms: it has the structs of the boundary in its memory, with addresses of 32
//! bits, and exports the functions of `sdk/src/module.rs`. [`Sandbox`] turns it into a descriptor of this process, so that the
//! host uses its models like any other. A call copies the columns of its lanes into the memory of the module and the results
//! back (`frame.rs`). A trap, an endless loop and exhausted memory are faults of the model: nothing in a module can reach the
//! memory, the files or the clock of the host.
//!
//! An [`Engine`] runs modules: wasmtime in programs, and the engine of the browser in a tab. Each instance
//! of a model has a separate module instance with a limited memory.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![expect(clippy::result_large_err, reason = "a fault contains its text, as at the boundary")]

mod abilities;
#[cfg(feature = "wasmtime")]
mod cache;
mod calls;
mod descriptor;
mod engine;
#[cfg(feature = "wasmtime")]
mod engine_wasmtime;
mod frame;
mod functions;
mod instance;
mod memory;
mod model;
mod module;
mod runner;
mod services;
mod shapes;
#[cfg(all(test, feature = "wasmtime"))]
mod tests;
mod values;

pub use engine::{
    CallContext, Code, Engine, Export, Guest, GuestMemory, GuestSink, OutOfBounds, Trap,
};
#[cfg(feature = "wasmtime")]
pub use engine_wasmtime::LOADER;
pub use module::Sandbox;
pub use services::{Import, serve};
