//! Reads what runs have written, and compares runs.
//!
//! A [`Run`] holds the [`Series`] of an output folder: each quantity of `trajectory.csv`,
//! `odometry.csv`, `wheels.csv`, `energy.csv`, `quantities.csv` and the files of sensors, under the
//! name that `simhost quantities` lists; or the series of an MCAP file. A run that was killed can
//! be read up to its last whole row.
//!
//! ```no_run
//! use simhost_runs::Run;
//!
//! # fn main() -> Result<(), simhost_runs::RunError> {
//! let run = Run::open("out/demo".as_ref(), &|name| name.ends_with("/twist"))?;
//! let twist = run.find("robot/twist")?;
//! println!("{} {} at the end", twist.columns[0].last().unwrap_or(&f64::NAN), twist.units[0]);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod comparison;
mod error;
mod files;
mod folder;
mod manifest;
mod recording;
mod run;
mod sensor_files;
mod series;

pub use comparison::{Comparison, RunDifference, Unpaired};
pub use error::RunError;
pub use files::{RunFiles, RunWorld, open_recording};
pub use folder::rows;
pub use manifest::{Manifest, VehicleBody};
pub use recording::scene::{Marker, RecordedMap, RecordedScene};
pub use run::Run;
pub use sensor_files::{SensorFiles, points, sensor_files, viewpoint};
pub use series::Series;
