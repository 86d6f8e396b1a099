//! Quantities, selected by patterns.

use std::ffi::c_char;

use crate::argument::{Buffer, put, text};
use crate::handle::{Handle, call};
use crate::picked::{ColumnTexts, Picked, QuantityView};
use crate::session::OpenSession;

/// `quantities_find` of the header.
pub unsafe extern "C" fn quantities_find(
    session: *mut Handle<OpenSession>,
    patterns: *const c_char,
    quantities: *mut u64,
    width: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let patterns = unsafe { text("patterns", patterns)? };
        // SAFETY: as above.
        unsafe { put("quantities", quantities, 0)? };
        let picked = Picked::new(&open.session, patterns)?;
        if !width.is_null() {
            // SAFETY: as above.
            unsafe { width.write(picked.columns.len()) };
        }
        // SAFETY: as above.
        unsafe { put("quantities", quantities, open.selections.add(picked)) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `quantities_describe` of the header.
pub unsafe extern "C" fn quantities_describe(
    session: *mut Handle<OpenSession>,
    quantities: u64,
    index: usize,
    to: *mut QuantityView,
) -> i32 {
    let act = |open: &mut OpenSession| {
        let columns = &open.selections.get(quantities)?.columns;
        // SAFETY: the header requires valid arguments.
        unsafe { ColumnTexts::describe(columns, index, to) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `quantities_read` of the header.
pub unsafe extern "C" fn quantities_read(
    session: *mut Handle<OpenSession>,
    quantities: u64,
    to: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> i32 {
    let act = |OpenSession { session, selections, .. }: &mut OpenSession| {
        let values = selections.get(quantities)?.read(session);
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { Buffer { to, capacity, count }.fill(values) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `quantities_free` of the header.
pub unsafe extern "C" fn quantities_free(
    session: *mut Handle<OpenSession>,
    quantities: u64,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, |open| open.selections.remove(quantities)) }
}
