//! A camera that also measures depth.
//!
//! The parameters are those of `rgbd_camera` in MVSim. **Limit:** it does not produce images yet.

use simhost_sdk::prelude::*;

use crate::silent::silent;

/// A camera that also measures depth. It does not produce images yet.
#[derive(Params)]
#[expect(dead_code, reason = "declared, so that world files are checked")]
pub struct RgbdCamera {
    /// Position and attitude of the depth sensor on the vehicle; it looks along its own x axis.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", default = [0.0, 0.0, 0.5, 90.0, 0.0, 90.0])]
    pose_3d: [f64; 6],
    /// Position and attitude of the colour camera in the frame of the depth sensor.
    #[param(unit = "m m m deg deg deg", key = "relativePoseIntensityWRTDepth",
            default = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])]
    relative_pose: [f64; 6],
    /// Whether depth is measured.
    #[param(default = true)]
    sense_depth: bool,
    /// Whether a colour image is taken.
    #[param(default = true)]
    sense_rgb: bool,
    /// Width of the depth image.
    #[param(default = 640, range = 1..=16_384, unit = "px")]
    depth_ncols: u32,
    /// Height of the depth image.
    #[param(default = 480, range = 1..=16_384, unit = "px")]
    depth_nrows: u32,
    /// Column of the depth sensor's optical axis.
    #[param(default = 320.0, unit = "px")]
    depth_cx: f64,
    /// Row of the depth sensor's optical axis.
    #[param(default = 240.0, unit = "px")]
    depth_cy: f64,
    /// Horizontal focal length of the depth sensor.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    depth_fx: f64,
    /// Vertical focal length of the depth sensor.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    depth_fy: f64,
    /// Width of the colour image.
    #[param(default = 640, range = 1..=16_384, unit = "px")]
    rgb_ncols: u32,
    /// Height of the colour image.
    #[param(default = 480, range = 1..=16_384, unit = "px")]
    rgb_nrows: u32,
    /// Column of the colour camera's optical axis.
    #[param(default = 320.0, unit = "px")]
    rgb_cx: f64,
    /// Row of the colour camera's optical axis.
    #[param(default = 240.0, unit = "px")]
    rgb_cy: f64,
    /// Horizontal focal length of the colour camera.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    rgb_fx: f64,
    /// Vertical focal length of the colour camera.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    rgb_fy: f64,
    /// Nearest distance visible to the colour camera.
    #[param(default = 0.01, above = 0.0, unit = "m")]
    rgb_clip_min: f64,
    /// Farthest distance visible to the colour camera.
    #[param(default = 1e4, above = 0.0, unit = "m")]
    rgb_clip_max: f64,
    /// Smallest measured depth.
    #[param(default = 0.1, above = 0.0, unit = "m")]
    depth_clip_min: f64,
    /// Largest measured depth.
    #[param(default = 15.0, above = 0.0, unit = "m")]
    depth_clip_max: f64,
    /// Resolution of the depth. A larger value makes surfaces look like stairs.
    #[param(default = 1e-3, above = 0.0, unit = "m")]
    depth_resolution: f64,
    /// Standard deviation of the noise on a depth.
    #[param(default = 1e-3, range = 0.0.., unit = "m")]
    depth_noise_sigma: f64,
    /// Whether the points are drawn; without effect on the readings.
    #[param(default = false)]
    show_3d_pointcloud: bool,
    /// Whether the depth image is published.
    #[param(default = true)]
    publish_ros_depth_image: bool,
    /// Whether coloured points are published.
    #[param(default = false)]
    publish_ros_colored_pointcloud: bool,
}

silent!(RgbdCamera);
