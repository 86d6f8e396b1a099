//! Vehicle platforms in one shared library, built on the SDK like any third-party plugin.
//!
//! `cargo build -p simhost-platforms --release`, then `simhost WORLD --plugin-dir target/release`.

pub mod bicycle;
pub mod contact;
pub mod kinematic_bicycle;
pub mod mecanum;
pub mod mecanum_pid;
pub mod n_wheel;
pub mod speed_steer;
pub mod steered;
pub mod tracked;

simhost_sdk::export_plugin! {
    vendor: "platforms",
    dynamics: {
        "bicycle" => bicycle::Bicycle,
        "kinematic_bicycle" => kinematic_bicycle::KinematicBicycle,
        "mecanum" => mecanum::Mecanum,
        "n_wheel" => n_wheel::NWheel,
        "tracked" => tracked::Tracked,
    },
    controller: {
        "mecanum_pid" => mecanum_pid::MecanumPid,
        "mecanum_raw" => mecanum_pid::MecanumRaw,
        "speed_steer" => speed_steer::SpeedSteer,
    },
}
