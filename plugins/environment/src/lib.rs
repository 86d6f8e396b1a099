//! The built-in environments: wind, slippery ground and gravity that change over space and time.
//!
//! | Module | Environment |
//! |---|---|
//! | [`steady_wind`] | wind of constant velocity |
//! | [`gusts`] | a mean wind with random deviations along and across it |
//! | [`rain`] | wet ground, in a circle or everywhere |
//! | [`ice`] | a rectangular patch of ice |
//! | [`gravity`] | another gravity from a given time on |
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! An environment is computed once per step and is then asked for wind, ground and gravity at
//! points. The page *Forces on vehicles* of the book describes the effects.

pub mod gravity;
pub mod gusts;
pub mod ice;
pub mod rain;
pub mod steady_wind;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    environment: {
        "steady_wind" => steady_wind::SteadyWind,
        "gusts" => gusts::Gusts,
        "rain" => rain::Rain,
        "ice" => ice::Ice,
        "gravity" => gravity::Gravity,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
