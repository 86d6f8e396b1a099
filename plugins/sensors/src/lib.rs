//! The built-in sensors: from the scene and the vehicle to readings.

pub mod camera;
pub mod gnss;
pub mod imu;
pub mod laser;
pub mod lidar3d;
pub mod rgbd_camera;
mod silent;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    sensor: {
        "laser" => laser::Laser,
        "lidar3d" => lidar3d::Lidar3d,
        "camera" => camera::Camera,
        "rgbd_camera" => rgbd_camera::RgbdCamera,
        "imu" => imu::Imu,
        "gnss" => gnss::Gnss,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
