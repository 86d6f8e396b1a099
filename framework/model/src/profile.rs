//! Wall time of the calls of models and of the phases of a step, for `simhost run --profile`.
//!
//! While nothing is measured, a call costs one look at a flag. Times do not have an influence on results.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::classes::ModelRef;
use crate::entities::Entities;

/// Largest number of events of a thread that are kept for a trace.
const MOST_EVENTS: usize = 200_000;

static IS_ON: AtomicBool = AtomicBool::new(false);
/// Start of the measurement.
static START: Mutex<Option<Instant>> = Mutex::new(None);
/// What each thread has measured.
static THREADS: Mutex<Vec<Arc<Mutex<Times>>>> = Mutex::new(Vec::new());

thread_local! {
    static OWN: RefCell<Option<Arc<Mutex<Times>>>> = const { RefCell::new(None) };
}

/// What a thread has measured.
#[derive(Default)]
struct Times {
    number: usize,
    /// Calls by the address of their label, which the row keeps.
    calls: BTreeMap<usize, (Arc<CallLabel>, Sum)>,
    phases: BTreeMap<&'static str, Sum>,
    events: Vec<RawEvent>,
    /// Number of events that are not kept.
    dropped: u64,
    /// Time of all calls, ns.
    in_calls: u64,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    count: u64,
    lanes: u64,
    nanoseconds: u64,
}

struct RawEvent {
    /// Address of a label, or a phase.
    name: Result<usize, &'static str>,
    start: u64,
    nanoseconds: u64,
    lanes: usize,
    time: f64,
}

/// Wall time of the calls of a phase of a model, or of a phase of the step.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileRow {
    /// Full name of the class; `None` for a phase of the step, without the models that it calls.
    pub class: Option<String>,
    /// Phase of the model or of the step.
    pub phase: &'static str,
    /// The vehicles, sensors or other owners of the lanes.
    pub owners: Vec<String>,
    /// Number of calls.
    pub calls: u64,
    /// Number of lanes of all calls.
    pub lanes: u64,
    /// Time of all calls, s.
    pub seconds: f64,
}

/// An event of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileEvent {
    /// Class and phase, or phase of the step.
    pub name: String,
    /// Number of the thread.
    pub thread: usize,
    /// Start, as the time since the start of the measurement, µs.
    pub start: f64,
    /// Duration, µs.
    pub duration: f64,
    /// Number of lanes; 0 for a phase of the step.
    pub lanes: usize,
    /// Simulated time at the start of the step, s; 0 for a phase of the step.
    pub time: f64,
}

/// Wall times since [`begin`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallProfile {
    /// Calls and phases, the longest first.
    pub rows: Vec<ProfileRow>,
    /// The first events of each thread.
    pub events: Vec<ProfileEvent>,
    /// Number of events that are left out.
    pub dropped: u64,
}

/// Begins to measure in all threads.
pub fn begin() {
    for times in threads().iter() {
        let mut times = lock(times);
        *times = Times { number: times.number, ..Times::default() };
    }
    *START.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    IS_ON.store(true, Ordering::Release);
}

/// Ends the measurement.
pub fn end() -> CallProfile {
    IS_ON.store(false, Ordering::Release);
    let mut profile = CallProfile::default();
    let mut calls: BTreeMap<(String, &'static str, Vec<String>), Sum> = BTreeMap::new();
    let mut phases: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for times in threads().iter() {
        let times = std::mem::take(&mut *lock(times));
        for (label, sum) in times.calls.values() {
            let owners = label.entities.names().to_vec();
            calls.entry((label.class.clone(), label.function, owners)).or_default().add(*sum);
        }
        for (phase, sum) in &times.phases {
            phases.entry(phase).or_default().add(*sum);
        }
        profile.dropped += times.dropped;
        profile.events.extend(times.events.iter().map(|event| {
            let name = match event.name {
                Ok(label) => {
                    let (label, _) = &times.calls[&label];
                    format!("{} {}", label.class, label.function)
                }
                Err(phase) => phase.to_owned(),
            };
            ProfileEvent {
                name,
                thread: times.number,
                start: event.start as f64 * 1e-3,
                duration: event.nanoseconds as f64 * 1e-3,
                lanes: event.lanes,
                time: event.time,
            }
        }));
    }
    let calls =
        calls.into_iter().map(|((class, phase, owners), sum)| sum.row(Some(class), phase, owners));
    let phases = phases.into_iter().map(|(phase, sum)| sum.row(None, phase, Vec::new()));
    profile.rows = calls.chain(phases).collect();
    profile.rows.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    profile
}

/// Returns whether times are measured.
#[inline]
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Does the work of a phase of the step, and measures it if times are measured. The time of models
/// that it calls in this thread is excluded.
#[inline]
pub fn phase<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    if is_on() { measured_phase(name, work) } else { work() }
}

