//! The tests of models from FMUs with FMUs in separate processes, and the end of such processes. The example `serve` of this
//! crate is the program that they run.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

use simhost_model::CodePlace;

mod ends;
mod fmu;
mod models;
mod refusals;
mod worlds;

/// Where the code of the FMUs runs.
const PLACE: CodePlace = CodePlace::Separate;
