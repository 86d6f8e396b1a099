//! Peak of the memory that a piece of work allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

static IS_COUNTED: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// An allocator that counts while [`peak`] runs.
pub struct CountedHeap;

// SAFETY: all methods pass their arguments on to the allocator of the system
unsafe impl GlobalAlloc for CountedHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of this method
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        remove(layout.size());
        // SAFETY: the caller keeps the contract of this method
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        remove(layout.size());
        add(size);
        // SAFETY: the caller keeps the contract of this method
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn add(size: usize) {
    if IS_COUNTED.load(Relaxed) {
        let live = LIVE.fetch_add(size, Relaxed).wrapping_add(size);
        // what was allocated before and is freed now would make the count negative
        if live < usize::MAX / 2 {
            PEAK.fetch_max(live, Relaxed);
        }
    }
}

fn remove(size: usize) {
    if IS_COUNTED.load(Relaxed) {
        LIVE.fetch_sub(size, Relaxed);
    }
}

/// Runs a piece of work, and returns the greatest number of bytes that it had allocated at once. The program has
/// [`CountedHeap`] as its global allocator.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    IS_COUNTED.store(true, Relaxed);
    let done = work();
    IS_COUNTED.store(false, Relaxed);
    (done, PEAK.load(Relaxed))
}
