//! Tests of models from FMUs, against closed forms. The FMUs are compiled with `cc`; without it, the tests report that they are
//! skipped.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

use simhost_cosim as _;
use simhost_model::CodePlace;

/// Where the code of the FMUs runs.
const PLACE: CodePlace = CodePlace::Here;

mod fmu;
mod models;
mod refusals;
mod worlds;
