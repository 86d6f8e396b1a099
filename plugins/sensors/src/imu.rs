//! An inertial measurement unit.
//!
//! The parameters are those of `imu` in MVSim. **Limit:** it does not produce readings yet.

use simhost_sdk::prelude::*;

use crate::silent::silent;

/// An inertial measurement unit. It does not produce readings yet.
#[derive(Params)]
#[expect(dead_code, reason = "declared, so that world files are checked")]
pub struct Imu {
    /// Position and heading on the vehicle.
    #[param(unit = "m m deg")]
    pose: Option<[f64; 3]>,
    /// Position and attitude on the vehicle.
    #[param(unit = "m m m deg deg deg", key = "pose_3d")]
    pose_3d: Option<[f64; 6]>,
    /// Standard deviation of the noise on an angular rate.
    #[param(default = 2e-4, range = 0.0.., unit = "rad/s",
            key = "angular_velocity_white_noise_std_noise",
            alias = "angular_velocity_std_noise")]
    angular_velocity_noise: f64,
    /// Standard deviation of the noise on an acceleration.
    #[param(default = 0.017, range = 0.0.., unit = "m/s²",
            key = "linear_acceleration_white_noise_std_noise",
            alias = "linear_acceleration_std_noise")]
    linear_acceleration_noise: f64,
    /// Random walk of the angular rate bias. A larger value makes the bias drift further.
    #[param(default = 0.0, range = 0.0.., unit = "rad/s/√s",
            key = "angular_velocity_random_walk_std_noise")]
    angular_velocity_walk: f64,
    /// Random walk of the acceleration bias. A larger value makes the bias drift further.
    #[param(default = 0.0, range = 0.0.., unit = "m/s²/√s",
            key = "linear_acceleration_random_walk_std_noise")]
    linear_acceleration_walk: f64,
    /// Whether the attitude is also measured.
    #[param(default = false)]
    measure_orientation: bool,
    /// Standard deviation of the noise on the attitude.
    #[param(default = 0.005, range = 0.0.., unit = "rad")]
    orientation_std_noise: f64,
}

silent!(Imu);
