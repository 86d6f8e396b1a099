//! Structs of `f64` fields, each of which maps to one lane of the host's columns.

use std::ffi::c_void;

use simhost_abi::{Batch, PortDesc, StateDesc, Str};

use crate::{Memory, Step};

/// A struct of `f64` fields that is loaded from, and stored to, one lane of columns. Derived.
pub trait Columns: Sized {
    /// Number of fields.
    const COUNT: usize;
    /// Loads field `k` from `get(k)`.
    fn load(get: impl Fn(usize) -> f64) -> Self;
    /// Stores field `k` with `put(k, value)`.
    fn store(&self, put: impl FnMut(usize, f64));
}

/// The inputs or outputs of a phase, by name. Derived; see [`macro@crate::Ports`].
pub trait Ports: Columns {
    /// Declarations of the ports.
    const PORTS: &'static [PortDesc];
}

/// The state of a lane between two steps. Derived; see [`macro@crate::State`].
pub trait State: Columns {
    /// Declarations of the state slots.
    const STATES: &'static [StateDesc];
    /// Version of the slots and of the memory, from `#[state(schema = 2)]`. Raise it when their
    /// meaning changes, so that a snapshot of an older version is migrated or refused.
    const SCHEMA: u32 = 1;
    /// Whether [`Self::migrate`] is implemented.
    const MIGRATES: bool = false;
    /// Type of the field marked `#[state(memory)]`: data that does not fit into slots.
    type Memory: Memory;

    /// Attaches the memory for a call.
    ///
    /// # Safety
    ///
    /// `memory` points to a [`Self::Memory`] that nothing else accesses during the call.
    #[doc(hidden)]
    unsafe fn attach(&mut self, _memory: *mut c_void) {}

    /// Adapts slots that the host filled from slots of the same names in an older schema.
    ///
    /// # Errors
    ///
    /// A message for the user when that schema is not supported any more.
    #[doc(hidden)]
    fn migrate(&mut self, _schema: u32, _old: &[(&str, f64)]) -> Result<(), String> {
        Ok(())
    }
}

/// Loads the state of a lane.
///
/// # Safety
///
/// `batch` is valid and `lane` is one of the call's.
#[inline(always)]
pub(crate) unsafe fn state_of<S: State>(batch: &Batch, lane: usize) -> S {
    // SAFETY: promised by the caller, here and below.
    let mut state = S::load(|k| unsafe { *(*batch.states.add(k)).add(lane) });
    // SAFETY: as above.
    unsafe { attach_memory(&mut state, batch, lane) };
    state
}

/// Attaches the memory of a lane to its state.
///
/// # Safety
///
/// As for [`state_of`].
#[inline(always)]
pub(crate) unsafe fn attach_memory<S: State>(state: &mut S, batch: &Batch, lane: usize) {
    if S::Memory::PRESENT {
        // SAFETY: the host keeps a memory for each lane of a model that has any.
        unsafe { state.attach(*batch.memories.add(lane)) };
    }
}

/// Returns the step of a lane.
///
/// # Safety
///
/// `batch` is valid and `lane` is one of the call's.
#[inline(always)]
pub(crate) unsafe fn step_of(batch: &Batch, lane: usize, random: bool) -> Step {
    let step = Step::of(batch);
    // SAFETY: the host fills the streams of a model that says that it draws.
    if random { step.with_stream(unsafe { *batch.streams.add(lane) }) } else { step }
}

impl Columns for () {
    const COUNT: usize = 0;
    #[inline(always)]
    fn load(_: impl Fn(usize) -> f64) -> Self {}
    #[inline(always)]
    fn store(&self, _: impl FnMut(usize, f64)) {}
}

impl Ports for () {
    const PORTS: &'static [PortDesc] = &[];
}

impl State for () {
    const STATES: &'static [StateDesc] = &[];
    type Memory = ();
}

/// Largest number of ports in a list.
const CAPACITY: usize = 64;

/// A list of ports of limited length, built at compile time.
#[derive(Clone, Copy)]
pub(crate) struct PortList {
    ports: [PortDesc; CAPACITY],
    len: usize,
}

impl PortList {
    /// Joins two lists. Fails to compile when they hold more than 64 ports.
    pub(crate) const fn join(first: &[PortDesc], second: &[PortDesc]) -> Self {
        assert!(first.len() + second.len() <= CAPACITY, "more than 64 ports in one list");
        let empty = crate::columns::port("", "", simhost_abi::Scope::Instance, "");
        let mut ports = [empty; CAPACITY];
        let mut i = 0;
        while i < first.len() {
            ports[i] = first[i];
            i += 1;
        }
        let mut j = 0;
        while j < second.len() {
            ports[i + j] = second[j];
            j += 1;
        }
        Self { ports, len: first.len() + second.len() }
    }

    /// Returns the ports of a `rates` phase: one output per state slot, under its name.
    pub(crate) const fn rates(states: &[StateDesc]) -> Self {
        let mut list = Self::join(&[], &[]);
        assert!(states.len() <= CAPACITY, "more than 64 state slots");
        while list.len < states.len() {
            let state = states[list.len];
            let desc = port("", "", simhost_abi::Scope::Instance, "rate of change, a second");
            list.ports[list.len] = PortDesc { name: state.name, unit: state.unit, ..desc };
            list.len += 1;
        }
        list
    }

    /// Returns the ports.
    pub(crate) const fn as_slice(&self) -> &[PortDesc] {
        self.ports.split_at(self.len).0
    }
}

/// Declares a port without default and key.
pub(crate) const fn port(
    name: &'static str,
    unit: &'static str,
    scope: simhost_abi::Scope,
    doc: &'static str,
) -> PortDesc {
    PortDesc {
        size: size_of::<PortDesc>() as u32,
        scope: scope as u32,
        flags: 0,
        reserved: 0,
        name: Str::new(name),
        unit: Str::new(unit),
        doc: Str::new(doc),
        default: 0.0,
        key: Str::new(""),
        key_unit: Str::new(""),
        key_scale: 1.0,
    }
}
