//! Names the model if a call crashes or ends the process, or does not return.

#[cfg(unix)]
mod signals;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{PanicHookInfo, set_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use simhost_model::breadcrumb::{Breadcrumb, Pin};
use simhost_model::{breadcrumb, float_control};

use crate::process::Code;
use crate::terminal;

#[cfg(unix)]
pub use signals::{CrashReport, name_crashes};

/// Longest time in which rows that a run has collected are written before the process ends.
const LAST_ROWS: Duration = Duration::from_millis(200);

/// Crashes are reported by signals only on Unix; elsewhere this does nothing.
#[cfg(not(unix))]
pub fn name_crashes(_: CrashReport) {}

/// Extent of the report of a crash.
#[cfg(not(unix))]
pub enum CrashReport {
    /// The call of a model or what is loaded, and advice.
    All,
    /// The call of a model.
    Call,
    /// Nothing.
    Nothing,
}

/// Describes a call in a message. Formatting does not allocate, so that a signal handler can do it.
struct Call<'p>(Breadcrumb<'p>);

impl std::fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Breadcrumb { class, source, function, entity, lanes, time, .. } = self.0;
        if class.is_empty() {
            return write!(f, "{source}, which is being loaded,");
        }
        write!(f, "{class} ({source}) in `{function}`")?;
        match lanes {
            // a function that is not a phase, or a call without a world
            _ if lanes == 0 || entity.is_unnamed() => return Ok(()),
            1 => write!(f, " for {entity}")?,
            _ => write!(f, " for {entity} and {} more in the same call", lanes - 1)?,
        }
        write!(f, " at {time} s")
    }
}

/// Returns warnings of plugins that have changed the floating-point control state since the last call,
/// one per file.
pub fn changes_of_floats() -> Vec<String> {
    float_control::take_changes().iter().map(ToString::to_string).collect()
}

/// Prints the warnings of [`changes_of_floats`].
pub fn warn_of_floats() {
    for text in changes_of_floats() {
        terminal::warning(&text);
    }
}

/// Waits for `pause`, and returns whether a call of a model has neither begun nor ended meanwhile.
pub fn are_calls_stuck(pause: Duration) -> bool {
    let calls = || -> Vec<(usize, u64)> {
        let pin = Pin::new();
        breadcrumb::of_all_threads(&pin).map(|call| (call.thread, call.calls)).collect()
    };
    let before = calls();
    std::thread::sleep(pause);
    calls().iter().any(|call| before.contains(call))
}

/// Starts a thread that ends the process with [`Code::PluginFault`] if a call of a model takes longer
/// than `limit` of wall time. A call cannot be cancelled, and continuing without its result would
/// make results depend on the clock.
pub fn watch(limit: Duration) {
    let pause = (limit / 4).clamp(Duration::from_millis(1), Duration::from_millis(250));
    std::thread::spawn(move || {
        // number of the current call of each thread, and when it was first seen
        let mut seen: BTreeMap<usize, (u64, Instant)> = BTreeMap::new();
        loop {
            std::thread::sleep(pause);
            let pin = Pin::new();
            for call in breadcrumb::of_all_threads(&pin) {
                let now = Instant::now();
                let since = seen.entry(call.thread).or_insert((call.calls, now));
                if since.0 != call.calls {
                    *since = (call.calls, now);
                } else if now.duration_since(since.1) >= limit {
                    let limit = limit.as_secs_f64();
                    terminal::error(&format!(
                        "{} has not returned within {limit} s of wall time (--watchdog)",
                        Call(call)
                    ));
                    simhost_streams::handover::close_all(LAST_ROWS);
                    end_process(Code::PluginFault);
                }
            }
        }
    });
}

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
fn is_ending() -> bool {
    IS_ENDING.load(Ordering::Relaxed)
}

