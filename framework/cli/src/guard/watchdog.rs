//! Ends the run if a call of a model does not return.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use simhost_model::breadcrumb::{self, Pin};

use super::{Call, LAST_ROWS, end_process};
use crate::exit::Code;
use crate::terminal;

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
