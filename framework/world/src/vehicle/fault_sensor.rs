//! Names of the parts that report the faults of robots.

use super::description::Vehicle;
use crate::diagnostics::{Diagnostic, did_you_mean};

/// Parts of robots whose faults have a well-known name.
pub const FAULT_SENSORS: &[&str] = &[
    "engine",
    "motor",
    "brake",
    "oil",
    "coolant",
    "fuel",
    "battery",
    "steering",
    "transmission",
    "suspension",
    "tyre",
    "wheel",
    "lights",
    "airbag",
    "computer",
    "communication",
    "emergency_stop",
];

/// Checks the name of a sensor.
///
/// # Errors
/// A [`Diagnostic`] without a position for an unknown name that resembles a known one.
pub(super) fn check(vehicle: &Vehicle, name: &str) -> Result<(), Diagnostic> {
    let own = || vehicle.sensors.iter().map(|sensor| sensor.name.as_str());
    let is_known = |known: &str| known == name;
    if FAULT_SENSORS.iter().copied().any(is_known) || own().any(is_known) {
        return Ok(());
    }
    let hint = did_you_mean(name, FAULT_SENSORS.iter().copied().chain(own()));
    if hint.is_empty() {
        return Ok(());
    }
    Err(Diagnostic::error(format!("unknown fault sensor `{name}`")).label(hint).help(format!(
        "write one of {}, a sensor of the vehicle, or a name that resembles none of them",
        FAULT_SENSORS.join(", ")
    )))
}
