//! The planning models of Autoware's `simple_planning_simulator`, with corrections.
//!
//! A planning model moves the rear axle of a car without slip, and imitates the delays of its
//! actuators. Source: Autoware `simple_planning_simulator` 1.0.0. By default the classes compute
//! the intended behaviour; with the parameter `compat="autoware-1.0"` they repeat the arithmetic of
//! the source.
//!
//! * [`models`] has the models, and [`learned`] a model with submodels.
//! * [`node`] has the controllers that accept the commands of Autoware, with modes and gears.
//! * [`converter`] turns acceleration and steering angle into pedals, and [`raw`] passes commands
//!   on.
//! * [`delays`] and [`lag`] imitate actuators, and [`maps`] reads two-dimensional maps from CSV
//!   files.

pub mod converter;
pub mod delays;
pub mod gear;
pub mod lag;
pub mod learned;
pub mod maps;
pub mod models;
pub mod node;
pub mod params;
pub mod ports;
pub mod raw;
pub mod vehicle_info;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: {
        "ideal_steer_vel" => models::ideal_steer_vel::IdealSteerVel,
        "ideal_steer_acc" => models::ideal_steer_acc::IdealSteerAcc,
        "ideal_steer_acc_geared" => models::ideal_steer_acc::IdealSteerAccGeared,
        "delay_steer_vel" => models::delay_steer_vel::DelaySteerVel,
        "delay_steer_acc" => models::delay_steer_acc::DelaySteerAcc,
        "delay_steer_acc_geared" => models::delay_steer_acc::DelaySteerAccGeared,
        "delay_steer_acc_geared_wo_fall_guard" =>
            models::delay_steer_acc_geared_wo_fall_guard::DelaySteerAccGearedWoFallGuard,
        "delay_steer_map_acc_geared" =>
            models::delay_steer_map_acc_geared::DelaySteerMapAccGeared,
        "learned_steer_vel" => learned::LearnedSteerVel,
        "actuation_cmd" => models::actuation_cmd::ActuationCmd,
        "actuation_cmd_steer_map" => models::actuation_cmd_steer_map::ActuationCmdSteerMap,
        "actuation_cmd_vgr" => models::actuation_cmd_vgr::ActuationCmdVgr,
        "actuation_cmd_mechanical" => models::actuation_cmd_mechanical::ActuationCmdMechanical,
    },
    controller: {
        "planning_raw" => raw::PlanningRaw,
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
