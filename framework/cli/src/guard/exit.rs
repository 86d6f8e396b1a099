//! The end of the process: by this program, or by a library that calls `exit`.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use simhost_model::breadcrumb::{self, Pin};

use super::{Call, LAST_ROWS};
use crate::exit::Code;
use crate::terminal;

/// Whether this program ends by itself.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    /// Registers a function that `exit` calls; functions are called in reverse order.
    safe fn atexit(function: extern "C" fn()) -> std::ffi::c_int;
    /// As `atexit`, for `quick_exit`.
    #[cfg(target_os = "linux")]
    safe fn at_quick_exit(function: extern "C" fn()) -> std::ffi::c_int;
}

/// Reports libraries that call `exit`, which ends the process with the code of the library and without
/// completing its files. Must be called before any library is loaded, so that it is the last function
/// that `exit` calls.
pub fn report_exits() {
    // without a handler, the code is that of the library
    let _ = atexit(at_exit);
    #[cfg(target_os = "linux")]
    let _ = at_quick_exit(at_exit);
}

/// Declares that the program ends by itself. Code that libraries have registered for the end follows.
pub fn end_of_program() {
    IS_ENDING.store(true, Ordering::Relaxed);
}

/// Returns whether the program ends by itself.
pub(super) fn is_ending() -> bool {
    IS_ENDING.load(Ordering::Relaxed)
}

extern "C" fn at_exit() {
    if is_ending() {
        return;
    }
    let _ = std::io::stdout().flush();
    if super::panics::has_panicked() {
        // the panic has been reported, and the runtime ends the process
        simhost_streams::handover::close_all(LAST_ROWS);
        end_process(Code::Panicked);
    }
    let caller = match breadcrumb::of_this_thread(&Pin::new()) {
        Some(call) => Call(call).to_string(),
        None => "a library on its own thread".to_owned(),
    };
    terminal::error(&format!(
        "{caller} called exit, which ends the program\nhelp: return a fault with a message instead"
    ));
    simhost_streams::handover::close_all(LAST_ROWS);
    end_process(Code::PluginFault);
}

/// Ends the process without calling functions that libraries have registered for the end: threads that
/// are still in their code would run on what these functions have torn down.
#[cfg(unix)]
pub fn end_process(code: Code) -> ! {
    crate::keys::restore_for_good();
    // SAFETY: `_exit` only ends the process.
    unsafe { libc::_exit(i32::from(code as u8)) }
}

/// Ends the process.
#[cfg(not(unix))]
pub fn end_process(code: Code) -> ! {
    end_of_program();
    std::process::exit(i32::from(code as u8))
}
