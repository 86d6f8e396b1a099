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

#[cfg(feature = "actuators")]
use simhost_actuators as _;
#[cfg(feature = "cars")]
use simhost_cars as _;
#[cfg(feature = "commonroad")]
use simhost_commonroad as _;
#[cfg(feature = "controllers")]
use simhost_controllers as _;
#[cfg(feature = "dynamics")]
use simhost_dynamics as _;
#[cfg(feature = "environment")]
use simhost_environment as _;
#[cfg(feature = "friction")]
use simhost_friction as _;
#[cfg(feature = "lab")]
use simhost_lab as _;
#[cfg(feature = "learned")]
use simhost_learned as _;
#[cfg(feature = "observers")]
use simhost_observers as _;
#[cfg(feature = "planning")]
use simhost_planning as _;
#[cfg(feature = "sensors")]
use simhost_sensors as _;
#[cfg(feature = "suspension")]
use simhost_suspension as _;
#[cfg(feature = "trajectory")]
use simhost_trajectory as _;
#[cfg(feature = "tyres")]
use simhost_tyres as _;
