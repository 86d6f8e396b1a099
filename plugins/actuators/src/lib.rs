//! The built-in actuators: between the output of a controller and the input of a dynamics class.
//!
//! Values, limits and widths are in the unit of the port: rad for `steer`, N·m for a torque.
//!
//! | Module | Actuator or part |
//! |---|---|
//! | [`rate_limit`] | follows with a limited rate |
//! | [`first_order_lag`] | follows with a time constant, and optionally a limited rate |
//! | [`dead_time`] | follows after a delay |
//! | [`backlash`] | follows only at the edges of a gap |
//! | [`saturation`] | clamps the value |
//! | [`quantisation`] | rounds the value |
//! | [`dc_motor`] | limits the torque by the voltage of a supply |
//! | [`line`](mod@line) | delay lines |
//!
//! All of them are exact for steps of any length if the input is constant over each step.
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.

pub mod backlash;
pub mod dc_motor;
pub mod dead_time;
pub mod first_order_lag;
pub mod line;
pub mod quantisation;
pub mod rate_limit;
pub mod saturation;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    actuator: {
        "rate_limit" => rate_limit::RateLimit,
        "first_order_lag" => first_order_lag::FirstOrderLag,
        "dead_time" => dead_time::DeadTime,
        "backlash" => backlash::Backlash,
        "saturation" => saturation::Saturation,
        "quantisation" => quantisation::Quantisation,
        "dc_motor" => dc_motor::DcMotor,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
