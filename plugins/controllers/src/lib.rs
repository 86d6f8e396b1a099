//! The built-in controllers: from commands and measurements to actuators.

pub mod front_steer_pid;
pub mod none;
pub mod path_driver;
pub mod pedals;
mod pid;
pub mod raw;
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
        "wheel_torques" => wheel_torques::WheelTorques,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
