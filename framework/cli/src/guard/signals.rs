//! Reports a crash in native code before the process ends.

use std::fmt::Write;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use simhost_model::breadcrumb::{Breadcrumb, Pin};
use simhost_model::{LINKED_IN, breadcrumb};
use simhost_streams::handover::Written;

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

/// Extent of the report of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashReport {
    /// The call of a model or what is loaded, and advice.
    All,
    /// The call of a model.
    Call,
    /// Nothing: another process reports the signal.
    Nothing,
}

/// Extent of the report of a crash, as a number.
static REPORT: AtomicU8 = AtomicU8::new(CrashReport::All as u8);

/// Thread that reports a crash, or 0.
static REPORTING: AtomicUsize = AtomicUsize::new(0);

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

/// Installs handlers that report in which call of a model the process crashed. Must be called once, before
/// any thread starts.
pub fn name_crashes(report: CrashReport) {
    REPORT.store(report as u8, Ordering::Relaxed);
    extend_signal_stack();
    refuse_large_files();
    for (index, (signal, _)) in SIGNALS.iter().enumerate() {
        // SAFETY: zero is a valid `sigaction`; no other thread runs yet, and each element of
        // `BEFORE` is written before the handler that reads it is installed.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            // a second signal during a report must not end the process before the rows are written
            action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER | on_stack(*signal);
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

/// Returns the flag of a handler that needs a separate stack, because the stack of the thread can
/// be exhausted. The separate stack is small except on the main thread, so no other signal uses it.
fn on_stack(signal: libc::c_int) -> libc::c_int {
    if matches!(signal, libc::SIGSEGV | libc::SIGBUS) { libc::SA_ONSTACK } else { 0 }
}

/// Gives handlers on this thread a stack that is large enough for a report in a program that is not
/// optimised. The runtime reserves 8 KiB; the registers take up to 4 of them.
fn extend_signal_stack() {
    let memory = Box::leak(vec![0u8; 1 << 16].into_boxed_slice());
    let stack =
        libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
    // SAFETY: the memory is never freed.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
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

/// Makes a write beyond the largest size of a file fail instead of ending the process. The signal is blocked on this
/// thread and on those that it starts, so that a library that restores the default action changes nothing.
fn refuse_large_files() {
    // SAFETY: zero is a valid set of signals, and the handler does nothing.
    unsafe {
        libc::signal(libc::SIGXFSZ, ignore as *const () as usize);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGXFSZ);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
    }
}

/// Does nothing.
extern "C" fn ignore(_: libc::c_int) {}

/// Reports the call, then restores the previous action for the signal.
extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let Some(index) = SIGNALS.iter().position(|(one, _)| *one == signal) else { return };
    // SAFETY: the call has no arguments, and does not fail.
    let thread = unsafe { libc::pthread_self() } as usize;
    match REPORTING.compare_exchange(0, thread, Ordering::Relaxed, Ordering::Relaxed) {
        // a thread of the host that writes the last rows; the first one ends the process
        Err(other) if other != thread => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        Err(_) => resume_report(SIGNALS[index].1),
        Ok(_) => {
            crate::keys::restore_for_good();
            // SAFETY: the system passes the information and the context.
            let is_overflow = unsafe { is_stack_overflow(signal, info, context) };
            report(if is_overflow { "SIGSEGV, stack overflow" } else { SIGNALS[index].1 });
        }
    }
    // SAFETY: the previous action was stored before this handler was installed, and the system passes
    // the information. When the handler returns, the failing instruction runs again under the action
    // that is set here; a signal that was sent is raised again.
    unsafe {
        let before = &*(&raw const BEFORE).cast::<Before>().add(index);
        let (is_sent, is_failing) = ((*info).si_code <= 0, FAILING.contains(&signal));
        // the runtime ends a stack overflow with another signal where it knows the stack of the thread
        if is_failing && (is_sent || before.is_runtimes) {
            libc::signal(signal, libc::SIG_DFL);
        } else {
            libc::sigaction(signal, &raw const before.action, std::ptr::null_mut());
        }
        if is_sent || !is_failing {
            libc::raise(signal);
        }
    }
}

/// Part of the report that this process is writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Call,
    Rows,
    End,
}

/// Progress of the report, as a number.
static STAGE: AtomicU8 = AtomicU8::new(Stage::Call as u8);

/// Continues a report that has crashed because the memory of the process is damaged.
fn resume_report(signal: &str) {
    let mut text = Text::new();
    let stage = STAGE.load(Ordering::Relaxed);
    if stage == Stage::Call as u8 {
        let _ = writeln!(
            text,
            "\nerror: the process crashed ({signal}), and its memory is damaged, so the model cannot be named\n\
             help: run `simhost plugin check` on each plugin file, or a debugger or valgrind, which show the line"
        );
        text.write_out();
        write_last_rows();
    } else if stage == Stage::Rows as u8 {
        STAGE.store(Stage::End as u8, Ordering::Relaxed);
        describe_files(&mut text, Written::Before);
        text.write_out();
    }
}

/// Writes the last rows, and how far the files reach.
fn write_last_rows() {
    STAGE.store(Stage::Rows as u8, Ordering::Relaxed);
    // the writers run on threads of their own; this one only wakes and awaits them
    let written = simhost_streams::handover::close_all(LAST_ROWS);
    STAGE.store(Stage::End as u8, Ordering::Relaxed);
    let mut text = Text::new();
    describe_files(&mut text, written);
    text.write_out();
}

