//! Output files of a run: CSV tables, and a picture of the run from above.
//!
//! All columns are in SI units, named with the unit. Numbers are the shortest decimals that read
//! back as the same f64; negative zero is `0`, not-a-number `nan`, the infinities `inf` and `-inf`.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod block;
mod commands;
mod error;
mod file_name;
mod picture;
mod recorder;
mod rows;
mod table;
mod text;
mod units;
mod writer;

pub use commands::{CommandFileError, CommandKinds, CommandRow, CommandedVehicle, read_commands};
pub use error::RecordError;
pub use picture::{Picture, Shape, ShapeKind, Track};
pub use recorder::{CsvRecorder, Tables, Tick};
pub use rows::{EnergyRow, HashRow, SensorFile, Standard};
pub use units::column_name;
pub use writer::close_all;