#[cold]
fn measured_phase<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let before = with_own(|times| times.in_calls);
    let (start, begin) = (elapsed(), Instant::now());
    let result = work();
    let nanoseconds = begin.elapsed().as_nanos() as u64;
    with_own(|times| {
        let own = nanoseconds.saturating_sub(times.in_calls - before);
        times.phases.entry(name).or_default().add(Sum { count: 1, lanes: 0, nanoseconds: own });
        times.note(RawEvent { name: Err(name), start, nanoseconds, lanes: 0, time: 0.0 });
    });
    result
}

/// Makes a call and measures it.
#[cold]
pub(crate) fn call<T>(
    label: &Arc<CallLabel>,
    lanes: usize,
    time: f64,
    call: impl FnOnce() -> T,
) -> T {
    let (start, begin) = (elapsed(), Instant::now());
    let result = call();
    let nanoseconds = begin.elapsed().as_nanos() as u64;
    with_own(|times| {
        let address = Arc::as_ptr(label).addr();
        let (_, sum) = match times.calls.entry(address) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert((Arc::clone(label), Sum::default())),
        };
        sum.add(Sum { count: 1, lanes: lanes as u64, nanoseconds });
        times.in_calls += nanoseconds;
        times.note(RawEvent { name: Ok(address), start, nanoseconds, lanes, time });
    });
    result
}

impl Times {
    fn note(&mut self, event: RawEvent) {
        if self.events.len() < MOST_EVENTS { self.events.push(event) } else { self.dropped += 1 }
    }
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.lanes += other.lanes;
        self.nanoseconds += other.nanoseconds;
    }

    fn row(self, class: Option<String>, phase: &'static str, owners: Vec<String>) -> ProfileRow {
        let Self { count: calls, lanes, nanoseconds } = self;
        ProfileRow { class, phase, owners, calls, lanes, seconds: nanoseconds as f64 * 1e-9 }
    }
}

fn threads() -> std::sync::MutexGuard<'static, Vec<Arc<Mutex<Times>>>> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lock(times: &Mutex<Times>) -> std::sync::MutexGuard<'_, Times> {
    times.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Uses the times of this thread.
fn with_own<T>(use_times: impl FnOnce(&mut Times) -> T) -> T {
    OWN.with_borrow_mut(|own| {
        let own = own.get_or_insert_with(|| {
            let mut threads = threads();
            let times = Times { number: threads.len(), ..Times::default() };
            let times = Arc::new(Mutex::new(times));
            threads.push(Arc::clone(&times));
            times
        });
        use_times(&mut lock(own))
    })
}

/// Returns the time since the start of the measurement, ns.
fn elapsed() -> u64 {
    let start = *START.lock().unwrap_or_else(PoisonError::into_inner);
    start.map_or(0, |start| start.elapsed().as_nanos() as u64)
}

/// Constant description of a call.
#[derive(Debug)]
pub struct CallLabel {
    /// Full name of the class; empty while a library is loaded.
    pub class: String,
    /// File of the plugin, or "linked in".
    pub source: String,
    /// Phase or function of the call.
    pub function: &'static str,
    /// Vehicle, wheel or sensor of each lane of a phase.
    pub entities: Entities,
    /// Whether the floating-point control state is checked after the call.
    pub checks_floats: bool,
}

impl CallLabel {
    /// Describes the calls of a function of a class.
    pub fn of(class: &ModelRef, function: &'static str, entities: Entities) -> Self {
        let (class, source) = (class.full_name.to_string(), class.source.to_string());
        Self { class, source, function, entities, checks_floats: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Entities;

    #[test]
    fn phases_do_not_contain_the_calls_of_models() {
        let entities = Entities::owners(vec!["vehicle 'a'".into()]);
        let label = Arc::new(CallLabel {
            class: "acme/slow".into(),
            source: String::new(),
            function: "force",
            entities,
            checks_floats: false,
        });
        let wait = || std::thread::sleep(std::time::Duration::from_millis(20));
        begin();
        phase("push", || call(&label, 3, 0.5, wait));
        let found = end();
        assert_eq!(phase("later", || 1), 1);
        let [slow, push] = found.rows.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (slow.class.as_deref(), slow.phase, slow.lanes),
            (Some("acme/slow"), "force", 3)
        );
        assert_eq!(slow.owners, ["vehicle 'a'"]);
        assert!(slow.seconds > 0.019 && push.seconds < 0.015, "{found:?}");
        assert_eq!((push.class.as_deref(), push.phase, push.calls), (None, "push", 1));
        assert!(
            found.events.iter().any(|event| event.name == "acme/slow force" && event.time == 0.5)
        );
    }
}
