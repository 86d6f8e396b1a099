//! The built-in sensors: from the scene and the vehicle to readings.
//!
//! | Module | Sensor or part |
//! |---|---|
//! | [`laser`] | a planar laser scanner |
//! | [`lidar3d`] | a laser scanner with several rings |
//! | [`camera`] | colour, and from the same pixels depth, semantic class and instance |
//! | [`rgbd_camera`] | a camera that also measures depth |
//! | [`imu`] | an inertial measurement unit |
//! | [`gnss`] | a satellite navigation receiver |
//! | [`magnetometer`] | a magnetometer |
//! | [`barometer`] | a barometer |
//! | [`encoders`] | encoders of wheels and steering |
//! | [`odometry`] | pose and velocity from encoders |
//! | [`sonar`] | the nearest distance in a cone |
//! | [`radar`] | range, azimuth, radial speed and cross-section |
//! | [`bumper`] | contact switches around the vehicle |
//! | [`objects`] | vehicles, blocks and actors nearby |
//! | [`uwb`] | a tag of ultra-wideband ranging |
//! | [`battery`] | voltage and charge under the power of the actuators |
//! | [`carrier`] | place and motion of a sensor on its vehicle |
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! The pages *Lidars*, *Cameras* and *Sensors* of the book have errors, parameters and limits.

pub mod barometer;
pub mod battery;
pub mod bumper;
pub mod camera;
pub mod carrier;
pub mod encoders;
pub mod gnss;
pub mod imu;
pub mod laser;
pub mod lidar3d;
pub mod magnetometer;
mod mounting;
mod noise;
pub mod objects;
pub mod odometry;
mod optics;
pub mod radar;
pub mod rgbd_camera;
mod rotary;
pub mod sonar;
pub mod uwb;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    sensor: {
        "laser" => laser::Laser,
        "lidar3d" => lidar3d::Lidar3d,
        "camera" => camera::Camera,
        "rgbd_camera" => rgbd_camera::RgbdCamera,
        "imu" => imu::Imu,
        "gnss" => gnss::Gnss,
        "magnetometer" => magnetometer::Magnetometer,
        "barometer" => barometer::Barometer,
        "encoders" => encoders::Encoders,
        "odometry" => odometry::Odometry,
        "sonar" => sonar::Sonar,
        "bumper" => bumper::Bumper,
        "objects" => objects::Objects,
        "radar" => radar::Radar,
        "uwb" => uwb::Uwb,
        "battery" => battery::Battery,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
