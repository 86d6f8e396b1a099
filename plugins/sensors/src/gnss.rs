//! A satellite navigation receiver.
//!
//! The host converts the position of the antenna to WGS 84 and UTM. Errors are added in
//! east-north-up: white noise, and a first-order Gauss-Markov process for slow changes, such as the
//! ionosphere (Rankin, "An error model for sensor simulation: GPS and differential GPS", PLANS
//! 1994). The parameters have the names of `gnss` in MVSim; further parameters describe the
//! correlated errors and the velocity.
//!
//! **Limit:** no satellites, no multipath, and no difference between the axes east and north.

use simhost_sdk::kinematics::rotation;
use simhost_sdk::prelude::*;

use crate::carrier::{Carrier, Station};
use crate::mounting::Mount;
use crate::noise::gauss_markov;

/// A satellite navigation receiver: position on Earth, and velocity.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Gnss {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Standard deviation of the white noise in the east and north directions.
    #[param(default = 2.0, range = 0.0.., unit = "m")]
    horizontal_std_noise: f64,
    /// Standard deviation of the white noise on the height.
    #[param(default = 4.0, range = 0.0.., unit = "m")]
    vertical_std_noise: f64,
    /// Standard deviation of the correlated error in the east and north directions.
    #[param(default = 0.0, range = 0.0.., unit = "m")]
    horizontal_correlated_error: f64,
    /// Standard deviation of the correlated error of the height.
    #[param(default = 0.0, range = 0.0.., unit = "m")]
    vertical_correlated_error: f64,
    /// Correlation time of the correlated errors. A larger value makes them wander more slowly.
    #[param(default = 60.0, above = 0.0, unit = "s")]
    correlation_time: f64,
    /// Standard deviation of the white noise on each component of the velocity.
    #[param(default = 0.05, range = 0.0.., unit = "m/s")]
    velocity_std_noise: f64,
}

/// Motion of the vehicle.
#[derive(Clone, Ports)]
pub struct Motion {
    /// Pose and motion of the body.
    #[port(flatten)]
    pub body: Carrier,
    /// Rotation from the axes of the world to east-north-up.
    #[port(unit = "rad")]
    pub world_to_enu: f64,
    /// Time between two samples.
    #[port(unit = "s")]
    pub sample_period: f64,
}

/// A fix.
#[derive(Ports)]
pub struct Fix {
    /// WGS 84 latitude, positive northwards; NaN without a fix.
    #[port(unit = "deg", unknown)]
    latitude: f64,
    /// Longitude, positive eastwards; NaN without a fix.
    #[port(unit = "deg", unknown)]
    longitude: f64,
    /// Height above the ellipsoid; NaN without a fix.
    #[port(unit = "m", unknown)]
    altitude: f64,
    /// 0 with a fix, -1 without one.
    #[port(unit = "1")]
    status: f64,
    /// Variance of the position along east and along north.
    #[port(unit = "m²")]
    horizontal_variance: f64,
    /// Variance of the height.
    #[port(unit = "m²")]
    vertical_variance: f64,
    /// Velocity eastwards; NaN without a fix.
    #[port(unit = "m/s", unknown)]
    velocity_east: f64,
    /// Velocity northwards; NaN without a fix.
    #[port(unit = "m/s", unknown)]
    velocity_north: f64,
    /// Velocity upwards; NaN without a fix.
    #[port(unit = "m/s", unknown)]
    velocity_up: f64,
    /// Number of the UTM zone, 0 for none.
    #[port(unit = "1")]
    utm_zone: f64,
    /// Latitude band of the UTM zone: the code of its letter, 67 (C) to 88 (X), 0 for none.
    #[port(unit = "1")]
    utm_band: f64,
    /// Distance east of the false origin of the UTM zone; NaN without a fix.
    #[port(unit = "m", unknown)]
    utm_easting: f64,
    /// Distance north of the false origin of the UTM zone; NaN without a fix.
    #[port(unit = "m", unknown)]
    utm_northing: f64,
}

/// Correlated errors.
#[derive(State)]
pub struct Wander {
    /// Number of samples.
    #[state(unit = "1")]
    samples: f64,
    /// Error eastwards.
    #[state(unit = "m")]
    east: f64,
    /// Error northwards.
    #[state(unit = "m")]
    north: f64,
    /// Error upwards.
    #[state(unit = "m")]
    up: f64,
}

