//! The call into a plugin that each thread is making, for signal handlers and for a watchdog.
//!
//! A thread leaves a breadcrumb before it calls a plugin and removes it afterwards. All data is atomic
//! and in static memory, so that a signal handler can read it. No clock is read: a watchdog detects a
//! call that hangs by a count of calls that does not change.
//!
//! Breadcrumbs point to labels, which therefore outlive what they describe: a label that is dropped is freed as soon as
//! no breadcrumb points to it and nothing holds a [`Pin`].

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Deref;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::classes::ModelRef;
use crate::entities::{Entities, Entity};
pub use crate::profile::CallLabel;
use crate::{float_control, profile};

/// Number of threads that leave breadcrumbs; further threads leave none.
const THREADS: usize = 256;

/// A label to which breadcrumbs can point.
#[derive(Clone, Debug)]
pub struct LabelHandle(Arc<CallLabel>);

/// Labels that were dropped and to which breadcrumbs may still point.
static DROPPED: Mutex<Vec<Arc<CallLabel>>> = Mutex::new(Vec::new());

/// Number of pins.
static PINS: AtomicUsize = AtomicUsize::new(0);

impl LabelHandle {
    /// Creates a label.
    pub fn new(label: CallLabel) -> Self {
        Self(Arc::new(label))
    }
}

impl Deref for LabelHandle {
    type Target = CallLabel;

    fn deref(&self) -> &CallLabel {
        &self.0
    }
}

impl Drop for LabelHandle {
    fn drop(&mut self) {
        let mut dropped = DROPPED.lock().unwrap_or_else(PoisonError::into_inner);
        // copies of a handle are dropped one after the other while a breadcrumb points to their label
        if !dropped.iter().any(|label| Arc::ptr_eq(label, &self.0)) {
            dropped.push(Arc::clone(&self.0));
        }
        let slots = &SLOTS[..NEXT.load(Ordering::Relaxed).min(THREADS)];
        let (kept, unused): (Vec<_>, Vec<_>) = dropped.drain(..).partition(|label| {
            let label = Arc::as_ptr(label).cast_mut();
            slots.iter().any(|slot| slot.label.load(Ordering::Relaxed) == label)
        });
        *dropped = kept;
        // a write, so that pins after it see the breadcrumbs of above or newer ones
        if PINS.fetch_add(0, Ordering::AcqRel) > 0 {
            dropped.extend(unused);
        }
    }
}

/// Keeps the labels of breadcrumbs while it lives. Signal handlers can create one.
#[derive(Debug)]
pub struct Pin(());

impl Pin {
    /// Creates a pin.
    #[expect(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> Self {
        PINS.fetch_add(1, Ordering::AcqRel);
        Self(())
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        PINS.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Functions of a model besides its phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Creates an instance.
    Create,
    /// Destroys an instance.
    Destroy,
    /// Places the wheels of a dynamics class.
    Arrange,
    /// Returns the number of rays of a sensor.
    Capacity,
    /// Returns a table by its id.
    Ability,
    /// Creates the memory of a lane.
    MemoryCreate,
    /// Destroys the memory of a lane.
    MemoryDestroy,
    /// Saves the memory of a lane.
    MemorySave,
    /// Loads the memory of a lane.
    MemoryLoad,
    /// Adapts the states of an older schema.
    Migrate,
    /// Returns warnings about the parameters.
    Warnings,
}

impl Function {
    /// Names of the functions, in the order of their declaration.
    const NAMES: [&'static str; 11] = [
        "create",
        "destroy",
        "arrange",
        "capacity",
        "ability",
        "memory create",
        "memory destroy",
        "memory save",
        "memory load",
        "migrate",
        "warnings",
    ];
}

/// Labels of the functions of a class besides its phases.
#[derive(Debug)]
pub struct Functions([LabelHandle; Function::NAMES.len()]);

