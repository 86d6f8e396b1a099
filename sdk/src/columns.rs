//! Structs of `f64` fields that are one lane of the host's columns.

use simhost_abi::{PortDesc, StateDesc};

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
    use simhost_abi::Str;
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
