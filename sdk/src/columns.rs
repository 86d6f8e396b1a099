//! Structs of `f64` fields that are one lane of the host's columns.

use std::ffi::c_void;

use simhost_abi::{Batch, PortDesc, StateDesc, Str};

use crate::{Memory, Step};

/// A struct of `f64` fields that is read from, or written to, one lane of columns. Derived.
pub trait Columns: Sized {
    /// Number of fields.
    const COUNT: usize;
    /// Reads field `k` with `get(k)`.
    fn load(get: impl Fn(usize) -> f64) -> Self;
    /// Writes field `k` with `put(k, value)`.
    fn store(&self, put: impl FnMut(usize, f64));
}

/// Quantities that go in or out, by name. Derived; see [`macro@crate::Ports`].
pub trait Ports: Columns {
    /// The declaration.
    const PORTS: &'static [PortDesc];
}

/// What a model remembers from step to step. Derived; see [`macro@crate::State`].
pub trait State: Columns {
    /// The declaration.
    const STATES: &'static [StateDesc];
    /// Version of the slots and of the memory, from `#[state(schema = 2)]`: raise it when what they
    /// mean changes, so that a snapshot of an older version is carried over or refused.
    const SCHEMA: u32 = 1;
    /// Whether [`Self::migrate`] does anything.
    const MIGRATES: bool = false;
    /// What is remembered beside the slots: the type of the field with `#[state(memory)]`.
    type Memory: Memory;

    /// Takes the memory for a call.
    ///
    /// # Safety
    /// `memory` points to a [`Self::Memory`] that nothing else touches during the call.
    #[doc(hidden)]
    unsafe fn attach(&mut self, _memory: *mut c_void) {}

    /// Mends slots that were filled from those of an older schema with the same names.
    ///
    /// # Errors
    /// When that schema is not known any more.
    #[doc(hidden)]
    fn migrate(&mut self, _schema: u32, _old: &[(&str, f64)]) -> Result<(), String> {
        Ok(())
    }
}

/// The state of a lane.
///
/// # Safety
/// `batch` is valid and `lane` is one of the call's.
#[inline(always)]
pub(crate) unsafe fn state_of<S: State>(batch: &Batch, lane: usize) -> S {
    // SAFETY: promised by the caller, here and below.
    let mut state = S::load(|k| unsafe { *(*batch.states.add(k)).add(lane) });
    // SAFETY: as above.
    unsafe { attach_memory(&mut state, batch, lane) };
    state
}

/// Lends a state its memory.
///
/// # Safety
/// As for [`state_of`].
#[inline(always)]
pub(crate) unsafe fn attach_memory<S: State>(state: &mut S, batch: &Batch, lane: usize) {
    if S::Memory::PRESENT {
        // SAFETY: the host keeps a memory for each lane of a model that has any.
        unsafe { state.attach(*batch.memories.add(lane)) };
    }
}

/// The step of a lane.
///
/// # Safety
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

/// Most ports in one list.
const CAPACITY: usize = 64;

/// Two lists of ports, one after the other.
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

    /// A list of the rates of change of states, under their names.
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

    /// The ports.
    pub(crate) const fn as_slice(&self) -> &[PortDesc] {
        self.ports.split_at(self.len).0
    }
}

/// A port without default and key.
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