/// Labels of all classes, by the address of their descriptors.
static CLASSES: Mutex<BTreeMap<usize, &'static Functions>> = Mutex::new(BTreeMap::new());

impl Functions {
    /// Returns the labels of a class, which are created once because a signal handler can read them at
    /// any time.
    pub fn of(class: &ModelRef) -> &'static Self {
        let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
        classes.entry(std::ptr::from_ref(class.model).addr()).or_insert_with(|| {
            let label =
                |function| LabelHandle::new(CallLabel::of(class, function, Entities::default()));
            Box::leak(Box::new(Self(Function::NAMES.map(label))))
        })
    }

    /// Calls a function and leaves a breadcrumb while it lasts.
    pub fn call<T>(&'static self, function: Function, call: impl FnOnce() -> T) -> T {
        leave(&self.0[function as usize], 0, 0, 0.0, call)
    }
}

/// A call that is in progress.
#[derive(Clone, Copy, Debug)]
pub struct Breadcrumb<'p> {
    /// Full name of the class; empty while a library is loaded.
    pub class: &'p str,
    /// File of the plugin, or "linked in".
    pub source: &'p str,
    /// Phase or function of the call.
    pub function: &'static str,
    /// First vehicle, wheel or sensor of the call.
    pub entity: Entity<'p>,
    /// Number of lanes of the call; 0 for functions that are not phases.
    pub lanes: usize,
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
    label: AtomicPtr<CallLabel>,
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

/// Labels of loaded libraries, which come in their order.
static LOADED: [AtomicPtr<CallLabel>; THREADS] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; THREADS];
static LOADED_COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Index of this thread's slot, `usize::MAX` before its first call.
    static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Makes a call of a plugin: leaves a breadcrumb while it lasts, and restores the floating-point
/// control state if the plugin has changed it.
#[inline]
pub fn leave<T>(
    label: &LabelHandle,
    first: usize,
    lanes: usize,
    time: f64,
    call: impl FnOnce() -> T,
) -> T {
    let own = OWN.get();
    let own = if own == usize::MAX { NEXT.fetch_add(1, Ordering::Relaxed) } else { own };
    OWN.set(own);
    let Some(slot) = SLOTS.get(own) else { return unlisted(label, call) };
    let count = slot.count.load(Ordering::Relaxed);
    slot.label.store(Arc::as_ptr(&label.0).cast_mut(), Ordering::Relaxed);
    slot.first.store(first, Ordering::Relaxed);
    slot.lanes.store(lanes, Ordering::Relaxed);
    slot.time.store(time.to_bits(), Ordering::Relaxed);
    slot.count.store(count + 1, Ordering::Release);
    contained(label, || {
        let result = match profile::is_on() {
            false => call(),
            true => profile::call(&label.0, lanes, time, call),
        };
        slot.count.store(count + 2, Ordering::Release);
        result
    })
}

/// Makes a call and checks the floating-point control state. An exception of another language that leaves the call
/// ends the process there, while the breadcrumb still names it.
#[inline]
fn contained<T>(label: &CallLabel, call: impl FnOnce() -> T) -> T {
    // an optimised frame without anything to drop would let the exception pass to the callers, which would
    // destroy their models; the guard is dropped after a call that can unwind, so it always exists
    let guard = EndOnException(label);
    let result = call();
    if label.checks_floats && !float_control::is_standard() {
        float_control::restore_after(&label.class, &label.source, label.function);
    }
    std::mem::forget(guard);
    result
}

/// Ends the process when an exception that is not a panic of Rust unwinds its scope.
struct EndOnException<'l>(&'l CallLabel);

impl Drop for EndOnException<'_> {
    #[cold]
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let function = match self.0.class.is_empty() {
            true => "a static constructor",
            false => self.0.function,
        };
        let text = "catch it there, with `simhost_guard` in C++";
        let _ = writeln!(std::io::stderr(), "an exception has left {function}; {text}");
        std::process::abort();
    }
}

