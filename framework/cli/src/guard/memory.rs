//! Ends the process if it takes too much memory.

use std::time::Duration;

use simhost_model::breadcrumb::{self, Pin};

use super::{Call, LAST_ROWS, end_process};
use crate::exit::Code;
use crate::terminal;

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
