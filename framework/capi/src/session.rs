//! Sessions: steps, time, copies and the end.

use std::ffi::c_char;
use std::ptr::null;

use simhost::{Ended, RunEnding, Session, Time};

use crate::argument::{Buffer, SizedStruct, put, write};
use crate::error::{CallError, LastError, Status};
use crate::handle::{self, Content, Handle, call};
use crate::numbered::{Numbered, Owner};
use crate::picked::Picked;

/// A vehicle and a kind of command that it takes.
pub struct CommandTarget {
    pub vehicle: String,
    pub kind: String,
}

/// A session with everything to which C has numbers.
pub struct OpenSession {
    pub session: Session,
    pub commands: Numbered<CommandTarget>,
    pub selections: Numbered<Picked>,
    /// How the last run has ended, as observers learn it.
    pub ending: RunEnding,
    _owner: Owner,
}

impl Content for OpenSession {
    const MAGIC: u64 = u64::from_le_bytes(*b"simh_ses");
}

impl OpenSession {
    pub fn new(session: Session) -> Self {
        let owner = Owner::default();
        Self {
            session,
            commands: Numbered::new("a command", 1, &owner),
            selections: Numbered::new("quantities", 2, &owner),
            ending: RunEnding::Duration,
            _owner: owner,
        }
    }
}

/// `simhost_status` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SessionStatus {
    size: usize,
    time: f64,
    dt: f64,
    duration: f64,
    steps: u64,
    seed: u64,
    vehicles: usize,
}

// SAFETY: it has the layout of C, starts with its size, and its zeros are 0.
unsafe impl SizedStruct for SessionStatus {
    const FIRST: usize = size_of::<Self>();
}

/// `simhost_error` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ErrorView {
    size: usize,
    text: *const c_char,
    file: *const c_char,
    code: i32,
    line: u32,
    column: u32,
    reserved: u32,
}

// SAFETY: it has the layout of C, starts with its size, and its zeros are null and 0.
unsafe impl SizedStruct for ErrorView {
    const FIRST: usize = size_of::<Self>();
}

/// Writes the last error of a handle, which does not change it.
pub unsafe fn last_error<T: Content>(handle: *mut Handle<T>, to: *mut ErrorView) -> i32 {
    // SAFETY: the header requires valid arguments.
    let mut used = match unsafe { Handle::enter(handle) } {
        Ok(used) => used,
        Err(code) => return code,
    };
    let none = ErrorView {
        size: 0,
        text: c"".as_ptr(),
        file: null(),
        code: Status::Ok as i32,
        line: 0,
        column: 0,
        reserved: 0,
    };
    let of = |error: &LastError| ErrorView {
        text: error.text.as_ptr(),
        file: error.file.as_ref().map_or(null(), |file| file.as_ptr()),
        code: error.code as i32,
        line: error.line,
        column: error.column,
        ..none
    };
    let view = used.error().map_or(none, of);
    // SAFETY: as before.
    match unsafe { write("simhost_error", to, view) } {
        Ok(()) => Status::Ok as i32,
        Err(error) => error.code as i32,
    }
}

/// `error` of the header.
pub unsafe extern "C" fn session_error(
    session: *mut Handle<OpenSession>,
    to: *mut ErrorView,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { last_error(session, to) }
}

/// `close` of the header.
pub unsafe extern "C" fn close(session: *mut *mut Handle<OpenSession>) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { handle::free(session) }
}

/// `finish` of the header.
pub unsafe extern "C" fn finish(session: *mut Handle<OpenSession>) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe {
        call(session, |OpenSession { session, ending, .. }| {
            Ok(session.finish_with(ending).map(drop)?)
        })
    }
}

/// `status` of the header.
pub unsafe extern "C" fn status(session: *mut Handle<OpenSession>, to: *mut SessionStatus) -> i32 {
    let act = |OpenSession { session, .. }: &mut OpenSession| {
        let clock = session.simulation().clock();
        let duration = session.world().description().and_then(|world| world.settings.duration);
        let status = SessionStatus {
            size: 0,
            time: clock.time(),
            dt: clock.dt,
            duration: duration.unwrap_or(f64::NAN),
            steps: clock.steps,
            seed: session.world().seed(),
            vehicles: session.simulation().vehicle_names().len(),
        };
        // SAFETY: the header requires valid arguments.
        unsafe { write("simhost_status", to, status) }
    };
    // SAFETY: as before.
    unsafe { call(session, act) }
}

/// `time` of the header.
pub unsafe extern "C" fn time(session: *mut Handle<OpenSession>, to: *mut f64) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, |open| put("time", to, open.session.time().0)) }
}

/// `step` of the header.
pub unsafe extern "C" fn step(
    session: *mut Handle<OpenSession>,
    steps: u64,
    ended: *mut u32,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { run(session, ended, |session| session.run_steps(steps)) }
}

/// `run_until` of the header.
pub unsafe extern "C" fn run_until(
    session: *mut Handle<OpenSession>,
    time: f64,
    ended: *mut u32,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { run(session, ended, |session| session.run_until(Time(time))) }
}

/// Runs, and writes why the run has ended if C gives an address for it.
unsafe fn run(
    session: *mut Handle<OpenSession>,
    ended: *mut u32,
    run: impl FnOnce(&mut Session) -> Result<Ended, simhost::Error>,
) -> i32 {
    let act = |OpenSession { session, ending, .. }: &mut OpenSession| {
        let reason = run(session);
        note(ending, &reason);
        let number = match reason? {
            Ended::Reached => 0,
            Ended::Paused => 1,
            Ended::Stopped | Ended::Condition => 2,
            Ended::Observer(_) => 3,
        };
        if !ended.is_null() {
            // SAFETY: the header requires an address that can be written.
            unsafe { ended.write(number) };
        }
        Ok(())
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// Notes how observers learn of the end of a run, should no other one follow.
fn note(ending: &mut RunEnding, reason: &Result<Ended, simhost::Error>) {
    match reason {
        Ok(Ended::Observer(stop)) => *ending = RunEnding::Stop(stop.clone()),
        Ok(_) if matches!(ending, RunEnding::Duration) => {}
        Ok(_) => *ending = RunEnding::Duration,
        Err(error) => {
            let text = error.to_string();
            *ending = RunEnding::Fault(text.lines().next().unwrap_or_default().to_owned());
        }
    }
}

/// `fork` of the header.
pub unsafe extern "C" fn fork(
    session: *mut Handle<OpenSession>,
    to: *mut *mut Handle<OpenSession>,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { handle::derive(session, to, |open| Ok(OpenSession::new(open.session.fork()?))) }
}

/// `result_hash` of the header.
pub unsafe extern "C" fn result_hash(
    session: *mut Handle<OpenSession>,
    to: *mut c_char,
    capacity: usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        let text = format!("{:032x}", open.session.simulation().result_hash());
        let buffer = Buffer { to, capacity, count: std::ptr::null_mut() };
        require(to)?;
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { buffer.fill_text(&text) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// Refuses null for a buffer whose size is fixed.
pub fn require<T>(to: *mut T) -> Result<(), CallError> {
    match to.is_null() {
        true => Err(CallError::argument("the buffer is null; expected an address")),
        false => Ok(()),
    }
}
