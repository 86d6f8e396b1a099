//! The built-in families of models. A program that names this crate has them all:
//!
//! ```
//! use simhost_families as _;
//! ```
//!
//! The families register themselves, but the linker drops crates that nothing names. Each family is a
//! cargo feature; all but `learned` are on by default.
//!
//! A program with one family is built without the default features:
//! `cargo build -p simhost-cli --no-default-features --features simhost-families/friction`.

use simhost_abi::Plugin;

/// The descriptors of the families of this build. A program that uses them keeps the families with linkers that drop
/// whatever nothing refers to, as in WebAssembly.
pub static PLUGINS: &[&Plugin] = &[
    #[cfg(feature = "actuators")]
    &simhost_actuators::PLUGIN,
    #[cfg(feature = "cars")]
    &simhost_cars::PLUGIN,
    #[cfg(feature = "commonroad")]
    &simhost_commonroad::PLUGIN,
    #[cfg(feature = "controllers")]
    &simhost_controllers::PLUGIN,
    #[cfg(feature = "dynamics")]
    &simhost_dynamics::PLUGIN,
    #[cfg(feature = "environment")]
    &simhost_environment::PLUGIN,
    #[cfg(feature = "friction")]
    &simhost_friction::PLUGIN,
    #[cfg(feature = "lab")]
    &simhost_lab::PLUGIN,
    #[cfg(feature = "learned")]
    &simhost_learned::PLUGIN,
    #[cfg(feature = "observers")]
    &simhost_observers::PLUGIN,
    #[cfg(feature = "planning")]
    &simhost_planning::PLUGIN,
    #[cfg(feature = "sensors")]
    &simhost_sensors::PLUGIN,
    #[cfg(feature = "suspension")]
    &simhost_suspension::PLUGIN,
    #[cfg(feature = "trajectory")]
    &simhost_trajectory::PLUGIN,
    #[cfg(feature = "tyres")]
    &simhost_tyres::PLUGIN,
];
