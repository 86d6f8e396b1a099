//! Calls of models that have failed, which the host may undo and repeat.
//!
//! The host takes several steps at once. If a model faults, it returns to the first of them, and takes them one by one. An
//! exception that a model raises only once would then be lost. So a call with the same arguments as a failed one has the same
//! fault, until the call from Python has ended.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use simhost_abi::{Batch, Fault};

use super::columns::{self, Bits};
use super::declaration::{Lanes, PhaseShape};
use super::instances::{Class, Instance};
use crate::runs;

/// Number of failed calls that are kept. A model that always raises does so again when the host repeats its call.
const MOST: usize = 16;

static FAILED: Mutex<Vec<(Arguments, Fault)>> = Mutex::new(Vec::new());
/// Whether there are failed calls.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);
/// The period of calls from Python in which they have failed.
static PERIOD: AtomicUsize = AtomicUsize::new(0);

/// The arguments of a call for one lane, or for all lanes of a model whose lanes depend on each other.
struct Arguments {
    /// Address of the class.
    class: usize,
    phase: usize,
    /// Address of the list of columns, and lane.
    place: (usize, usize),
    /// Time and step.
    times: [u64; 2],
    stream: Option<u64>,
    inputs: Vec<Bits>,
    states: Vec<Bits>,
}

impl Arguments {
    /// Gathers the arguments of a call.
    ///
    /// # Safety
    /// The batch is one of the host, with lanes of it.
    unsafe fn of(instance: &Instance, phase: usize, batch: &Batch) -> Self {
        let Class { phases, states, .. } = instance.class;
        let PhaseShape { inputs, lanes, .. } = &phases[phase];
        let own = match lanes {
            Lanes::Points => &Batch { first: 0, count: 1, ..*batch },
            _ => batch,
        };
        // SAFETY: promised by the caller.
        unsafe {
            Self {
                class: std::ptr::from_ref(instance.class).addr(),
                phase,
                place: (batch.outputs.addr(), batch.first),
                times: [batch.time.to_bits(), batch.dt.to_bits()],
                stream: (!batch.streams.is_null()).then(|| *batch.streams.add(batch.first)),
                inputs: columns::bits(batch, batch.inputs, inputs),
                states: columns::bits(own, batch.states.cast(), states),
            }
        }
    }

    /// Returns whether other arguments are the same: of the same lane, or of a copy with other columns, to which a member of an
    /// ensemble goes. A parameter that is equal in all lanes has no column in some calls.
    fn are(&self, other: &Self) -> bool {
        let agree = |own: &[Bits], other: &[Bits]| {
            own.iter().zip(other).all(|(own, other)| match (own, other) {
                (Some(own), Some(other)) => own == other,
                _ => true,
            })
        };
        (self.class, self.phase, self.times, self.stream)
            == (other.class, other.phase, other.times, other.stream)
            && (self.place == other.place || self.place.0 != other.place.0)
            && agree(&self.inputs, &other.inputs)
            && agree(&self.states, &other.states)
    }
}

/// Returns the part of a call in which a lane is: all lanes if they depend on each other.
fn part(instance: &Instance, batch: &Batch, lane: usize) -> Batch {
    match instance.class.is_whole {
        true => *batch,
        false => Batch { first: lane, count: 1, ..*batch },
    }
}

/// Keeps the fault of a call.
///
/// # Safety
/// The batch is one of the host, whose faulted lane has the states before the call.
pub unsafe fn keep(instance: &Instance, phase: usize, batch: &Batch, fault: &Fault) {
    // SAFETY: promised by the caller.
    let arguments =
        unsafe { Arguments::of(instance, phase, &part(instance, batch, fault.lane as usize)) };
    let mut failed = failed();
    let period = runs::period();
    if PERIOD.swap(period, Ordering::SeqCst) != period {
        failed.clear();
    }
    if failed.iter().any(|(known, _)| known.are(&arguments)) {
        return;
    }
    if failed.len() == MOST {
        failed.remove(0);
    }
    failed.push((arguments, *fault));
    HAS_FAILED.store(true, Ordering::SeqCst);
}

/// Returns the fault of the first lane of a call that has failed with these arguments.
///
/// # Safety
/// The batch is one of the host.
pub unsafe fn find(instance: &Instance, phase: usize, batch: &Batch) -> Option<Fault> {
    if !HAS_FAILED.load(Ordering::SeqCst) || PERIOD.load(Ordering::SeqCst) != runs::period() {
        return None;
    }
    let count = if instance.class.is_whole { 1 } else { batch.count };
    let failed = failed();
    let class = std::ptr::from_ref(instance.class).addr();
    let times = [batch.time.to_bits(), batch.dt.to_bits()];
    if !failed
        .iter()
        .any(|(known, _)| (known.class, known.phase, known.times) == (class, phase, times))
    {
        return None;
    }
    (batch.first..batch.first + count).find_map(|lane| {
        // SAFETY: promised by the caller.
        let arguments = unsafe { Arguments::of(instance, phase, &part(instance, batch, lane)) };
        let (_, fault) = failed.iter().find(|(known, _)| known.are(&arguments))?;
        Some(Fault { lane: lane as u64, ..*fault })
    })
}

fn failed() -> MutexGuard<'static, Vec<(Arguments, Fault)>> {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner)
}
