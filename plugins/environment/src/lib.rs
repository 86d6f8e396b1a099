//! The built-in environments: wind, slippery ground and gravity.

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
