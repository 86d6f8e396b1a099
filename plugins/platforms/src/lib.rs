//! Vehicle platforms in one shared library, built on the SDK like any third-party plugin.
//!
//! `cargo build -p simhost-platforms --release`, then `simhost WORLD --plugin-dir target/release`.
//!
//! | Module | Platform or part |
//! |---|---|
//! | [`mecanum`] | four wheels with rollers at 45° |
//! | [`mecanum_pid`] | controllers for mecanum platforms |
//! | [`tracked`] | two tracks that turn by different speeds |
//! | [`n_wheel`] | any number of wheels that can be driven and steered individually |
//! | [`bicycle`] | two wheels in line |
//! | [`kinematic_bicycle`] | a vehicle without slip |
//! | [`speed_steer`] | a controller that passes on speed and steering angle |
//! | [`steered`] | actuators that steered platforms share |
//! | [`contact`] | dry friction of contacts that a platform models itself |
//!
//! The library is also a worked example: it uses dynamics classes, controllers and contacts of its
//! own without access to the host.

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
