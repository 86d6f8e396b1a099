//! The private extension module `_core` of the Python package `simhost`.
//!
//! The public package is Python code in `framework/python/python/simhost`, with docstrings and
//! types; this crate has the classes below it, and the command line.
//!
//! Arrays that it returns are never written again, except for the array of `Session.watch`. Calls
//! that step release the lock of the interpreter, look for signals every 20 ms, and accept one
//! caller at a time: a second one gets `simhost.BusyError`.
//!
//! The stubs are in `_core.pyi`, and a test compares them with the module. maturin builds the
//! wheel.

mod arrays;
mod arrow;
mod ensemble;
mod errors;
mod fmus;
mod forked;
mod model;
mod picture;
mod quantities;
mod recorder;
mod rows;
mod runs;
mod sample;
mod session;
mod snapshot;
mod strategy;
mod world_options;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use super::*;

    #[pymodule_export]
    use super::arrow::arrow_stream;
    #[pymodule_export]
    use super::ensemble::{Actor, Ensemble, EnsembleSnapshot, Selection};
    #[pymodule_export]
    use super::fmus::{export_fmu, export_model_fmu};
    #[pymodule_export]
    use super::model::{Random, add_model, host_ports};
    #[pymodule_export]
    use super::picture::{column_unit, read_run};
    #[pymodule_export]
    use super::plugin_header;
    #[pymodule_export]
    use super::recorder::Recorder;
    #[pymodule_export]
    use super::rows::{Below, Scaled};
    #[pymodule_export]
    use super::run_command_line;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::snapshot::Snapshot;
    #[pymodule_export]
    use super::strategy::Strategy;
    #[pymodule_export]
    use super::version;

    /// Lets FMUs run in further processes of this interpreter.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let program: Option<std::path::PathBuf> =
            module.py().import("sys")?.getattr("executable")?.extract()?;
        // a program that embeds Python can have no interpreter to start
        if let Some(program) = program.filter(|program| !program.as_os_str().is_empty()) {
            simhost_cli::run_fmus_by(program, ["-m", "simhost"].map(Into::into).to_vec());
        }
        Ok(())
    }
}

/// Runs the command line `words`, which starts with the name of the program, and returns its exit
/// code. `program` and `before` start it in a further process. `files` are the files with models
/// that have been run, each with the full names of its classes. It installs handlers of signals, so
/// a process calls it once.
#[pyfunction]
fn run_command_line(
    py: Python<'_>,
    words: Vec<std::ffi::OsString>,
    program: std::path::PathBuf,
    before: Vec<std::ffi::OsString>,
    files: Vec<(std::path::PathBuf, Vec<String>)>,
) -> u8 {
    let files = files.into_iter();
    let python = files.map(|(path, classes)| simhost_cli::PythonFile { path, classes }).collect();
    let process =
        simhost_cli::Process { words, program: Some(program), before, python: Some(python) };
    py.detach(|| simhost_cli::run(process))
}

/// Returns the version of simhost.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns the C header of plugins.
#[pyfunction]
fn plugin_header() -> &'static str {
    include_str!("../../../sdk/c/simhost_plugin.h")
}
