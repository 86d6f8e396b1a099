//! Edits of the world of a session.

use std::ffi::c_char;

use simhost::{Edits, Error};

use crate::argument::{list, text};
use crate::error::CallError;
use crate::handle::{Handle, call};
use crate::session::OpenSession;

/// Edits the world of a session.
unsafe fn edit(
    session: *mut Handle<OpenSession>,
    act: impl FnOnce(&mut Edits<'_>) -> Result<(), CallError>,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, |open| act(&mut open.session.edit())) }
}

/// Moves an entity, or sets its velocity, by three numbers.
unsafe fn place(
    session: *mut Handle<OpenSession>,
    entity: *const c_char,
    numbers: *const f64,
    act: impl FnOnce(&mut Edits<'_>, &str, [f64; 3]) -> Result<(), Error>,
) -> i32 {
    let act = |edits: &mut Edits<'_>| {
        // SAFETY: the header requires valid arguments.
        let (entity, numbers) =
            unsafe { (text("entity", entity)?, list("the three numbers", numbers, 3)?) };
        Ok(act(edits, entity, [numbers[0], numbers[1], numbers[2]])?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { edit(session, act) }
}

/// `set_pose` of the header.
pub unsafe extern "C" fn set_pose(
    session: *mut Handle<OpenSession>,
    entity: *const c_char,
    pose: *const f64,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { place(session, entity, pose, |edits, entity, pose| edits.set_pose(entity, pose)) }
}

/// `set_velocity` of the header.
pub unsafe extern "C" fn set_velocity(
    session: *mut Handle<OpenSession>,
    entity: *const c_char,
    velocity: *const f64,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { place(session, entity, velocity, |edits, entity, to| edits.set_velocity(entity, to)) }
}

/// `set_state` of the header.
pub unsafe extern "C" fn set_state(
    session: *mut Handle<OpenSession>,
    name: *const c_char,
    value: f64,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { edit(session, |edits| Ok(edits.set_state(text("name", name)?, value)?)) }
}

/// `set_parameter` of the header.
pub unsafe extern "C" fn set_parameter(
    session: *mut Handle<OpenSession>,
    name: *const c_char,
    value: *const c_char,
) -> i32 {
    let act = |edits: &mut Edits<'_>| {
        // SAFETY: the header requires valid arguments.
        let (name, value) = unsafe { (text("name", name)?, text("value", value)?) };
        Ok(edits.set_parameter(name, value)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { edit(session, act) }
}

/// `add` of the header.
pub unsafe extern "C" fn add(session: *mut Handle<OpenSession>, fragment: *const c_char) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { edit(session, |edits| Ok(edits.add(text("fragment", fragment)?)?)) }
}

/// `remove` of the header.
pub unsafe extern "C" fn remove(session: *mut Handle<OpenSession>, entity: *const c_char) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { edit(session, |edits| Ok(edits.remove(text("entity", entity)?)?)) }
}

/// `reset` of the header.
pub unsafe extern "C" fn reset(session: *mut Handle<OpenSession>, seed: *const u64) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments.
        let seed = unsafe { seed.as_ref() }.copied();
        let seed = seed.unwrap_or(open.session.world().seed());
        Ok(open.session.edit().reset(seed)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}