/// Loads a library with `load` and leaves a breadcrumb while it lasts. Returns the result, and whether
/// the library has changed the floating-point control state, which is restored.
pub fn load<T, E>(file: &str, load: impl FnOnce() -> Result<T, E>) -> (Result<T, E>, bool) {
    let (class, source) = (String::new(), file.to_owned());
    let (function, entities) = ("loading", Entities::default());
    let label = CallLabel { class, source, function, entities, checks_floats: true };
    let label = LabelHandle::new(label);
    float_control::restore();
    let before = float_control::count();
    let result = leave(&label, 0, 0, 0.0, load);
    if result.is_ok()
        && let Some(place) = LOADED.get(LOADED_COUNT.fetch_add(1, Ordering::Relaxed))
    {
        // lives as long as the library, which is never unloaded
        place.store(Arc::into_raw(Arc::clone(&label.0)).cast_mut(), Ordering::Release);
    }
    (result, float_control::count() != before)
}

/// Returns the files of the libraries that this process has loaded, at most 256, in their order. Safe in a
/// signal handler.
pub fn loaded() -> impl Iterator<Item = &'static str> {
    LOADED.iter().map_while(|place| {
        let label = place.load(Ordering::Acquire);
        // SAFETY: labels of libraries live until the program ends.
        (!label.is_null()).then(|| unsafe { &*label }.source.as_str())
    })
}

/// Makes a call on a thread that leaves no breadcrumbs.
#[cold]
fn unlisted<T>(label: &CallLabel, call: impl FnOnce() -> T) -> T {
    contained(label, call)
}

/// Returns the call that this thread is making. Safe in a signal handler: it neither locks nor
/// allocates.
pub fn of_this_thread(pin: &Pin) -> Option<Breadcrumb<'_>> {
    read(pin, OWN.get()).filter(|(_, in_progress)| *in_progress).map(|(call, _)| call)
}

/// Returns the last call of this thread; of a thread without calls, one that another thread is making, or the
/// latest in simulated time. Safe in a signal handler.
pub fn last(pin: &Pin) -> Option<Breadcrumb<'_>> {
    let own = read(pin, OWN.get()).map(|(call, _)| call);
    own.or_else(|| of_all_threads(pin).next()).or_else(|| {
        let calls = of_slots(pin).map(|(call, _)| call);
        calls.max_by(|a, b| a.time.total_cmp(&b.time))
    })
}

/// Returns the calls that all threads are making.
pub fn of_all_threads(pin: &Pin) -> impl Iterator<Item = Breadcrumb<'_>> {
    of_slots(pin).filter(|(_, in_progress)| *in_progress).map(|(call, _)| call)
}

fn of_slots(pin: &Pin) -> impl Iterator<Item = (Breadcrumb<'_>, bool)> {
    (0..NEXT.load(Ordering::Relaxed).min(THREADS)).filter_map(|thread| read(pin, thread))
}

/// Returns the last call of a thread, and whether it is in progress.
fn read(_pin: &Pin, thread: usize) -> Option<(Breadcrumb<'_>, bool)> {
    let slot = SLOTS.get(thread)?;
    let count = slot.count.load(Ordering::Acquire);
    let label = slot.label.load(Ordering::Relaxed);
    if label.is_null() {
        return None;
    }
    // SAFETY: no label to which a breadcrumb points is freed, nor one to which it has pointed since the pin was created.
    let label = unsafe { &*label };
    let first = slot.first.load(Ordering::Relaxed);
    let call = Breadcrumb {
        class: &label.class,
        source: &label.source,
        function: label.function,
        entity: label.entities.get(first),
        lanes: slot.lanes.load(Ordering::Relaxed),
        time: f64::from_bits(slot.time.load(Ordering::Relaxed)),
        thread,
        calls: count / 2,
    };
    Some((call, count % 2 == 1))
}

#[cfg(test)]
mod tests;
