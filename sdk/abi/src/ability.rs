//! Tables that are asked for by a string id: a model's abilities, and the services of a host.
//!
//! They stand outside the fingerprint. A table never changes under its id: a new one has a new
//! number behind the slash, and whoever asks tries the newest first.

use std::ffi::c_void;

use crate::model::Fault;
use crate::values::{Slice, Str};

/// Id of [`MemoryTable`], asked of [`Model::ability`](crate::Model::ability).
pub const MEMORY_ABILITY: &str = "simhost.memory/1";
/// Id of [`MigrateTable`], asked of [`Model::ability`](crate::Model::ability).
pub const MIGRATE_ABILITY: &str = "simhost.migrate/1";
/// Id of [`SelftestTable`], asked of [`Model::ability`](crate::Model::ability).
pub const SELFTEST_ABILITY: &str = "simhost.selftest/1";
/// Id of [`GroundService`], asked of [`Services::find`](crate::Services::find).
pub const GROUND_SERVICE: &str = "simhost.ground/1";

/// Takes bytes: a sink of the caller's, the first byte, and how many.
pub type WriteFn = unsafe extern "C" fn(*mut c_void, *const u8, usize);

/// What a lane remembers that is no fixed set of numbers, such as a delay line or a map. The
/// host keeps a pointer for each lane in [`Batch::memories`](crate::Batch::memories), and calls
/// `save` and `load` for snapshots, forks and a plugin that takes over from an older one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MemoryTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Makes the memory of one lane as it is at the start of a run. Writes it on success and the
    /// fault otherwise; returns a code of [`crate::fault_code`].
    pub create: unsafe extern "C" fn(*const c_void, *mut *mut c_void, *mut Fault) -> u32,
    /// Ends a memory.
    pub destroy: unsafe extern "C" fn(*mut c_void),
    /// Hands the bytes of a memory to `write(sink, first byte, length)`, in one or more pieces.
    pub save: unsafe extern "C" fn(*const c_void, *mut c_void, WriteFn, *mut Fault) -> u32,
    /// Makes a memory from bytes that `save` of a model of schema `schema` gave. Bytes are not
    /// to be trusted. Older schemas may be refused.
    pub load:
        unsafe extern "C" fn(*const c_void, u32, Slice<u8>, *mut *mut c_void, *mut Fault) -> u32,
}

/// Carries the states of an older schema over. Without it the host copies the slots whose names
/// are the same, and the others begin at their initial values.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MigrateTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The states of one lane: the older schema, names and values of its slots, and the slots
    /// of this model, filled as the host would, to be mended.
    pub migrate: unsafe extern "C" fn(
        *const c_void,
        u32,
        Slice<Str>,
        Slice<f64>,
        *mut f64,
        *mut Fault,
    ) -> u32,
}

/// Fails on demand, so that a validator can see what becomes of it. Models of the SDK have it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SelftestTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Panics the way a phase would: the panic must come back as [`crate::fault_code::PANIC`].
    pub panic: unsafe extern "C" fn(*mut Fault) -> u32,
}

/// The ground below any point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GroundService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// For `count` points of the world frame, m, the height of the ground at or below each, m,
    /// and its slope dz/dx and dz/dy. Any of the three outputs may be null.
    pub query: unsafe extern "C" fn(
        *const c_void,
        usize,
        *const f64,
        *const f64,
        *const f64,
        *mut f64,
        *mut f64,
        *mut f64,
    ),
}
