//! The table of functions.

use std::ffi::c_char;

use crate::ensemble::OpenEnsemble;
use crate::handle::Handle;
use crate::opening::{OpeningMembers, OpeningOptions};
use crate::picked::QuantityView;
use crate::session::{ErrorView, OpenSession, SessionStatus};
use crate::snapshot::KeptSnapshot;
use crate::stream::OdometryView;
use crate::{
    command, edits, ensemble, error, lists, opening, selection, session, snapshot, stream,
};

/// Version of the interface, `SIMHOST_API_VERSION` in the header.
pub const VERSION: u32 = 1;

type Session = *mut Handle<OpenSession>;
type Snapshot = *mut Handle<KeptSnapshot>;
type Members = *mut Handle<OpenEnsemble>;

/// Declares the table and its only value, a line for each function with its type.
macro_rules! table {
    ($($name:ident = $function:path: ($($argument:ty),*);)*) => {
        /// `simhost_functions` of the header, in whose order the functions are.
        #[repr(C)]
        pub struct Functions {
            size: usize,
            /// The version of the library as a text.
            version: *const c_char,
            code_name: extern "C" fn(i32) -> *const c_char,
            $($name: unsafe extern "C" fn($($argument),*) -> i32,)*
        }

        /// The table of this library.
        pub static FUNCTIONS: Functions = Functions {
            size: size_of::<Functions>(),
            version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
            code_name: error::code_name,
            $($name: $function,)*
        };
    };
}

// SAFETY: it has functions and static texts.
unsafe impl Sync for Functions {}

table! {
    open = opening::open: (*const OpeningOptions, *mut Session);
    close = session::close: (*mut Session);
    error = session::session_error: (Session, *mut ErrorView);
    finish = session::finish: (Session);
    status = session::status: (Session, *mut SessionStatus);
    time = session::time: (Session, *mut f64);
    step = session::step: (Session, u64, *mut u32);
    run_until = session::run_until: (Session, f64, *mut u32);
    fork = session::fork: (Session, *mut Session);
    result_hash = session::result_hash: (Session, *mut c_char, usize);
    names = lists::names: (Session, u32, *mut c_char, usize, *mut usize);
    command_find = command::command_find: (Session, *const c_char, *const c_char, *mut u64, *mut usize);
    command = command::command: (Session, u64, *const f64, usize);
    quantities_find = selection::quantities_find: (Session, *const c_char, *mut u64, *mut usize);
    quantities_describe = selection::quantities_describe: (Session, u64, usize, *mut QuantityView);
    quantities_read = selection::quantities_read: (Session, u64, *mut f64, usize, *mut usize);
    quantities_free = selection::quantities_free: (Session, u64);
    latest_odometry = stream::latest_odometry: (Session, *const c_char, *mut OdometryView);
    latest_numbers = stream::latest_numbers: (Session, *const c_char, *const c_char, *mut f64, usize, *mut usize);
    latest_cdr = stream::latest_cdr: (Session, *const c_char, *mut u8, usize, *mut usize);
    stream_definition = stream::stream_definition: (Session, *const c_char, *mut c_char, usize, *mut usize);
    send_cdr = stream::send_cdr: (Session, *const c_char, *const u8, usize);
    parameter = lists::parameter: (Session, *const c_char, *mut c_char, usize, *mut usize);
    set_parameter = edits::set_parameter: (Session, *const c_char, *const c_char);
    set_state = edits::set_state: (Session, *const c_char, f64);
    set_pose = edits::set_pose: (Session, *const c_char, *const f64);
    set_velocity = edits::set_velocity: (Session, *const c_char, *const f64);
    add = edits::add: (Session, *const c_char);
    remove = edits::remove: (Session, *const c_char);
    reset = edits::reset: (Session, *const u64);
    snapshot = snapshot::snapshot: (Session, *mut Snapshot);
    restore = snapshot::restore: (Session, Snapshot);
    snapshot_bytes = snapshot::snapshot_bytes: (Snapshot, *mut u8, usize, *mut usize);
    snapshot_from_bytes = snapshot::snapshot_from_bytes: (*const u8, usize, *mut Snapshot);
    snapshot_hash = snapshot::snapshot_hash: (Snapshot, *mut c_char, usize);
    snapshot_error = snapshot::snapshot_error: (Snapshot, *mut ErrorView);
    snapshot_free = snapshot::snapshot_free: (*mut Snapshot);
    ensemble_open = opening::ensemble_open: (*const OpeningOptions, *const OpeningMembers, *mut Members);
    ensemble_close = ensemble::ensemble_close: (*mut Members);
    ensemble_error = ensemble::ensemble_error: (Members, *mut ErrorView);
    ensemble_members = ensemble::ensemble_members: (Members, *mut usize);
    ensemble_step = ensemble::ensemble_step: (Members, u64, *const u8, usize);
    ensemble_run_until = ensemble::ensemble_run_until: (Members, f64);
    ensemble_command_width = ensemble::ensemble_command_width: (Members, *const c_char, *mut usize);
    ensemble_set = ensemble::ensemble_set: (Members, *const c_char, *const f64, usize);
    ensemble_reset = ensemble::ensemble_reset: (Members, *const u8, *const u64, usize);
    ensemble_select = ensemble::ensemble_select: (Members, *const c_char, *mut u64, *mut usize);
    ensemble_describe = ensemble::ensemble_describe: (Members, u64, usize, *mut QuantityView);
    ensemble_read = ensemble::ensemble_read: (Members, u64, *mut f64, usize);
    ensemble_read_f32 = ensemble::ensemble_read_f32: (Members, u64, *mut f32, usize);
    ensemble_ended = ensemble::ensemble_ended: (Members, *mut u8, usize, *mut usize);
    ensemble_result_hash = ensemble::ensemble_result_hash: (Members, usize, *mut c_char, usize);
    ensemble_session = ensemble::ensemble_session: (Members, usize, *mut Session);
}
