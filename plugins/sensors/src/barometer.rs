//! A barometer.
//!
//! Pressure of the International Standard Atmosphere (ISO 2533:1975) in its seven layers up to a geopotential
//! height of 84.852 km, above which it is constant. In a layer with the lapse rate L that begins at the height H_b,
//! where the temperature is T_b, p = p_b (T_b / (T_b + L (H − H_b)))^(g₀ M / R L), and without a lapse rate
//! p = p_b e^(−g₀ M (H − H_b) / R T_b). The geopotential height H = r h / (r + h) follows from the height h above the
//! reference, which is the ellipsoid of the `<georeference>`, or height 0 of the world without one. [`crate::noise`]
//! describes the errors; the drift represents the weather.
//!
//! **Limit:** the speed of the vehicle does not change the pressure.

use simhost_sdk::kinematics::rotation;
use simhost_sdk::prelude::*;

use crate::mounting::Mount;
use crate::noise::{Bias, Errors};

/// g₀ M / R, K/m.
const GRADIENT: f64 = 9.806_65 * 0.028_964_42 / 8.314_32;
/// Temperature at height 0, K.
const TEMPERATURE: f64 = 288.15;
/// Layers: geopotential height of the top, m, and lapse rate of the temperature, K/m.
const LAYERS: [(f64, f64); 7] = [
    (11_000.0, -0.0065),
    (20_000.0, 0.0),
    (32_000.0, 0.001),
    (47_000.0, 0.0028),
    (51_000.0, 0.0),
    (71_000.0, -0.0028),
    (84_852.0, -0.002),
];
/// Radius of the Earth for geopotential heights, m.
const EARTH_RADIUS: f64 = 6_356_766.0;

/// A barometer: the pressure of the air.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Barometer {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Pressure at height 0. A larger value means fairer weather.
    #[param(default = 101_325.0, above = 0.0, unit = "Pa")]
    sea_level_pressure: f64,
    /// Standard deviation of the white noise, per sample.
    #[param(default = 1.0, range = 0.0.., unit = "Pa")]
    std_noise: f64,
    /// Bias instability: the floor of the Allan deviation divided by 0.664.
    #[param(default = 0.0, range = 0.0.., unit = "Pa")]
    bias_instability: f64,
    /// Correlation time of the bias instability.
    #[param(default = 600.0, above = 0.0, unit = "s")]
    bias_correlation_time: f64,
    /// Random walk of the pressure. A larger value makes the weather change faster.
    #[param(default = 0.0, range = 0.0.., unit = "Pa/√s")]
    random_walk: f64,
    /// Distance between two readings; 0 for none.
    #[param(default = 0.0, range = 0.0.., unit = "Pa")]
    resolution: f64,
}

/// Place of the vehicle.
#[derive(Ports)]
pub struct Place {
    /// Height, world frame.
    #[port(unit = "m")]
    pub z: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pub pitch: f64,
    /// Roll, positive right side down.
    #[port(unit = "rad")]
    pub roll: f64,
    /// Height of the origin of the world above the ellipsoid.
    #[port(unit = "m")]
    pub origin_height: f64,
    /// Time between two samples.
    #[port(unit = "s")]
    pub sample_period: f64,
}

/// The pressure.
#[derive(Ports)]
pub struct Pressure {
    /// Absolute pressure.
    #[port(unit = "Pa")]
    pressure: f64,
    /// Variance of the white noise.
    #[port(unit = "Pa²")]
    variance: f64,
}

/// Drift of the pressure.
#[derive(State)]
pub struct Drift {
    /// Number of samples.
    #[state(unit = "1")]
    samples: f64,
    /// Bias instability.
    #[state(unit = "Pa")]
    drift: f64,
    /// Random walk.
    #[state(unit = "Pa")]
    walk: f64,
}

impl Barometer {
    /// Returns the exact pressure at a height, m.
    fn at(&self, height: f64) -> f64 {
        let height = EARTH_RADIUS * height / (EARTH_RADIUS + height);
        let (mut pressure, mut temperature, mut base) = (self.sea_level_pressure, TEMPERATURE, 0.0);
        for (top, lapse) in LAYERS {
            let rise = height.min(top) - base;
            if lapse == 0.0 {
                pressure *= math::exp(-GRADIENT * rise / temperature);
            } else {
                let end = temperature + lapse * rise;
                pressure *= math::pow(temperature / end, GRADIENT / lapse);
                temperature = end;
            }
            if height <= top {
                break;
            }
            base = top;
        }
        pressure
    }
}

#[model]
impl Sensor for Barometer {
    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mount.mounting().aim_level(aim);
    }

    fn read(
        &self,
        at: &Place,
        _: &mut RayReadings,
        random: &mut Random,
        _: &Step,
        drift: &mut Drift,
    ) -> Pressure {
        let arm = self.mount.mounting().position;
        let above = rotation([0.0, at.pitch, at.roll]).apply(arm).z;
        let errors = Errors {
            white: self.std_noise,
            density: None,
            instability: self.bias_instability,
            correlation_time: self.bias_correlation_time,
            walk: self.random_walk,
            resolution: self.resolution,
            range: None,
        };
        let exact = self.at(at.origin_height + at.z + above);
        let is_first = drift.samples == 0.0;
        drift.samples += 1.0;
        let mut bias = Bias { drift: drift.drift, walk: drift.walk };
        let pressure = errors.read(exact, &mut bias, is_first, at.sample_period, random);
        (drift.drift, drift.walk) = (bias.drift, bias.walk);
        Pressure { pressure, variance: self.std_noise * self.std_noise }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressures_are_those_of_the_standard_atmosphere() {
        let barometer = Barometer {
            mount: Mount::default(),
            sea_level_pressure: 101_325.0,
            std_noise: 0.0,
            bias_instability: 0.0,
            bias_correlation_time: 1.0,
            random_walk: 0.0,
            resolution: 0.0,
        };
        // ISO 2533:1975, table 5, and U.S. Standard Atmosphere 1976, table I, by geometric height
        for (height, pressure) in [
            (-1000.0, 113_929.0),
            (0.0, 101_325.0),
            (1000.0, 89_876.3),
            (5000.0, 54_048.3),
            (9000.0, 30_800.7),
            (15_000.0, 12_111.8),
            (20_000.0, 5_529.3),
            (30_000.0, 1_197.0),
            (50_000.0, 79.779),
            (80_000.0, 1.0525),
        ] {
            let found = barometer.at(height);
            assert!((found / pressure - 1.0).abs() < 5e-5, "{height}: {found}");
        }
        // about 12 Pa/m near the ground
        assert!((barometer.at(0.0) - barometer.at(1.0) - 12.0).abs() < 0.05);
    }
}
