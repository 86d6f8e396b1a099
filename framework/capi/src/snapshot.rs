//! Snapshots of sessions.

use std::ffi::c_char;
use std::ptr::null_mut;

use simhost::Snapshot;

use crate::argument::{Buffer, list};
use crate::error::{CallError, Status};
use crate::handle::{self, Content, Handle, call};
use crate::session::{ErrorView, OpenSession, last_error, require};

/// The state of a session, which sessions of the same world can return to.
pub struct KeptSnapshot(pub Snapshot);

impl Content for KeptSnapshot {
    const MAGIC: u64 = u64::from_le_bytes(*b"simh_sna");
}

/// `snapshot` of the header.
pub unsafe extern "C" fn snapshot(
    session: *mut Handle<OpenSession>,
    to: *mut *mut Handle<KeptSnapshot>,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { handle::derive(session, to, |open| Ok(KeptSnapshot(open.session.snapshot()?))) }
}

/// `restore` of the header.
pub unsafe extern "C" fn restore(
    session: *mut Handle<OpenSession>,
    snapshot: *mut Handle<KeptSnapshot>,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments.
        let mut used = unsafe { Handle::enter(snapshot) }.map_err(|code| match code {
            code if code == Status::Busy as i32 => {
                CallError::new(Status::Busy, "another call uses the snapshot")
            }
            _ => CallError::new(Status::Handle, "the snapshot is not a handle of a snapshot"),
        })?;
        Ok(open.session.restore(&used.content()?.0)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `snapshot_bytes` of the header.
pub unsafe extern "C" fn snapshot_bytes(
    snapshot: *mut Handle<KeptSnapshot>,
    to: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> i32 {
    let act = |kept: &mut KeptSnapshot| {
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { Buffer { to, capacity, count }.fill(&kept.0.to_bytes()) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(snapshot, act) }
}

/// `snapshot_from_bytes` of the header.
pub unsafe extern "C" fn snapshot_from_bytes(
    bytes: *const u8,
    count: usize,
    to: *mut *mut Handle<KeptSnapshot>,
) -> i32 {
    let make = || {
        // SAFETY: the header requires valid arguments.
        let bytes = unsafe { list("bytes", bytes, count)? };
        let read = Snapshot::from_bytes(bytes);
        read.map(KeptSnapshot).map_err(|error| CallError::new(Status::Snapshot, error.to_string()))
    };
    // SAFETY: as before.
    unsafe { handle::open(to, make) }
}

/// `snapshot_hash` of the header.
pub unsafe extern "C" fn snapshot_hash(
    snapshot: *mut Handle<KeptSnapshot>,
    to: *mut c_char,
    capacity: usize,
) -> i32 {
    let act = |kept: &mut KeptSnapshot| {
        require(to)?;
        let text = format!("{:032x}", kept.0.state_hash());
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { Buffer { to, capacity, count: null_mut() }.fill_text(&text) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(snapshot, act) }
}

/// `snapshot_error` of the header.
pub unsafe extern "C" fn snapshot_error(
    snapshot: *mut Handle<KeptSnapshot>,
    to: *mut ErrorView,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { last_error(snapshot, to) }
}

/// `snapshot_free` of the header.
pub unsafe extern "C" fn snapshot_free(snapshot: *mut *mut Handle<KeptSnapshot>) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { handle::free(snapshot) }
}
