//! Commands of vehicles.

use std::ffi::c_char;

use simhost::{Error, Input};

use crate::argument::{list, put, text};
use crate::error::CallError;
use crate::handle::{Handle, call};
use crate::session::{CommandTarget, OpenSession};

/// `command_find` of the header.
pub unsafe extern "C" fn command_find(
    session: *mut Handle<OpenSession>,
    vehicle: *const c_char,
    kind: *const c_char,
    command: *mut u64,
    width: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let (vehicle, kind) = unsafe { (text("vehicle", vehicle)?, text("kind", kind)?) };
        // SAFETY: as above.
        unsafe { put("command", command, 0)? };
        let count = width_of(open, vehicle, kind)?;
        if !width.is_null() {
            // SAFETY: as above.
            unsafe { width.write(count) };
        }
        let target = CommandTarget { vehicle: vehicle.to_owned(), kind: kind.to_owned() };
        // SAFETY: as above.
        unsafe { put("command", command, open.commands.add(target)) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// Returns the number of values of a command.
fn width_of(open: &OpenSession, vehicle: &str, kind: &str) -> Result<usize, CallError> {
    open.session.vehicle(vehicle)?;
    let simulation = open.session.simulation();
    let number = simulation.vehicle_names().number(vehicle).unwrap_or_default();
    let kinds = simulation.command_kinds(number).into_iter();
    let width = kinds.filter(|known| known.name == kind).map(|known| known.values.len()).next();
    match width {
        Some(width) => Ok(width),
        // the input names the nearest kind
        None => Err(send(open, vehicle, kind, &[]).err().unwrap_or_else(|| {
            CallError::argument(format!("vehicle '{vehicle}' takes no command `{kind}`"))
        })),
    }
}

fn send(open: &OpenSession, vehicle: &str, kind: &str, values: &[f64]) -> Result<(), CallError> {
    let (vehicle, kind, values) = (vehicle.to_owned(), kind.to_owned(), values.to_vec());
    let sent = open.session.inputs().send(Input::Command { vehicle, kind, values });
    Ok(sent.map_err(Error::from)?)
}

/// `command` of the header.
pub unsafe extern "C" fn command(
    session: *mut Handle<OpenSession>,
    command: u64,
    values: *const f64,
    count: usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        let target = open.commands.get(command)?;
        let (vehicle, kind) = (target.vehicle.clone(), target.kind.clone());
        // SAFETY: the header requires valid arguments.
        let values = unsafe { list("values", values, count)? };
        send(open, &vehicle, &kind, values)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}
