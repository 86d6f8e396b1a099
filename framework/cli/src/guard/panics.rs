//! Reports panics of the program itself. Panics of models are faults, which the SDK catches.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{PanicHookInfo, set_hook};
use std::sync::atomic::{AtomicBool, Ordering};

use simhost_model::breadcrumb::{self, Pin};

use super::Call;
use crate::terminal;

/// Whether the program has panicked.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Reports panics as defects of simhost. Must be called before any model is created: the hook of the SDK passes on
/// what is not a panic of a model.
pub fn report_panics() {
    set_hook(Box::new(|info| {
        HAS_PANICKED.store(true, Ordering::Relaxed);
        terminal::error(&text_of(info));
    }));
}

/// Returns whether the program has panicked.
pub(super) fn has_panicked() -> bool {
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
        let name = "guard::panics::tests::a_process_that_panics";
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
            "panics.rs:",
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
