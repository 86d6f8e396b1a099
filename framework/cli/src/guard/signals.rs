//! A crash in native code is named before the process ends.

use std::fmt::Write;

use simhost_engine::breadcrumb;

use super::Told;

/// Signals of a crash, with their names.
const SIGNALS: [(libc::c_int, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV, a wrong address"),
    (libc::SIGBUS, "SIGBUS, a wrong address"),
    (libc::SIGILL, "SIGILL, a wrong instruction"),
    (libc::SIGFPE, "SIGFPE, a wrong whole-number operation"),
    (libc::SIGABRT, "SIGABRT, an abort"),
];

/// What was done about each signal before.
static mut BEFORE: [std::mem::MaybeUninit<libc::sigaction>; SIGNALS.len()] =
    [const { std::mem::MaybeUninit::uninit() }; SIGNALS.len()];

/// From now on a crash within a call of a model tells which. Called once, before any thread starts.
pub fn name_crashes() {
    for (index, (signal, _)) in SIGNALS.iter().enumerate() {
        // SAFETY: zero is a valid `sigaction`; nothing else runs yet, and each place is filled
        // before the handler that reads it is installed.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            let before = (&raw mut BEFORE).cast::<libc::sigaction>().add(index);
            libc::sigaction(*signal, std::ptr::null(), before);
            libc::sigaction(*signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Tells which call it was, and lets what was there before have the signal.
extern "C" fn handle(signal: libc::c_int, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let Some(index) = SIGNALS.iter().position(|(one, _)| *one == signal) else { return };
    if let Some(call) = breadcrumb::of_this_thread() {
        let mut text = Text { bytes: [0; 1024], len: 0 };
        let told = Told(call);
        // a text that is too long is cut
        let _ = write!(
            text,
            "\nerror: {told} crashed the process ({})\nhelp: `simhost plugin check` finds many such \
             mistakes; a debugger or valgrind shows the line\n",
            SIGNALS[index].1
        );
        // SAFETY: the bytes are ours; `write` may be called in a handler.
        unsafe { libc::write(2, text.bytes.as_ptr().cast(), text.len) };
    }
    // SAFETY: the place was filled before this handler was installed. The instruction that failed
    // runs again and meets what was there before; an abort is raised again.
    unsafe {
        let before = (&raw const BEFORE).cast::<libc::sigaction>().add(index);
        libc::sigaction(signal, before, std::ptr::null_mut());
        if signal == libc::SIGABRT {
            libc::raise(signal);
        }
    }
}

/// A text on the stack.
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
