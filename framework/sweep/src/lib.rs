//! Studies: many runs of one world with different values, and one row per run.
//!
//! A [`Study`] describes what varies, what is fixed and what is measured; it is read from a plan in TOML or built by a
//! program. [`StudyPlan`] checks it against its world, numbers its runs and gives each an identifier. [`StudyFolder`]
//! keeps the rows, and [`run`] simulates what is missing.
//!
//! ```no_run
//! use simhost_sweep::{Hands, Existing, Study, StudyFolder, StudyPlan};
//!
//! # fn main() -> Result<(), simhost_sweep::StudyError> {
//! let plan = StudyPlan::new(Study::read("study.toml".as_ref())?, None)?;
//! let mut folder = StudyFolder::open("study".as_ref(), &plan, Existing::Refuse)?;
//! simhost_sweep::run(&plan, &mut folder, &Hands::default())?;
//! println!("{}", folder.write_table(&plan)?.display());
//! # Ok(())
//! # }
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod batch;
mod curves;
mod design;
mod error;
mod folder;
mod hands;
mod open_world;
mod optimise;
mod plan;
mod row;
mod sobol;
mod study;

pub use curves::{StudyCurves, curves};
pub use error::StudyError;
pub use folder::{EndedRun, Existing, StudyFolder};
pub use hands::{Hands, Isolation, repeat, run, run_some};
pub use optimise::{CmaEs, optimise, optimised};
pub use plan::StudyPlan;
pub use row::{Best, RunRow, RunStatus};
pub use sobol::{SobolIndices, sobol_indices};
pub use study::{Kept, Objective, PlanValue, Study, StudyGoal, VARIABLE};