/// Says how far the files of the run reach.
fn describe_files(text: &mut Text, written: Written) {
    let _ = match written {
        Written::Nothing => Ok(()),
        Written::Everything => writeln!(text, "note: the files of the run end with the last step"),
        Written::Before => writeln!(
            text,
            "note: the files of the run end up to half a second before the crash, because a buffer \
             of simhost was in use or damaged"
        ),
    };
}

/// Writes the report of a crash by a signal, and the last rows.
fn report(signal: &str) {
    let pin = Pin::new();
    let call = breadcrumb::of_this_thread(&pin);
    let report = REPORT.load(Ordering::Relaxed);
    let reports_all = report == CrashReport::All as u8;
    if report == CrashReport::Nothing as u8 || !(call.is_some() || reports_all) {
        return;
    }
    let mut text = Text::new();
    let _ = match call.map(Call) {
        Some(call) => writeln!(text, "\nerror: {call} crashed the process ({signal})"),
        None if super::is_ending() => {
            writeln!(text, "\nerror: a library crashed while it was unloaded ({signal})")
        }
        None => {
            writeln!(text, "\nerror: the process crashed outside the calls of models ({signal})")
        }
    };
    if reports_all {
        match call {
            Some(call) => advise(&mut text, call),
            None => describe(&mut text),
        }
    }
    text.write_out();
    write_last_rows();
}

/// Adds how to find the cause of a crash in a call.
fn advise(text: &mut Text, call: Breadcrumb<'_>) {
    let subject = if call.source == LINKED_IN { call.class } else { call.source };
    let _ = writeln!(
        text,
        "help: run `simhost plugin check {subject}`, which finds many such errors, or a debugger or \
         valgrind, which show the line"
    );
}

/// Adds what can have caused a crash outside the calls of models.
fn describe(text: &mut Text) {
    if let Some(last) = breadcrumb::last(&Pin::new()).filter(|last| !last.class.is_empty()) {
        let _ = writeln!(text, "note: the last call was {}", Call(last));
    }
    let mut loaded = breadcrumb::loaded().peekable();
    let _ = match loaded.peek() {
        None => writeln!(text, "note: no plugin file is loaded, so this is a bug of simhost"),
        Some(_) => {
            let _ = text.write_str("note: loaded plugin files: ");
            for (number, file) in loaded.enumerate() {
                let _ = write!(text, "{}{file}", if number > 0 { ", " } else { "" });
            }
            writeln!(
                text,
                "\nhelp: a thread of a plugin, or a write outside of its memory, can be the cause; \
                 run `simhost plugin check` on each file, or a debugger"
            )
        }
    };
}

/// Largest distance of an address from the stack pointer at which the stack has overflowed, bytes: below it,
/// and above it within the frame of a function.
const BELOW: usize = 1 << 16;
const ABOVE: usize = 1 << 20;

/// Returns whether an invalid address belongs to the stack of the thread, whose end it exceeds.
///
/// # Safety
/// `info` and `context` are those that the system passes to a handler of `signal`.
unsafe fn is_stack_overflow(
    signal: libc::c_int,
    info: *const libc::siginfo_t,
    context: *const libc::c_void,
) -> bool {
    // SAFETY: the caller has got the pointers from the system.
    let (address, stack) = unsafe {
        if !matches!(signal, libc::SIGSEGV | libc::SIGBUS) || (*info).si_code <= 0 {
            return false;
        }
        let Some(stack) = stack_pointer(context) else { return false };
        ((*info).si_addr() as usize, stack)
    };
    (stack.saturating_sub(BELOW)..stack.saturating_add(ABOVE)).contains(&address)
}

/// Returns the stack pointer of a thread that was interrupted, on platforms where it is known.
///
/// # Safety
/// The system passes `context` to a handler.
unsafe fn stack_pointer(context: *const libc::c_void) -> Option<usize> {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    // SAFETY: the system passes a context of this type.
    return Some(unsafe {
        let context = &*context.cast::<libc::ucontext_t>();
        context.uc_mcontext.gregs[libc::REG_RSP as usize] as usize
    });
    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    // SAFETY: the system passes a context of this type.
    return Some(unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.sp as usize });
    #[allow(unreachable_code)]
    {
        let _ = context;
        None
    }
}

/// Longest text that is written in one piece, bytes. The stack of a handler can be as small as 8 KiB.
const LONGEST: usize = 512;

/// Text that is written to standard error in pieces.
struct Text {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Text {
    /// Creates an empty text.
    const fn new() -> Self {
        Self { bytes: [0; LONGEST], len: 0 }
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            // a terminal would take it as a command
            let is_command = byte.is_ascii_control() && byte != b'\n';
            self.bytes[self.len] = if is_command { b'?' } else { byte };
            self.len += 1;
            if self.len == LONGEST {
                self.write_out();
            }
        }
        Ok(())
    }
}

impl Text {
    /// Writes what has been collected.
    fn write_out(&mut self) {
        // SAFETY: the buffer is valid for `len` bytes, and `write` is async-signal-safe.
        unsafe { libc::write(2, self.bytes.as_ptr().cast(), self.len) };
        self.len = 0;
    }
}
