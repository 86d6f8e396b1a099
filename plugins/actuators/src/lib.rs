//! The built-in actuators: between the output of a controller and the input of a dynamics class.
//!
//! Values, limits and widths are in the unit of the port: rad for `steer`, N·m for a torque.

pub mod backlash;
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
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
