//! Interruption by Ctrl-C or a termination signal.
//!
//! The first signal sets a flag. A run completes its step, however long that takes after Ctrl-C and for at
//! most five seconds after a termination signal, and then its files. Downloads, shell commands and tests of
//! models stop and clean up. Everything else, such as reading a large world, cannot be stopped from within:
//! the process ends after a short time. A second signal ends the process immediately.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::process::{Code, Failure};
use crate::{guard, terminal};

/// Time in which a verb can stop by itself before the process ends.
const GRACE: Duration = Duration::from_millis(80);
/// Time in which most steps of a run end; a longer one is explained.
const GRACE_OF_A_STEP: Duration = Duration::from_millis(130);
/// Time in which the current step of a run can end after a termination signal.
const GRACE_OF_TERMINATION: Duration = Duration::from_secs(5);
/// Time between two looks at the phase.
const LOOK: Duration = Duration::from_millis(2);
/// Time for the rows that a run has collected, and for the last message, which may have to wait for a
/// pipe.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// Whether a signal has arrived.
static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// The present [`Phase`].
static PHASE: AtomicU8 = AtomicU8::new(Phase::Other as u8);

/// Parts of the program that react to a signal in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Anything that has nothing to complete.
    Other,
    /// A run takes steps and ends after the current one.
    Steps,
    /// A run completes its files, which takes as long as it takes, and destroys its models, which must
    /// not take long.
    Completion,
}

/// Starts to listen to Ctrl-C and termination signals.
///
/// # Errors
/// Fails if the handler cannot be installed.
pub fn listen() -> Result<(), Failure> {
    let failed = |error| {
        Failure::new(Code::Usage, format!("failed to install the handler for Ctrl-C: {error}"))
    };
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(failed)?;
    let listen = move || {
        for signal in signals.forever() {
            if REQUESTED.swap(true, Ordering::Relaxed) {
                end();
            }
            // on a thread of its own, so that a second signal is received meanwhile
            std::thread::spawn(move || stop(signal));
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
    thread.map(drop).map_err(failed)
}

/// Ends the process, unless it ends by itself in time.
fn stop(signal: i32) {
    if is_in(Phase::Steps) {
        await_step(GRACE_OF_A_STEP);
        if signal != SIGINT {
            await_step(GRACE_OF_TERMINATION);
        } else if is_in(Phase::Steps) {
            terminal::remark("the run ends after this step; press Ctrl-C again to end it at once");
            await_step(Duration::MAX);
        }
    } else {
        std::thread::sleep(GRACE);
    }
    while is_in(Phase::Completion) && !guard::are_calls_stuck(GRACE_OF_A_STEP) {}
    end();
}

/// Waits until a run has completed its step, for at most `limit`.
fn await_step(limit: Duration) {
    let began = Instant::now();
    while is_in(Phase::Steps) && began.elapsed() < limit {
        std::thread::sleep(LOOK);
    }
}

/// Returns the flag that the first signal sets.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(&REQUESTED)
}

/// Returns whether a signal has arrived.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Declares which part of the program begins.
pub fn enter(phase: Phase) {
    PHASE.store(phase as u8, Ordering::Relaxed);
}

fn is_in(phase: Phase) -> bool {
    PHASE.load(Ordering::Relaxed) == phase as u8
}

/// Returns the failure of a verb that was interrupted.
pub fn failure() -> Failure {
    Failure::new(Code::Interrupted, "interrupted")
}

/// Ends the process without waiting for other threads.
fn end() -> ! {
    // another thread can hold the lock of standard error while it waits for a pipe
    std::thread::spawn(|| terminal::remark("interrupted"));
    simhost_streams::handover::close_all(LAST_WORDS);
    std::thread::sleep(Duration::from_millis(5));
    guard::end_process(Code::Interrupted)
}
