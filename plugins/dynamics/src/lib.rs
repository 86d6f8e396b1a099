//! The built-in dynamics classes: from actuators to wheel torques and steering angles.
//!
//! | Module | Class or part |
//! |---|---|
//! | [`differential`] | two driven wheels on one axle |
//! | [`differential_3_wheels`] | two driven wheels and a caster |
//! | [`differential_4_wheels`] | four wheels, steered by different speeds of the sides |
//! | [`ackermann`] | Ackermann steering, with a motor on each side of the driven axles |
//! | [`ackermann_drivetrain`] | Ackermann steering, with one engine and differentials |
//! | [`ackermann_powertrain`] | Ackermann steering, with engine or motor, gearbox, battery and brakes |
//! | [`double_track`] | four wheels with individual torques, and steered front wheels |
//! | [`powertrain`] | components of a powertrain, from the pedal to the shafts |
//! | [`steering`] | lag and rate limit of a steering actuator |
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! The pages *Built-in models* and *Powertrain* of the book have equations, parameters and limits.

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
