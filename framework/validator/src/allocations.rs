//! Counting of the allocations of a phase.
//!
//! On Linux, the entries of the global offset tables that lead to the allocator of the C library
//! are redirected to counting functions, in all loaded objects: the plugin, this program, and
//! libraries such as libstdc++. Not counted: a plugin's own allocator that takes its memory
//! directly from the system, calls within the C library, and objects loaded later.

#[cfg(target_os = "linux")]
mod linux;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static COUNTS: AtomicBool = AtomicBool::new(false);
static WITHIN: AtomicUsize = AtomicUsize::new(0);
static NUMBER: AtomicUsize = AtomicUsize::new(0);
static LAST: AtomicUsize = AtomicUsize::new(0);

/// Attributes allocations to the model until it is dropped.
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

/// Starts counting in this process.
///
/// # Errors
///
/// The reason why counting is not possible.
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

/// Returns the number of allocations in calls of the model so far, and the size of the last one in
/// bytes.
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
