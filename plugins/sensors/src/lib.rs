//! The built-in sensors: from the scene and the vehicle to readings.

pub mod barometer;
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
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
