//! What each thread is calling: for a signal handler, and for whoever watches for calls that hang.
//!
//! A thread leaves a breadcrumb before it calls a model and takes it up afterwards. Everything is an
//! atomic in static memory, so that a signal handler may read it, and no clock is read: a watcher
//! looks whether the count of calls moves.

use std::cell::Cell;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use crate::clock::Clock;

/// Threads that leave breadcrumbs; further ones leave none.
const THREADS: usize = 256;

/// What is said of a call.
#[derive(Debug)]
pub(crate) struct Label {
    /// Full name of the class.
    pub class: String,
    /// Linked in, or the file it came from.
    pub source: String,
    /// Part of the step.
    pub phase: &'static str,
    /// Name of each lane's entity.
    pub entities: Vec<String>,
}

/// A call that is under way.
#[derive(Clone, Copy, Debug)]
pub struct Breadcrumb {
    /// Full name of the class.
    pub class: &'static str,
    /// Linked in, or the file it came from.
    pub source: &'static str,
    /// Part of the step.
    pub phase: &'static str,
    /// Name of the first vehicle or wheel of the call.
    pub entity: &'static str,
    /// How many more there are in the call.
    pub more: usize,
    /// Start of the step, s.
    pub time: f64,
    /// Number of the thread.
    pub thread: usize,
    /// Calls of this thread so far.
    pub calls: u64,
}

struct Slot {
    /// Odd while a call is under way.
    count: AtomicU64,
    label: AtomicPtr<Label>,
    first: AtomicUsize,
    lanes: AtomicUsize,
    time: AtomicU64,
}

static SLOTS: [Slot; THREADS] = [const {
    Slot {
        count: AtomicU64::new(0),
        label: AtomicPtr::new(std::ptr::null_mut()),
        first: AtomicUsize::new(0),
        lanes: AtomicUsize::new(0),
        time: AtomicU64::new(0),
    }
}; THREADS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The slot of this thread; none yet is `usize::MAX`.
    static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Calls a model with a breadcrumb left.
#[inline]
pub(crate) fn leave<T>(
    label: &'static Label,
    first: usize,
    lanes: usize,
    clock: &Clock,
    call: impl FnOnce() -> T,
) -> T {
    let own = OWN.get();
    let own = if own == usize::MAX { NEXT.fetch_add(1, Ordering::Relaxed) } else { own };
    OWN.set(own);
    let Some(slot) = SLOTS.get(own) else { return call() };
    let count = slot.count.load(Ordering::Relaxed);
    slot.label.store(std::ptr::from_ref(label).cast_mut(), Ordering::Relaxed);
    slot.first.store(first, Ordering::Relaxed);
    slot.lanes.store(lanes, Ordering::Relaxed);
    slot.time.store(clock.time().to_bits(), Ordering::Relaxed);
    slot.count.store(count + 1, Ordering::Release);
    let result = call();
    slot.count.store(count + 2, Ordering::Release);
    result
}

/// The call that this thread is in. Safe in a signal handler: no lock, no allocation.
pub fn of_this_thread() -> Option<Breadcrumb> {
    read(OWN.get())
}

/// The calls that are under way in all threads.
pub fn of_all_threads() -> impl Iterator<Item = Breadcrumb> {
    (0..NEXT.load(Ordering::Relaxed).min(THREADS)).filter_map(read)
}

fn read(thread: usize) -> Option<Breadcrumb> {
    let slot = SLOTS.get(thread)?;
    let count = slot.count.load(Ordering::Acquire);
    let label = slot.label.load(Ordering::Relaxed);
    if count % 2 == 0 || label.is_null() {
        return None;
    }
    // SAFETY: labels are leaked, so they live for ever.
    let label: &'static Label = unsafe { &*label };
    let first = slot.first.load(Ordering::Relaxed);
    Some(Breadcrumb {
        class: &label.class,
        source: &label.source,
        phase: label.phase,
        entity: label.entities.get(first).map_or("", String::as_str),
        more: slot.lanes.load(Ordering::Relaxed).saturating_sub(1),
        time: f64::from_bits(slot.time.load(Ordering::Relaxed)),
        thread,
        calls: count / 2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_seen_while_it_lasts() {
        let label: &'static Label = Box::leak(Box::new(Label {
            class: "acme/ice".into(),
            source: "ice.so".into(),
            phase: "force",
            entities: vec!["a".into(), "b".into()],
        }));
        let clock = Clock { steps: 3, dt: 0.1 };
        let seen = leave(label, 1, 1, &clock, || of_this_thread().expect("left above"));
        assert_eq!((seen.class, seen.entity, seen.more, seen.time), ("acme/ice", "b", 0, 0.3));
        assert!(of_this_thread().is_none());
        let again = leave(label, 0, 2, &clock, || of_this_thread().expect("left above"));
        assert_eq!((again.entity, again.more, again.calls), ("a", 1, seen.calls + 1));
    }
}
