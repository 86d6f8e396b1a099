//! A satellite navigation receiver.
//!
//! The parameters are those of `gnss` in MVSim. **Limit:** it does not produce readings yet.

use simhost_sdk::prelude::*;

use crate::silent::silent;

/// A satellite navigation receiver. It does not produce readings yet.
#[derive(Params)]
#[expect(dead_code, reason = "declared, so that world files are checked")]
pub struct Gnss {
    /// Position and heading of the antenna on the vehicle.
    #[param(unit = "m m deg")]
    pose: Option<[f64; 3]>,
    /// Position and attitude of the antenna on the vehicle.
    #[param(unit = "m m m deg deg deg", key = "pose_3d")]
    pose_3d: Option<[f64; 6]>,
    /// Standard deviation of the noise in the east and north directions.
    #[param(default = 2.0, range = 0.0.., unit = "m")]
    horizontal_std_noise: f64,
    /// Standard deviation of the noise on the height.
    #[param(default = 4.0, range = 0.0.., unit = "m")]
    vertical_std_noise: f64,
}

silent!(Gnss);
