//! The log of a vehicle: `<log_path>` and `<auto_start_recording>`.

use std::sync::Arc;

use crate::reader::ElementReader;
use crate::vocabulary::{Entry, Value, child};

/// Settings of the log of a vehicle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VehicleLog {
    /// Start of the names of the files, with their folder: `logs/night_`. Empty by default.
    pub path: Arc<str>,
    /// Whether recording starts with the run.
    pub starts: bool,
}

/// The entries of vehicles and their classes.
pub(super) const ENTRIES: &[Entry] = &[
    child("log_path", Value::Text, "Start of the names of the log files, such as `logs/night_`."),
    child(
        "auto_start_recording",
        Value::Bool,
        "Records a log of the vehicle and its wheels from the start, if the run has an output directory.",
    )
    .or("false"),
];

/// Settings as a vehicle or a class gives them.
#[derive(Debug, Default)]
pub(super) struct LogLayer {
    path: Option<Arc<str>>,
    starts: Option<bool>,
}

/// Reads the settings of a vehicle or a class.
pub(super) fn read(reader: &mut ElementReader<'_, '_, '_>) -> LogLayer {
    LogLayer {
        path: reader.given_text("log_path").map(Arc::from),
        starts: reader.given_flag("auto_start_recording"),
    }
}

/// Returns the settings of layers, of which the first ones take precedence; `None` if all are default
/// ones.
pub(super) fn resolve<'a>(
    layers: impl Iterator<Item = &'a LogLayer> + Clone,
) -> Option<Arc<VehicleLog>> {
    let path = layers.clone().find_map(|layer| layer.path.clone());
    let starts = layers.clone().find_map(|layer| layer.starts);
    if path.is_none() && starts.is_none() {
        return None;
    }
    let log = VehicleLog { path: path.unwrap_or_default(), starts: starts.unwrap_or_default() };
    Some(Arc::new(log))
}
