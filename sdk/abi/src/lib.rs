//! The boundary between the simhost host and its models.
//!
//! `sdk/c/simhost_plugin.h` is the definition; the types here mirror it field by field. A plugin is
//! a shared library with one data symbol, [`SYMBOL`], of type [`Plugin`]. The host accepts it in
//! three steps: [`MAGIC`], then [`EPOCH`], then [`FINGERPRINT`]. If the fingerprint differs, the host
//! compares the layout that the plugin describes with [`LAYOUT`] to report the field that differs.
//!
//! The feature `stable-abi` derives the layout description of abi_stable for every struct. A plugin that has it exports
//! the description, and a host that has it compares both trees when it refuses the plugin and in `simhost plugin
//! check`. The tests of the boundary use it as a second opinion on [`LAYOUT`].
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
mod contacts;
mod earth;
mod fingerprint;
mod kind;
mod model;
mod names;
mod numbered;
mod observer;
mod roads;
mod scaling;
mod sensor_image;
#[cfg(feature = "stable-abi")]
mod stable;
mod surroundings;
mod values;

pub mod host;
pub mod host_port;

pub use ability::{
    ALIASES_ABILITY, AliasesTable, GROUND_SERVICE, GroundService, INTERPRETED_ABILITY,
    MEMORY_ABILITY, MIGRATE_ABILITY, MemoryTable, MigrateTable, SELFTEST_ABILITY, SPATIAL_ABILITY,
    SelftestTable, SpatialTable, WARNINGS_ABILITY, WarningsTable, WheelUse, WriteFn,
};
pub use contacts::{CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService};
pub use earth::{EARTH_SERVICE, EarthPoint, EarthService};
pub use fingerprint::{FINGERPRINT, LAYOUT, fingerprint_of, release_of};
pub use kind::Kind;
pub use layout::{FieldLayout, StructLayout};
pub use model::{
    AbilityFn, ArrangeFn, ArrayPort, Batch, CallFn, CapacityFn, ChassisDesc, CommandDesc, CreateFn,
    DestroyFn, Fault, Head, Model, Phase, Plugin, PortDesc, Scope, Services, StateDesc, StateKind,
    WheelDesc, WheelGeometry, escaped, fault_code, is_command, is_direction_mark, model_flag,
    port_flag, wheel_flag,
};
pub use names::{KEY_RULE, LANGUAGE_KEYS, WORD_RULE, is_key, is_of_language, is_same, is_word};
pub use observer::{
    OBSERVER_ABILITY, Observed, ObserverTable, RunEnd, RunStart, Sample, end_reason,
};
pub use roads::{LaneQuery, NO_LANE, ROADS_SERVICE, RoadPoint, RoadsService};
pub use scaling::{ParamScaling, SCALING_ABILITY, Scaling, ScalingTable};
pub use sensor_image::{
    Distortion, IMAGES_ABILITY, ImageDesc, ImageFn, ImageKind, ImagesTable, SensorImage, distortion,
};
#[cfg(feature = "stable-abi")]
pub use stable::{STABLE_SYMBOL, StableLayout};
pub use surroundings::{
    NEIGHBOURS_SERVICE, NO_ENTITY, Neighbour, NeighbourQuery, NeighboursService, RAYS_SERVICE, Ray,
    RayHit, RaysService, SURFACE_SERVICE, SurfacePoint, SurfaceService, entity_kind,
};
pub use values::{ParamDesc, ParamKind, Slice, Str, Value, param_flag, value_tag};

/// First eight bytes of every plugin descriptor, the same in every epoch.
pub const MAGIC: u64 = u64::from_le_bytes(*b"simhost\0");

/// The epoch of the structs in this crate. It is independent of the version of the product and
/// changes only when a struct changes.
pub const EPOCH: u32 = 1;

/// The data symbol that a plugin exports.
pub const SYMBOL: &str = "simhost_plugin_v1";

/// The format of the description that [`Head::layout`] points to: a [`Slice`] of [`StructLayout`].
pub const LAYOUT_KIND: &str = "simhost.layout/1";

/// Exports the layout that abi_stable derives, for plugins with the feature `stable-abi`.
#[doc(hidden)]
#[cfg(feature = "stable-abi")]
#[macro_export]
macro_rules! export_stable_layout {
    () => {
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        // SAFETY: the boundary reserves this name for this type.
        #[unsafe(no_mangle)]
        pub static simhost_stable_layout_v1: $crate::StableLayout = $crate::StableLayout::OWN;
    };
}

/// Exports nothing in a plugin without the feature `stable-abi`.
#[doc(hidden)]
#[cfg(not(feature = "stable-abi"))]
#[macro_export]
macro_rules! export_stable_layout {
    () => {};
}
