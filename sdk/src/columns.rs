//! Structs of `f64` fields. A field maps to one lane of a column of the host.

use std::ffi::c_void;

use simhost_abi::{Batch, ParamDesc, PortDesc, StateDesc, Str, is_same, port_flag};

use crate::lanes::{is_per_lane, port_of};
use crate::message::Message;
use crate::{Memory, PerWheel, Reading, Step};

/// A struct of numbers that is loaded from, and stored to, one lane of columns. Derived.
pub trait Columns: Sized {
    /// Number of fields.
    const COUNT: usize;
    /// Bit `k` is set if field `k` has one value per wheel.
    const PER_WHEEL: u64 = 0;
    /// Bit `k` is set if field `k` is a [`Reading`].
    const READINGS: u64 = 0;
    /// Loads field `k` from `get(k)`. Fields with one value per wheel have no wheels, and readings are
    /// empty.
    fn load(get: impl Fn(usize) -> f64) -> Self;
    /// Loads field `k` from `get(k)`, from `wheels(k)` if it has one value per wheel, or from
    /// `readings(k)` if it is a [`Reading`].
    #[inline(always)]
    fn load_with(
        get: impl Fn(usize) -> f64,
        _wheels: impl Fn(usize) -> PerWheel,
        _readings: impl Fn(usize) -> Reading,
    ) -> Self {
        Self::load(get)
    }
    /// Stores field `k` with `put(k, value)`, unless it has one value per wheel.
    fn store(&self, put: impl FnMut(usize, f64));
    /// Stores the fields with one value per wheel: `put(k, wheel, value)`.
    #[inline(always)]
    fn store_wheels(&self, _put: impl FnMut(usize, usize, f64)) {}
    /// Calls `visit(k, reading)` for each field `k` that is a [`Reading`].
    fn visit_readings(&self, _visit: impl FnMut(usize, &Reading)) {}
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
    /// `memory` came from the memory table of this type. No other call uses it, except for calls that share it.
    #[doc(hidden)]
    unsafe fn attach(&mut self, _memory: *mut c_void, _is_shared: bool) {}

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

/// Loads the ports of a lane, whose columns are `columns`.
///
/// # Safety
///
/// `batch` is valid, `columns` holds a column per port of `P` with the scope of the port, and `lane`
/// is one of the call's. The result is not used after the call.
#[inline(always)]
pub(crate) unsafe fn ports_of<P: Columns>(
    batch: &Batch,
    columns: *const *const f64,
    lane: usize,
) -> P {
    // SAFETY: promised by the caller, here and below.
    let value = |k| unsafe { *(*columns.add(k)).add(lane) };
    // SAFETY: as above.
    let wheels = |k| unsafe {
        PerWheel::new((*columns.add(k)).add(lane), batch.wheel_stride, batch.wheels as usize)
    };
    // SAFETY: as above; a port with this scope is an input of the phase.
    P::load_with(value, wheels, |k| unsafe { Reading::of_lane(batch, *columns.add(k), k, lane) })
}

/// Stores the ports of a lane that have one value per wheel.
///
/// # Safety
///
/// `batch` is valid, its outputs from `skipped` on belong to `P`, and `lane` is a lane of the call.
#[inline(always)]
pub(crate) unsafe fn store_wheels<P: Columns>(
    values: &P,
    batch: &Batch,
    skipped: usize,
    lane: usize,
) {
    if P::PER_WHEEL != 0 {
        values.store_wheels(|k, wheel, value| {
            if wheel < batch.wheels as usize {
                // SAFETY: promised by the caller, and the wheel is in range.
                unsafe {
                    *(*batch.outputs.add(skipped + k)).add(wheel * batch.wheel_stride + lane) =
                        value;
                }
            }
        });
    }
}

/// Loads the state of a lane.
///
/// # Safety
///
/// `batch` is valid and `lane` is one of the call's.
#[inline(always)]
pub(crate) unsafe fn state_of<S: State>(batch: &Batch, lane: usize) -> S {
    // SAFETY: promised by the caller.
    unsafe { load_state(batch, lane, false) }
}

/// Loads a state that calls on other threads use as well, and that none of them changes.
///
/// # Safety
///
/// `batch` is valid and has a lane of this index.
pub(crate) unsafe fn shared_state_of<S: State>(batch: &Batch, lane: usize) -> S {
    // SAFETY: promised by the caller.
    unsafe { load_state(batch, lane, true) }
}

/// # Safety
///
/// `batch` is valid and has a lane of this index.
#[inline(always)]
unsafe fn load_state<S: State>(batch: &Batch, lane: usize, is_shared: bool) -> S {
    // SAFETY: promised by the caller, here and below.
    let mut state = S::load(|k| unsafe { *(*batch.states.add(k)).add(lane) });
    if S::Memory::PRESENT {
        // SAFETY: the host keeps a memory for each lane of a model that has any.
        unsafe { state.attach(*batch.memories.add(lane), is_shared) };
    }
    state
}

/// Returns the step of a lane.
///
/// # Safety
///
/// `batch` is valid and `lane` is one of the call's.
#[inline(always)]
pub(crate) unsafe fn step_of(batch: &Batch, lane: usize, random: bool) -> Step {
    let step = Step::of(batch).of_lane(lane);
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
pub(crate) const CAPACITY: usize = 64;

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

    /// Returns the inputs of a phase: `ports`, and then the parameters that can differ between lanes.
    pub(crate) const fn inputs(ports: &[PortDesc], params: &[ParamDesc]) -> Self {
        let mut list = Self::join(ports, &[]);
        let mut i = 0;
        while i < params.len() {
            if is_per_lane(&params[i]) {
                assert!(list.len < CAPACITY, "more than 64 ports in one list");
                list.ports[list.len] = unique(ports, port_of(&params[i]));
                list.len += 1;
            }
            i += 1;
        }
        list
    }

    /// Returns outputs that are published.
    pub(crate) const fn published(ports: &[PortDesc]) -> Self {
        let mut list = Self::join(ports, &[]);
        let mut i = 0;
        while i < list.len {
            list.ports[i].flags |= port_flag::OPTIONAL;
            i += 1;
        }
        list
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

    /// Returns the number of ports.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the first `N` ports, with unused ones after the last.
    pub(crate) const fn first<const N: usize>(&self) -> [PortDesc; N] {
        *self.ports.first_chunk().expect("no array is longer than a list")
    }
}

/// Returns the ports of a constant [`PortList`] as a static slice. The underlying array is hardly
/// longer than the list, because 64 ports take 7 kB of each library for each phase.
macro_rules! static_ports {
    ($list:expr) => {
        match $list.len() {
            0..=4 => const { &$list.first::<4>() }.split_at($list.len()).0,
            5..=8 => const { &$list.first::<8>() }.split_at($list.len()).0,
            9..=12 => const { &$list.first::<12>() }.split_at($list.len()).0,
            13..=16 => const { &$list.first::<16>() }.split_at($list.len()).0,
            17..=24 => const { &$list.first::<24>() }.split_at($list.len()).0,
            25..=32 => const { &$list.first::<32>() }.split_at($list.len()).0,
            _ => const { &$list.first::<64>() }.split_at($list.len()).0,
        }
    };
}
pub(crate) use static_ports;

/// Returns the input of a parameter. Fails to compile if one of the other inputs has its name.
const fn unique(ports: &[PortDesc], parameter: PortDesc) -> PortDesc {
    let mut i = 0;
    while i < ports.len() {
        // SAFETY: declarations are static.
        let (name, own) = unsafe { (ports[i].name.as_str(), parameter.name.as_str()) };
        if is_same(name, own) {
            let message =
                Message::of(&["the parameter `", own, "` is `per_lane` and has the name "])
                    .and("of an input; rename it with `key = \"…\"`");
            panic!("{}", message.as_str());
        }
        i += 1;
    }
    parameter
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