impl Gnss {
    /// Returns the error of the position, east, north, up, m, and advances the correlated errors.
    fn error(&self, period: f64, random: &mut Random, wander: &mut Wander) -> [f64; 3] {
        let mut noise = [0.0; 6];
        random.fill_normal(&mut noise);
        let [east, north, up, slow @ ..] = noise;
        let (white, steady) = (self.horizontal_std_noise, self.horizontal_correlated_error);
        let deviations = [steady, steady, self.vertical_correlated_error];
        // the first sample is drawn from the stationary distribution
        let time = match wander.samples > 0.0 {
            true => period / self.correlation_time,
            false => f64::INFINITY,
        };
        wander.samples += 1.0;
        let axes = [&mut wander.east, &mut wander.north, &mut wander.up];
        for ((axis, sigma), noise) in axes.into_iter().zip(deviations).zip(slow) {
            *axis = gauss_markov(*axis, sigma, time, noise);
        }
        [
            wander.east + white * east,
            wander.north + white * north,
            wander.up + self.vertical_std_noise * up,
        ]
    }

    fn variances(&self) -> [f64; 2] {
        let sum = |white: f64, slow: f64| white * white + slow * slow;
        [
            sum(self.horizontal_std_noise, self.horizontal_correlated_error),
            sum(self.vertical_std_noise, self.vertical_correlated_error),
        ]
    }
}

#[model]
impl Sensor for Gnss {
    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mount.mounting().aim_level(aim);
    }

    fn read(
        &self,
        at: &Motion,
        _: &mut RayReadings,
        random: &mut Random,
        step: &Step,
        wander: &mut Wander,
    ) -> Fix {
        let Station { position: antenna, velocity, .. } = at.body.station(&self.mount.mounting());
        let to_enu = rotation([at.world_to_enu, 0.0, 0.0]);
        let error = self.error(at.sample_period, random, wander);
        let shown = antenna + to_enu.invert(error.into());
        let [exact, found] = step.locate(&[antenna.into(), shown.into()]);
        let mut noise = [0.0; 3];
        random.fill_normal(&mut noise);
        let has_fix = exact.is_covered != 0 && !found.latitude.is_nan();
        let known = |value: f64| if has_fix { value } else { f64::NAN };
        let velocity = to_enu.apply(velocity);
        let [velocity_east, velocity_north, velocity_up] =
            [0, 1, 2].map(|axis| known(velocity[axis] + self.velocity_std_noise * noise[axis]));
        let [horizontal_variance, vertical_variance] = self.variances();
        Fix {
            latitude: known(found.latitude / math::DEG),
            longitude: known(found.longitude / math::DEG),
            altitude: known(found.height),
            status: if has_fix { 0.0 } else { -1.0 },
            horizontal_variance,
            vertical_variance,
            velocity_east,
            velocity_north,
            velocity_up,
            utm_zone: if has_fix { f64::from(found.zone) } else { 0.0 },
            utm_band: if has_fix { f64::from(found.band) } else { 0.0 },
            utm_easting: known(found.easting),
            utm_northing: known(found.northing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_deviation_and_correlation() {
        let gnss = Gnss {
            mount: Mount::default(),
            horizontal_std_noise: 0.5,
            vertical_std_noise: 0.0,
            horizontal_correlated_error: 2.0,
            vertical_correlated_error: 3.0,
            correlation_time: 5.0,
            velocity_std_noise: 0.0,
        };
        let mut wander = Wander { samples: 0.0, east: 0.0, north: 0.0, up: 0.0 };
        let errors: Vec<[f64; 3]> = (0..100_000u64)
            .map(|sample| {
                let key = (sample + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                gnss.error(1.0, &mut Random::new(key), &mut wander)
            })
            .collect();
        let mean = |of: &dyn Fn(usize) -> f64| {
            (0..errors.len() - 1).map(of).sum::<f64>() / (errors.len() - 1) as f64
        };
        for (axis, variance) in [(0, 4.25), (1, 4.25), (2, 9.0)] {
            let found = mean(&|n| errors[n][axis].powi(2));
            assert!((found / variance - 1.0).abs() < 0.05, "{axis}: {found}");
            assert!(mean(&|n| errors[n][axis]).abs() < 0.1);
        }
        let lag = mean(&|n| errors[n][2] * errors[n + 1][2]) / 9.0;
        assert!((lag - (-0.2f64).exp()).abs() < 0.02, "{lag}");
    }
}
