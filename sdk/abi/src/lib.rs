//! The boundary between the simhost host and its models.
//!
//! `sdk/c/simhost_plugin.h` is the definition; the types here mirror it field by field. A plugin is
//! a shared library with one data symbol, [`SYMBOL`], of type [`Plugin`]. The host accepts it in
//! three steps: [`MAGIC`], then [`EPOCH`], then [`FINGERPRINT`]. If the fingerprint differs,
//! `abi_stable` compares the layouts of [`Plugin`] to report the difference.
//!
//! A descriptor is static data, so a host reads it without running code of the plugin.
//!
//! # Threads
//!
//! Every function can be called from any thread. [`Phase::call`] can run on several threads at the
//! same time with one handle, on lanes that do not overlap. `create` and `destroy` never overlap
//! with another call on the same handle.

#[macro_use]
mod layout;
mod ability;
mod fingerprint;
mod model;
mod values;

pub mod host_port;

pub use ability::{
    GROUND_SERVICE, GroundService, MEMORY_ABILITY, MIGRATE_ABILITY, MemoryTable, MigrateTable,
    SELFTEST_ABILITY, SelftestTable, WriteFn,
};
pub use fingerprint::FINGERPRINT;
pub use model::{
    AbilityFn, ArrangeFn, Batch, CallFn, CapacityFn, ChassisDesc, CommandDesc, CreateFn, DestroyFn,
    Fault, Head, Kind, Model, Phase, Plugin, PortDesc, Scope, Services, StateDesc, StateKind,
    WheelDesc, WheelGeometry, fault_code, model_flag, port_flag, wheel_flag,
};
pub use values::{ParamDesc, ParamKind, Slice, Str, Value, param_flag, value_tag};

/// First eight bytes of every plugin descriptor, the same in every epoch.
pub const MAGIC: u64 = u64::from_le_bytes(*b"simhost\0");

/// The epoch of the structs in this crate. It is independent of the version of the product and
/// changes only when a struct changes.
pub const EPOCH: u32 = 1;

/// The data symbol that a plugin exports.
pub const SYMBOL: &str = "simhost_plugin_v1";

/// The `abi_stable` release whose layout description [`Head::layout`] points to.
pub const LAYOUT_DESCRIPTION: &str = "abi_stable 0.11";

/// Layout description of [`Plugin`], for [`Head::layout`].
pub const LAYOUT: *const std::ffi::c_void =
    std::ptr::from_ref(<Plugin as abi_stable::StableAbi>::LAYOUT).cast();