extern "C" fn at_exit() {
    if is_ending() {
        return;
    }
    let _ = std::io::stdout().flush();
    if has_panicked() {
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

/// Whether the program has panicked.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Reports panics as defects of simhost. Must be called before any model is created: the hook of the SDK passes on
/// what is not a panic of a model.
///
/// Panics of models are faults, which the SDK catches.
pub fn report_panics() {
    set_hook(Box::new(|info| {
        HAS_PANICKED.store(true, Ordering::Relaxed);
        terminal::error(&text_of(info));
    }));
}

/// Returns whether the program has panicked.
fn has_panicked() -> bool {
    HAS_PANICKED.load(Ordering::Relaxed)
}

fn text_of(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |at| format!(" at {at}"));
    let what = info.payload_as_str().unwrap_or("a panic without a message");
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("without a name").to_owned();
    let mut text = format!(
        "simhost panicked{place}: {what}\nnote: simhost {}, {} {}, thread {thread}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    if let Some(call) = breadcrumb::of_this_thread(&Pin::new()) {
        text += &format!("; during a call of {}", Call(call));
    }
    text += "\nhelp: this is a defect of simhost, whatever the world, the command line and the plugins are; report it with \
             this message, the command line and the world";
    let calls = Backtrace::capture();
    match calls.status() {
        BacktraceStatus::Captured => text += &format!(", and these calls:\n{calls}"),
        _ => text += ", and the calls that RUST_BACKTRACE=1 lists",
    }
    text
}

/// Time between two looks at the memory.
const PAUSE: Duration = Duration::from_millis(10);

/// Starts a thread that ends the process with [`Code::Memory`] when it takes more than `limit` bytes. The memory
/// of plugins counts as well.
pub fn limit_memory(limit: u64) {
    check(limit);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(PAUSE);
            check(limit);
        }
    });
}

/// Ends the process if it takes more than `limit` bytes.
fn check(limit: u64) {
    let taken = resident();
    if taken <= limit {
        return;
    }
    let pin = Pin::new();
    let call = breadcrumb::of_all_threads(&pin).next().map(Call);
    let during = call.map_or_else(String::new, |call| format!(", during {call}"));
    terminal::error(&format!(
        "the program takes {} of memory{during}; expected at most {} (--max-memory)\nhelp: raise the limit, or \
         lower the sizes of maps, sensors and fleets",
        shown(taken),
        shown(limit)
    ));
    simhost_streams::handover::close_all(LAST_ROWS);
    end_process(Code::Memory);
}

/// Returns a number of bytes for people.
pub fn shown(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1024.0 {
        format!("{mebibytes:.0} MiB")
    } else {
        format!("{:.1} GiB", mebibytes / 1024.0)
    }
}

/// Returns the memory that this process takes, bytes.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let statistics = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statistics.split(' ').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// Returns the most memory that this process has taken, bytes; 0 where it is not known.
#[cfg(not(target_os = "linux"))]
fn resident() -> u64 {
    #[cfg(target_os = "macos")]
    // SAFETY: zero is a valid `rusage`, and the address is that of a variable.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) == 0 {
            return usage.ru_maxrss as u64;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// Ends this process by a panic on its main thread, as the program does, if the test below asks for it.
    #[test]
    fn a_process_that_panics() {
        if std::env::var_os("SIMHOST_TEST_PANIC").is_none() {
            return;
        }
        crate::guard::report_exits();
        super::report_panics();
        let thread = std::thread::Builder::new().name("steps".to_owned());
        let ended = thread.spawn(|| panic!("the row has 13 numbers; expected 12")).unwrap().join();
        assert!(ended.is_err());
        // as the runtime does after a panic
        std::process::exit(101);
    }

    #[test]
    fn a_panic_is_reported_as_a_defect_of_simhost() {
        let own = std::env::current_exe().unwrap();
        let name = "guard::tests::a_process_that_panics";
        let ended = Command::new(own)
            .args([name, "--exact", "--nocapture"])
            .env("SIMHOST_TEST_PANIC", "1")
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(101), "{text}");
        for part in [
            "error: simhost panicked at ",
            "guard.rs:",
            ": the row has 13 numbers; expected 12\n",
            concat!("note: simhost ", env!("CARGO_PKG_VERSION"), ", "),
            "thread steps\n",
            "help: this is a defect of simhost",
            "report it with this message, the command line and the world",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("called exit") && !text.contains("return a fault"), "{text}");
    }
}
