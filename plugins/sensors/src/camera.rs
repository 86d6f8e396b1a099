//! A camera.
//!
//! The parameters are those of `camera` in MVSim. **Limit:** it does not produce images yet.

use simhost_sdk::prelude::*;

use crate::silent::silent;

/// A camera. It does not produce images yet.
#[derive(Params)]
#[expect(dead_code, reason = "declared, so that world files are checked")]
pub struct Camera {
    /// Position and attitude on the vehicle; the camera looks along its own z axis.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", default = [0.0, 0.0, 0.5, 90.0, 0.0, 90.0])]
    pose_3d: [f64; 6],
    /// Width of the image.
    #[param(default = 640, range = 1..=16_384, unit = "px")]
    ncols: u32,
    /// Height of the image.
    #[param(default = 480, range = 1..=16_384, unit = "px")]
    nrows: u32,
    /// Column of the optical axis.
    #[param(default = 320.0, unit = "px")]
    cx: f64,
    /// Row of the optical axis.
    #[param(default = 240.0, unit = "px")]
    cy: f64,
    /// Horizontal focal length. A larger value narrows the field of view.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    fx: f64,
    /// Vertical focal length. A larger value narrows the vertical field of view.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    fy: f64,
    /// Nearest visible distance.
    #[param(default = 0.01, above = 0.0, unit = "m")]
    clip_min: f64,
    /// Farthest visible distance.
    #[param(default = 1e4, above = 0.0, unit = "m")]
    clip_max: f64,
}

silent!(Camera);
