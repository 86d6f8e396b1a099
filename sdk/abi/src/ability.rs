//! Tables that are looked up by a string id: abilities of models and services of hosts.
//!
//! They are not part of the fingerprint. A table never changes under its id: a new version gets a
//! new number after the slash, and a caller tries the newest one first.

use std::ffi::c_void;

use crate::model::Fault;
use crate::values::{Slice, Str};

/// Id of [`MemoryTable`], asked of [`Model::ability`](crate::Model::ability).
pub const MEMORY_ABILITY: &str = "simhost.memory/1";
/// Id of [`MigrateTable`], asked of [`Model::ability`](crate::Model::ability).
pub const MIGRATE_ABILITY: &str = "simhost.migrate/1";
/// Id of [`SelftestTable`], asked of [`Model::ability`](crate::Model::ability).
pub const SELFTEST_ABILITY: &str = "simhost.selftest/1";
/// Id of [`SpatialTable`], asked of [`Model::ability`](crate::Model::ability).
pub const SPATIAL_ABILITY: &str = "simhost.spatial/1";
/// Id of [`AliasesTable`], asked of [`Model::ability`](crate::Model::ability).
pub const ALIASES_ABILITY: &str = "simhost.aliases/1";
/// Id of [`WarningsTable`], asked of [`Model::ability`](crate::Model::ability).
pub const WARNINGS_ABILITY: &str = "simhost.warnings/1";
/// Id that a model answers with any address if its functions are interpreted, so that they allocate. Asked of
/// [`Model::ability`](crate::Model::ability) by the validator.
pub const INTERPRETED_ABILITY: &str = "simhost.interpreted/1";
/// Id of [`GroundService`], asked of [`Services::find`](crate::Services::find).
pub const GROUND_SERVICE: &str = "simhost.ground/1";

/// Writes bytes to a sink of the caller: the sink, the first byte, and the number of bytes.
pub type WriteFn = unsafe extern "C" fn(*mut c_void, *const u8, usize);

/// The functions of a model with memory: data of a lane that does not fit into state slots, such as
/// a delay line or a map. The host keeps one pointer per lane in
/// [`Batch::memories`](crate::Batch::memories), and calls `save` and `load` for snapshots, forks,
/// and a plugin that replaces an older one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MemoryTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Creates the memory of one lane at the start of a run. Returns a code of
    /// [`crate::fault_code`] and writes the memory on success, or else the fault.
    pub create: unsafe extern "C" fn(*const c_void, *mut *mut c_void, *mut Fault) -> u32,
    /// Destroys a memory.
    pub destroy: unsafe extern "C" fn(*mut c_void),
    /// Passes the bytes of a memory to `write(sink, first byte, length)`, in one or more pieces.
    pub save: unsafe extern "C" fn(*const c_void, *mut c_void, WriteFn, *mut Fault) -> u32,
    /// Creates a memory from bytes that `save` of a model of schema `schema` wrote. The bytes are
    /// untrusted. Older schemas can be rejected.
    pub load:
        unsafe extern "C" fn(*const c_void, u32, Slice<u8>, *mut *mut c_void, *mut Fault) -> u32,
}

/// Adapts the states of an older schema. Without this table the host copies slots by name, and the
/// other slots start at their initial values.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MigrateTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Migrates one lane: the older schema, the names and values of its slots, and the slots of
    /// this model as the host would fill them, which the function adapts.
    pub migrate: unsafe extern "C" fn(
        *const c_void,
        u32,
        Slice<Str>,
        Slice<f64>,
        *mut f64,
        *mut Fault,
    ) -> u32,
}

/// Fails on demand, so that a validator can check how a failure is contained. Models built with the
/// SDK have this table.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SelftestTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Panics as a phase would. The panic has to come back as [`crate::fault_code::PANIC`].
    pub panic: unsafe extern "C" fn(*mut Fault) -> u32,
}

/// Decides for each instance of a sensor that has the output `elevation` between rays in space and rays
/// in the plane. Without this table, all of its instances cast in space.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SpatialTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Returns 1 if the instance casts its rays in space, 0 if it casts them in the plane. Called while
    /// the world is loaded. The answer cannot depend on parameters with
    /// [`PER_LANE`](crate::param_flag::PER_LANE).
    pub is_spatial: unsafe extern "C" fn(*const c_void) -> u32,
}

/// Further names of a class. A world file can write any of them in place of the name; the host shows the
/// name alone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AliasesTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The names, at least one.
    pub names: Slice<Str>,
}

// SAFETY: the names are static, immutable texts.
unsafe impl Sync for AliasesTable {}

/// A wheel that uses an instance of a friction model, when the world is loaded.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelUse {
    /// Radius of the wheel, m.
    pub radius: f64,
    /// Weight of the vehicle divided by its number of wheels, N.
    pub load: f64,
}

/// Warnings about the parameters of an instance, which the host reports once when the world is loaded.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarningsTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Passes one warning per line, UTF-8, to `write(sink, first byte, length)`. `wheels` are those that use
    /// an instance of a friction model; models of other kinds get none.
    pub write: unsafe extern "C" fn(*const c_void, Slice<WheelUse>, *mut c_void, WriteFn),
}

/// The ground below any point, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GroundService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Computes, for `count` points in the world frame, m, the height of the ground at or below
    /// each point, m, and its slopes dz/dx and dz/dy. Any of the three outputs can be null.
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
