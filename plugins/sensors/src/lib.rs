//! Built-in sensors: from the scene and the vehicle to readings.

pub mod laser;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    sensor: { "laser" => laser::Laser },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
