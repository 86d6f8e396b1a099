//! The log of a vehicle: `<log_path>` and `<auto_start_recording>`.

use std::ops::Range;
use std::sync::Arc;

use crate::reader::{ElementReader, Field};
use crate::vocabulary::field::child;
use crate::vocabulary::{Entry, Value};

/// Settings of the log of a vehicle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VehicleLog {
    /// Start of the names of the files, with their folder: `logs/night_`. Empty by default.
    pub path: Arc<str>,
    /// Whether recording starts with the run.
    pub starts: bool,
}

/// Start of the names of the files.
pub(super) const PATH: Entry = child(Value::Text)
    .named("log_path")
    .doc("Prefix of the names of the log files, such as `logs/night_`.");
/// Whether recording starts with the run.
pub(super) const STARTS: Entry = child(Value::Bool)
    .named("auto_start_recording")
    .doc("Records a log of the vehicle and its wheels from the start, if the run has an output directory.")
    .or("false");

/// The settings, if one of them is given.
impl Field for Option<Arc<VehicleLog>> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let at = place.start;
        let (path, starts) = (reader.field_at(at)?, reader.field_at(at + 1)?);
        Some(Some(Arc::new(VehicleLog { path, starts })))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        Some(None)
    }
}
