//! Tests of models: the boundary, the physics, and the speed.
//!
//! [`TESTS`] is the table of tests, from which the list, the documentation and the run are derived.
//! Each test of each model runs in a separate process (started by [`run()`], which calls
//! [`perform`] there), so that a crash, an exit or a hang fails that test only.
//!
//! * [`Subject`] is a file, or a model in a file or in this program.
//! * [`Plan`] has the tests to run, with a time limit and values of parameters that have no
//!   default.
//! * [`Verdict`] is passed, failed with the call that shows the defect, or skipped with a reason.
//! * [`junit()`] writes the verdicts for continuous integration.
//! * [`mod@bench`] measures the time per call, next to the built-in model of the same kind.

#![expect(clippy::result_large_err, reason = "a fault contains its text, as at the boundary")]

mod allocations;
pub mod bench;
mod case;
mod draw;
#[cfg(unix)]
mod guarded;
#[cfg(not(unix))]
#[path = "guarded/unguarded.rs"]
mod guarded;
mod instance;
mod junit;
mod process;
mod rig;
mod run;
mod subject;
mod surroundings;
mod table;
mod tests;
mod watching;

pub use case::GivenValue;
pub use instance::{Failure, Verdict};
pub use junit::{JunitCase, JunitSuite, junit, junit_of};
pub use process::{Program, perform};
pub use run::{Plan, ReportLine, run};
pub use subject::Subject;
pub use table::{TESTS, Test};
