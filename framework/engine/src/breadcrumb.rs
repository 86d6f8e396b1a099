//! The model call that each thread is making, for signal handlers and for a watchdog.
//!
//! A thread leaves a breadcrumb before it calls a model and removes it afterwards. All data is atomic
//! and in static memory, so that a signal handler can read it. No clock is read: a watchdog detects a
//! call that hangs by a count of calls that does not change.

use std::cell::Cell;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use crate::entities::{Entities, Entity};

/// Number of threads that leave breadcrumbs; further threads leave none.
const THREADS: usize = 256;

/// Constant description of a call.
#[derive(Debug)]
pub(crate) struct Label {
    /// Full name of the class.
    pub class: String,
    /// File of the plugin, or "linked in".
    pub source: String,
    /// Phase of the call.
    pub phase: &'static str,
    /// Vehicle, wheel or sensor of each lane.
    pub entities: Entities,
}

/// A call that is in progress.
#[derive(Clone, Copy, Debug)]
pub struct Breadcrumb {
    /// Full name of the class.
    pub class: &'static str,
    /// File of the plugin, or "linked in".
    pub source: &'static str,
    /// Phase of the call.
    pub phase: &'static str,
    /// First vehicle, wheel or sensor of the call.
    pub entity: Entity<'static>,
    /// Number of further lanes of the call.
    pub more: usize,
    /// Start of the step, s.
    pub time: f64,
    /// Index of the thread.
    pub thread: usize,
    /// Number of completed calls of this thread.
    pub calls: u64,
}

struct Slot {
    /// Odd while a call is in progress.
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
    /// Index of this thread's slot, `usize::MAX` before its first call.
    static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Makes a call and leaves a breadcrumb while it lasts.
#[inline]
pub(crate) fn leave<T>(
    label: &'static Label,
    first: usize,
    lanes: usize,
    time: f64,
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
    slot.time.store(time.to_bits(), Ordering::Relaxed);
    slot.count.store(count + 1, Ordering::Release);
    let result = call();
    slot.count.store(count + 2, Ordering::Release);
    result
}

/// Returns the call that this thread is making. Safe in a signal handler: it neither locks nor
/// allocates.
pub fn of_this_thread() -> Option<Breadcrumb> {
    read(OWN.get())
}

/// Returns the calls that all threads are making.
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
    // SAFETY: labels are leaked and therefore live until the program ends.
    let label: &'static Label = unsafe { &*label };
    let first = slot.first.load(Ordering::Relaxed);
    Some(Breadcrumb {
        class: &label.class,
        source: &label.source,
        phase: label.phase,
        entity: label.entities.get(first),
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
    fn a_call_is_visible_while_it_lasts() {
        let label: &'static Label = Box::leak(Box::new(Label {
            class: "acme/ice".into(),
            source: "ice.so".into(),
            phase: "force",
            entities: Entities::owners(vec!["a".into(), "b".into()]),
        }));
        let seen = leave(label, 1, 1, 0.3, || of_this_thread().expect("left above"));
        assert_eq!((seen.class, seen.more, seen.time), ("acme/ice", 0, 0.3));
        assert_eq!(seen.entity.to_string(), "b");
        assert!(of_this_thread().is_none());
        let again = leave(label, 0, 2, 0.3, || of_this_thread().expect("left above"));
        assert_eq!((again.more, again.calls), (1, seen.calls + 1));
        assert_eq!(again.entity.to_string(), "a");
    }
}
