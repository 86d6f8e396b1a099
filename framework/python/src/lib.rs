//! The private extension module `_core` of the Python package `simhost`.
//!
//! Arrays that it hands out are never written again, apart from those of `Session.watch`. Calls that step release the
//! lock of the interpreter, look for signals every 20 ms, and take one caller at a time: a second one gets
//! `simhost.BusyError`.

mod arrays;
mod arrow;
mod ensemble;
mod errors;
mod forked;
mod model;
mod picked;
mod picture;
mod recorder;
mod sample;
mod session;
mod snapshot;
mod world_options;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::arrow::arrow_stream;
    #[pymodule_export]
    use super::ensemble::{Actor, Ensemble, EnsembleSnapshot, Selection};
    #[pymodule_export]
    use super::model::add_model;
    #[pymodule_export]
    use super::picture::read_run;
    #[pymodule_export]
    use super::recorder::Recorder;
    #[pymodule_export]
    use super::run_command_line;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::snapshot::Snapshot;
    #[pymodule_export]
    use super::version;
}

/// Runs the command line `words`, of which the first is the name of the program, and returns its exit code. `program`
/// and `before` start it in a further process. It installs handlers of signals, so a process calls it once.
#[pyfunction]
fn run_command_line(
    py: Python<'_>,
    words: Vec<std::ffi::OsString>,
    program: std::path::PathBuf,
    before: Vec<std::ffi::OsString>,
) -> u8 {
    let program = Some(program);
    py.detach(|| simhost_cli::run(simhost_cli::Process { words, program, before }))
}

/// Returns the version of simhost.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
