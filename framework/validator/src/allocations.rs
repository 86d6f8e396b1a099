//! Counts what a phase allocates.
//!
//! On Linux the entries of the global offset tables of all loaded objects that lead to the C library's
//! allocator are led to counting functions instead: those of the plugin, of this program, and of
//! libraries such as libstdc++. Not seen: an allocator that a plugin brings along and that takes its
//! memory from the system itself, calls within the C library, and objects loaded later.

#[cfg(target_os = "linux")]
mod linux;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static COUNTS: AtomicBool = AtomicBool::new(false);
static WITHIN: AtomicUsize = AtomicUsize::new(0);
static NUMBER: AtomicUsize = AtomicUsize::new(0);
static LAST: AtomicUsize = AtomicUsize::new(0);

/// While it lives, allocations are those of the model.
pub(crate) struct Watch;

impl Watch {
    pub fn begin() -> Self {
        WITHIN.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WITHIN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts from now on, in this process.
///
/// # Errors
/// Why it cannot.
pub(crate) fn start() -> Result<(), String> {
    install()?;
    COUNTS.store(true, Ordering::Relaxed);
    let watch = Watch::begin();
    drop(std::hint::black_box(Box::new(1_u64)));
    drop(watch);
    match NUMBER.swap(0, Ordering::Relaxed) {
        0 => Err("this program's own allocations are not seen".into()),
        _ => Ok(()),
    }
}

/// Allocations in calls of the model so far, and the bytes of the last one.
pub(crate) fn counted() -> (usize, usize) {
    (NUMBER.load(Ordering::Relaxed), LAST.load(Ordering::Relaxed))
}

#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing counts there"))]
fn note(bytes: usize) {
    if COUNTS.load(Ordering::Relaxed) && WITHIN.load(Ordering::Relaxed) > 0 {
        NUMBER.fetch_add(1, Ordering::Relaxed);
        LAST.store(bytes, Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
fn install() -> Result<(), String> {
    linux::install()
}

#[cfg(not(target_os = "linux"))]
fn install() -> Result<(), String> {
    Err("allocations are counted on Linux only".into())
}
