//! The rules for the wheels and the chassis of a dynamics class.

use simhost_abi::{ChassisDesc, Model, WheelDesc};

use super::names::key;
use super::reading::{Reader, once};
use super::sized;

/// Checks the wheels and the default chassis.
pub(super) fn check(read: Reader<'_>, model: &Model) -> Result<(), String> {
    let mut tags = Vec::new();
    for wheel in read.items("the list of wheels", model.wheels)? {
        let tag = key(read, "the tag of a wheel", wheel.tag)?;
        let who = format!("wheel '{tag}'");
        sized::<WheelDesc>(&who, wheel.size)?;
        for (axis, value) in [("x", wheel.x), ("y", wheel.y)] {
            finite(&format!("`{axis}` of {who}"), value)?;
        }
        tags.push(tag);
    }
    once("wheel", tags)?;
    if model.chassis.is_null() {
        return Ok(());
    }
    read.place("its chassis", model.chassis, 1)?;
    // SAFETY: not null, aligned and part of the plugin, and the plugin declares that it is a chassis.
    check_chassis(read, unsafe { &*model.chassis })
}

fn check_chassis(read: Reader<'_>, chassis: &'static ChassisDesc) -> Result<(), String> {
    sized::<ChassisDesc>("its chassis", chassis.size)?;
    let ChassisDesc { mass, z_min, z_max, .. } = *chassis;
    for (what, value) in [("mass", mass), ("z_min", z_min), ("z_max", z_max)] {
        finite(&format!("`{what}` of its chassis"), value)?;
    }
    if mass <= 0.0 {
        return Err(format!("the mass of its chassis is {mass} kg, expected more than 0"));
    }
    if z_min > z_max {
        return Err(format!("its chassis reaches from {z_min} m up to {z_max} m"));
    }
    let numbers = read.items("the polygon of its chassis", chassis.polygon)?;
    if numbers.len() < 6 || !numbers.len().is_multiple_of(2) {
        let count = numbers.len();
        return Err(format!(
            "the polygon of its chassis has {count} numbers, expected x and y of at least 3 corners"
        ));
    }
    numbers.iter().try_for_each(|value| finite("a corner of its chassis", *value))
}

fn finite(what: &str, value: f64) -> Result<(), String> {
    if value.is_finite() {
        return Ok(());
    }
    Err(format!("{what} is {value}, expected a finite number"))
}
