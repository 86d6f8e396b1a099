//! The rule for sensors with rays.

use std::ptr::addr_of;

use simhost_abi::{Model, Scope};

use super::reading::Reader;

/// Checks that a sensor with ports of scope ray says how many rays it casts.
pub(super) fn check(read: Reader<'_>, model: &Model) -> Result<(), String> {
    // SAFETY: a field of a valid struct; looked at as a number.
    if unsafe { read.function("`capacity`", addr_of!(model.capacity)) }? {
        return Ok(());
    }
    for phase in read.items("the list of phases", model.phases)? {
        for ports in [phase.inputs, phase.outputs] {
            let ports = read.items("the list of ports", ports)?;
            if let Some(port) = ports.iter().find(|port| port.scope == Scope::Ray as u32) {
                let port = read.text("the name of a port", port.name)?;
                return Err(format!(
                    "port '{port}' has one value per ray, but `capacity`, which returns the number of \
                     rays, is null"
                ));
            }
        }
    }
    Ok(())
}
