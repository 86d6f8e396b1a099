//! The planning models of Autoware's `simple_planning_simulator`, with corrections.
//!
//! A planning model moves the rear axle of a car without slip, and imitates the delays of its
//! actuators. Source: Autoware `simple_planning_simulator` 1.0.0. By default the classes compute
//! the intended behaviour; with the parameter `compat="autoware-1.0"` they repeat the arithmetic
//! of the source.

pub mod converter;
pub mod gear;
pub mod maps;
pub mod models;
pub mod node;
pub mod params;
pub mod ports;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: {
        "ideal_steer_vel" => models::ideal_steer_vel::IdealSteerVel,
    },
    controller: {
        "planning_interface" => node::actuation::ActuationInterface,
        "planning_interface" => node::control::ControlInterface,
        "command_converter" => converter::CommandConverter,
    },
    sensor: {
        "planning_reports" => node::reports::PlanningReports,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
