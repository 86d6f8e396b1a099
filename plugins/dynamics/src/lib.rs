//! The built-in dynamics classes: from actuators to wheel torques and steering angles.

pub mod ackermann;
pub mod ackermann_drivetrain;
pub mod ackermann_powertrain;
pub mod differential;
pub mod differential_3_wheels;
pub mod differential_4_wheels;
pub mod double_track;
mod motor;
pub mod powertrain;
pub mod steering;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: {
        "differential" => differential::Differential,
        "differential_3_wheels" => differential_3_wheels::Differential3Wheels,
        "differential_4_wheels" => differential_4_wheels::Differential4Wheels,
        "ackermann" => ackermann::Ackermann,
        "ackermann_drivetrain" => ackermann_drivetrain::AckermannDrivetrain,
        "double_track" => double_track::DoubleTrack,
        "ackermann_powertrain" => ackermann_powertrain::AckermannPowertrain,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
