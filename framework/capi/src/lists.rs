//! Lists of names, and parameters.

use std::ffi::c_char;

use simhost::{Error, InputError};

use crate::argument::{Buffer, text};
use crate::error::CallError;
use crate::handle::{Handle, call};
use crate::session::OpenSession;

/// `names` of the header.
pub unsafe extern "C" fn names(
    session: *mut Handle<OpenSession>,
    list: u32,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        let text = names_of(open, list)?.join("\n");
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { Buffer { to, capacity, count: length }.fill_text(&text) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

fn names_of(
    OpenSession { session, .. }: &OpenSession,
    list: u32,
) -> Result<Vec<String>, CallError> {
    let streams = |is_input: bool| {
        let all = session.world().streams()?.into_iter();
        let names = all.filter(|one| one.is_input() == is_input).map(|one| one.name.clone());
        Ok::<_, Error>(names.collect())
    };
    Ok(match list {
        0 => session.simulation().vehicle_names().to_vec(),
        1 => session.quantities(["**"])?.infos().iter().map(|info| info.name.clone()).collect(),
        2 => streams(false)?,
        3 => streams(true)?,
        4 => session.inputs().parameters().into_iter().map(|(name, _)| name).collect(),
        _ => {
            let text = format!(
                "list is {list}; expected one of SIMHOST_NAMES_VEHICLES to SIMHOST_NAMES_PARAMETERS"
            );
            return Err(CallError::argument(text));
        }
    })
}

/// `parameter` of the header.
pub unsafe extern "C" fn parameter(
    session: *mut Handle<OpenSession>,
    name: *const c_char,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let name = unsafe { text("name", name)? };
        let all = open.session.inputs().parameters();
        let value = all.into_iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let unknown = || InputError::Unknown {
            what: "parameter",
            found: name.to_owned(),
            help: "the list SIMHOST_NAMES_PARAMETERS has all names".to_owned(),
        };
        let value = value.ok_or_else(|| Error::from(unknown()))?;
        // SAFETY: as above.
        unsafe { Buffer { to, capacity, count: length }.fill_text(&value) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}
