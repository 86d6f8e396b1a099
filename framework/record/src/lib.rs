//! Output files of a run: CSV tables, point clouds, images, command files and recorded inputs.
//!
//! All columns are in SI units, named with the unit. Numbers are the shortest decimals that read
//! back as the same f64; negative zero is `0`, not-a-number `nan`, the infinities `inf` and `-inf`.
//!
//! * [`CsvRecorder`] writes the tables of a run, in the folder of `--out`.
//! * [`FolderSink`] writes streams to a folder, in one of several formats, on a separate thread.
//! * [`CloudFolders`] and [`ImageFolders`] write readings of lidars and cameras.
//! * [`InputRecord`] keeps the inputs of a run with their steps, from which it repeats.
//! * [`column_name`] and [`parse_column_name`] convert between quantities with units and headings.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod block;
mod clouds;
mod commands;
mod error;
mod file_name;
mod images;
mod inputs;
mod recorder;
mod sinks;
mod table;
mod text;
mod units;
mod writer;

/// Name of the manifest in an output folder, and of the attachment of a recording.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Name of the world of a run as one file in an output folder, and of the attachment of a recording.
pub const WORLD_FILE: &str = "world.flat.xml";
/// Name of the inputs of a run in an output folder.
pub const INPUTS_FILE: &str = "inputs.jsonl";
/// Name of the recording of streams in an output folder.
pub const RECORDING_FILE: &str = "run.mcap";

pub use clouds::{CloudFolders, CloudForm, write_named};
pub use commands::{
    CommandFile, CommandFileError, CommandKinds, CommandRow, CommandedVehicle, ParameterRow,
    read_commands,
};
pub use error::RecordError;
pub use file_name::{file_name_of, folder_name_of};
pub use images::{Earlier, ImageFolders, ImageForms, Shot};
pub use inputs::{InputFileError, InputRecord, InputRecords};
pub use recorder::{
    CsvRecorder, EnergyRow, HashRow, RobotFaultRow, SensorFile, Standard, Tables, Tick,
};
#[cfg(feature = "parquet")]
pub use sinks::{Cell, CellKind, RowFile};
pub use sinks::{FolderSink, Format, MvsimControl, MvsimLog};
pub use text::{csv_cells, csv_number, csv_text};
pub use units::{ColumnName, column_name, parse_column_name};
