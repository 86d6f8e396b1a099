//! Reports a crash in native code before the process ends.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use simhost_model::{LINKED_IN, breadcrumb};

use super::{Call, LAST_ROWS};

/// Signals that report a crash, with their names.
const SIGNALS: [(libc::c_int, &str); 9] = [
    (libc::SIGSEGV, "SIGSEGV, invalid address"),
    (libc::SIGBUS, "SIGBUS, invalid address"),
    (libc::SIGILL, "SIGILL, invalid instruction"),
    (libc::SIGFPE, "SIGFPE, invalid integer operation"),
    (libc::SIGABRT, "SIGABRT, abort"),
    (libc::SIGTRAP, "SIGTRAP, trap"),
    (libc::SIGSYS, "SIGSYS, forbidden system call"),
    (libc::SIGALRM, "SIGALRM, alarm clock"),
    (libc::SIGUSR1, "SIGUSR1"),
];

/// Whether the report contains advice.
static ADVISES: AtomicBool = AtomicBool::new(true);

/// Signals of an instruction that fails again when it is repeated.
const FAILING: [libc::c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];

/// Previous action for a signal.
struct Before {
    action: libc::sigaction,
    /// Whether it is a handler of the Rust runtime, which ends some stack overflows with SIGABRT.
    is_runtimes: bool,
}

/// Previous action for each signal.
static mut BEFORE: [std::mem::MaybeUninit<Before>; SIGNALS.len()] =
    [const { std::mem::MaybeUninit::uninit() }; SIGNALS.len()];

/// Installs handlers that report in which call of a model the process crashed, with advice if
/// `advises`. Must be called once, before any thread starts.
pub fn name_crashes(advises: bool) {
    ADVISES.store(advises, Ordering::Relaxed);
    for (index, (signal, _)) in SIGNALS.iter().enumerate() {
        // SAFETY: zero is a valid `sigaction`; no other thread runs yet, and each element of
        // `BEFORE` is written before the handler that reads it is installed.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            let mut before = std::mem::zeroed();
            libc::sigaction(*signal, std::ptr::null(), &raw mut before);
            let is_runtimes = library_of(before.sa_sigaction) == library_of(action.sa_sigaction);
            let before = Before { action: before, is_runtimes };
            (&raw mut BEFORE).cast::<Before>().add(index).write(before);
            libc::sigaction(*signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Returns the address at which the program or library with a function is loaded, if it has one.
fn library_of(function: usize) -> Option<usize> {
    // SAFETY: zero is a valid `Dl_info`, and any address is allowed.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        let found = libc::dladdr(function as *const libc::c_void, &raw mut info);
        (found != 0).then_some(info.dli_fbase as usize)
    }
}

/// Reports the call, then restores the previous action for the signal.
extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let Some(index) = SIGNALS.iter().position(|(one, _)| *one == signal) else { return };
    crate::keys::restore_for_good();
    let (call, name) = (breadcrumb::of_this_thread(), SIGNALS[index].1);
    if call.is_some() || super::exit::is_ending() {
        let mut text = Text { bytes: [0; 1024], len: 0 };
        // a text that is too long is truncated
        let _ = match call.map(Call) {
            Some(call) => writeln!(text, "\nerror: {call} crashed the process ({name})"),
            None => writeln!(text, "\nerror: a library crashed while it was unloaded ({name})"),
        };
        if let Some(call) = call.filter(|_| ADVISES.load(Ordering::Relaxed)) {
            let subject = if call.source == LINKED_IN { call.class } else { call.source };
            let _ = writeln!(
                text,
                "help: run `simhost plugin check {subject}`, which finds many such errors, or a \
                 debugger or valgrind, which show the line"
            );
        }
        // SAFETY: the buffer is valid for `len` bytes, and `write` is async-signal-safe.
        unsafe { libc::write(2, text.bytes.as_ptr().cast(), text.len) };
        // the writers run on threads of their own; this one only wakes and awaits them
        simhost_streams::handover::close_all(LAST_ROWS);
    }
    // SAFETY: the previous action was stored before this handler was installed, and the system passes
    // the information. When the handler returns, the failing instruction runs again under the action
    // that is set here; a signal that was sent is raised again.
    unsafe {
        let before = &*(&raw const BEFORE).cast::<Before>().add(index);
        let (is_sent, is_failing) = ((*info).si_code <= 0, FAILING.contains(&signal));
        // the runtime waits for the instruction to fail again, and whether it takes the failure for a
        // stack overflow depends on the thread and on the limits of the process
        if is_failing && (is_sent || (call.is_some() && before.is_runtimes)) {
            libc::signal(signal, libc::SIG_DFL);
        } else {
            libc::sigaction(signal, &raw const before.action, std::ptr::null_mut());
        }
        if is_sent || !is_failing {
            libc::raise(signal);
        }
    }
}

/// Text buffer on the stack.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let free = &mut self.bytes[self.len..];
        let len = text.len().min(free.len());
        free[..len].copy_from_slice(&text.as_bytes()[..len]);
        self.len += len;
        Ok(())
    }
}
