//! Rules for the default chassis of a dynamics class and for the rays of a sensor.

use std::ptr::addr_of;

use simhost_abi::{ChassisDesc, Model, Scope};

use super::reading::{has_function, items};

/// Checks the default chassis, which the phases and lists of the model do not refer to.
pub(super) fn check_chassis(model: &Model) -> Result<(), String> {
    if model.chassis.is_null() {
        return Ok(());
    }
    if !model.chassis.is_aligned() {
        return Err("the pointer of the chassis is not aligned".into());
    }
    // SAFETY: not null and aligned; a descriptor is static data. It consists of numbers and a slice.
    let chassis: &ChassisDesc = unsafe { &*model.chassis };
    let size = size_of::<ChassisDesc>();
    if chassis.size as usize != size {
        return Err(format!("the chassis has {} bytes, expected {size}", chassis.size));
    }
    if !(chassis.mass.is_finite() && chassis.mass > 0.0) {
        return Err(format!(
            "the mass of the chassis is {} kg, expected more than 0",
            chassis.mass
        ));
    }
    let (low, high) = (chassis.z_min, chassis.z_max);
    if !(low.is_finite() && high.is_finite() && low <= high) {
        return Err(format!(
            "the chassis is from {low} to {high} m high, expected the lower end first"
        ));
    }
    let polygon = items("the outline of the chassis", chassis.polygon)?;
    if polygon.len() % 2 != 0 || polygon.len() < 6 {
        let count = polygon.len();
        return Err(format!(
            "the outline of the chassis has {count} numbers, expected two for each of 3 or more corners"
        ));
    }
    match polygon.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(format!("a corner of the chassis is at {number} m")),
        None => Ok(()),
    }
}

/// Checks that a sensor with ports of scope ray says how many rays it casts.
pub(super) fn check_rays(model: &Model) -> Result<(), String> {
    // SAFETY: a field of a valid struct; looked at as a number.
    if unsafe { has_function(addr_of!(model.capacity)) } {
        return Ok(());
    }
    for phase in items("the list of phases", model.phases)? {
        for ports in [phase.inputs, phase.outputs] {
            let ports = items("the list of ports", ports)?;
            if let Some(port) = ports.iter().find(|port| port.scope == Scope::Ray as u32) {
                let port = super::text("the name of a port", port.name)?;
                return Err(format!(
                    "port '{port}' has one value per ray, but `capacity`, which returns the number of \
                     rays, is null"
                ));
            }
        }
    }
    Ok(())
}
