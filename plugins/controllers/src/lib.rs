//! The built-in controllers: from commands and measurements to actuators.
//!
//! | Module | Controller |
//! |---|---|
//! | [`raw`] | passes on torques and steering, without feedback |
//! | [`wheel_torques`] | passes on the torques of four wheels and a steering angle |
//! | [`pedals`] | passes on drive torque or throttle, brakes and steering |
//! | [`twist_pid`] | a PID controller on the ground speed of each side of a differential drive |
//! | [`twist_ideal`] | imposes the commanded twist |
//! | [`twist_front_steer_pid`] | steers for a commanded twist and controls the speed |
//! | [`front_steer_pid`] | steers as commanded and controls the speed |
//! | [`lane_keeping`] | a driver that keeps to the lanes of a road network |
//! | [`lane_traffic`] | a fleet that drives along lanes at a distance from the vehicle ahead |
//! | [`drive_cycle`] | the speed over time that drivers along a path can follow |
//! | [`path_driver`] | a driver that keeps a speed and steers along a path by pure pursuit |
//! | [`stanley`] | a driver that steers by the heading and the deviation of the front axle |
//! | [`preview`] | a driver that steers for the least deviation within a preview time |
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! The page *Built-in models* of the book has equations, parameters and limits.

pub mod drive_cycle;
pub mod driver;
pub mod front_steer_pid;
pub mod lane_keeping;
pub mod lane_traffic;
pub mod none;
pub mod path_driver;
pub mod pedals;
mod pid;
pub mod preview;
pub mod raw;
pub mod stanley;
mod steering;
pub mod twist_front_steer_pid;
pub mod twist_ideal;
pub mod twist_pid;
pub mod wheel_torques;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    controller: {
        "none" => none::Uncontrolled,
        "raw" => raw::RawDifferential,
        "raw" => raw::RawAckermann,
        "raw" => raw::RawDrivetrain,
        "pedals" => pedals::FrontMotorPedals,
        "pedals" => pedals::EnginePedals,
        "pedals" => pedals::PowertrainPedals,
        "twist_pid" => twist_pid::TwistPid,
        "twist_ideal" => twist_ideal::TwistIdealSteered,
        "twist_ideal" => twist_ideal::TwistIdeal,
        "twist_front_steer_pid" => twist_front_steer_pid::TwistFrontSteerPid,
        "twist_front_steer_pid" => twist_front_steer_pid::TwistEnginePid,
        "front_steer_pid" => front_steer_pid::FrontSteerPid,
        "front_steer_pid" => front_steer_pid::EngineSteerPid,
        "path_driver" => path_driver::PathDriver,
        "path_driver" => path_driver::EnginePathDriver,
        "stanley" => stanley::Stanley,
        "stanley" => stanley::EngineStanley,
        "preview" => preview::PreviewDriver,
        "preview" => preview::EnginePreviewDriver,
        "lane_keeping" => lane_keeping::LaneKeeping,
        "wheel_torques" => wheel_torques::WheelTorques,
    },
    fleet: { "lane_traffic" => lane_traffic::LaneTraffic },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
