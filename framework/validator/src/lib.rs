//! Tests of models that anybody may run: the boundary, the physics, the speed.
//!
//! [`TESTS`] is the table of tests, which drives the list, the documentation and the run. Each test of
//! each model runs in a process of its own ([`run`] starts it, [`perform`] is its other side), so
//! that a crash, an exit or a hang is the failure of that test and of no other.

#![expect(clippy::result_large_err, reason = "a fault has its text with it, as at the boundary")]

mod allocations;
pub mod bench;
mod case;
mod draw;
mod instance;
mod junit;
mod memories;
mod process;
mod rig;
mod run;
mod subject;
mod table;
mod tests;
mod verdict;

pub use junit::junit;
pub use process::{Program, perform};
pub use run::{Line, Plan, run};
pub use subject::Subject;
pub use table::{TESTS, Test};
pub use verdict::{Failure, Verdict};
