//! A magnetometer.
//!
//! The field of the Earth in the axes of the sensor, distorted by the iron of the vehicle: B = S R⁻¹ E + h
//! with the soft iron matrix S and the hard iron offset h (Gebre-Egziabher et al., "Calibration of
//! strapdown magnetometers in magnetic field domain", J. Aerospace Eng. 19, 2006). [`crate::noise`]
//! describes the errors.
//!
//! **Limit:** the field is the same everywhere, and other objects do not disturb it.

use simhost_sdk::kinematics::rotation;
use simhost_sdk::prelude::*;

use crate::carrier::WorldAttitude;
use crate::mounting::Mount;
use crate::noise::{Bias, Errors};

/// A magnetometer: the magnetic field in the axes of the sensor.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Magnetometer {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Field of the Earth towards magnetic east, magnetic north and upwards.
    #[param(unit = "T", default = [0.0, 2.0e-5, -4.4e-5])]
    earth_field: [f64; 3],
    /// Angle from true north to magnetic north, positive eastwards.
    #[param(unit = "deg", default = 0.0, range = -180.0..=180.0, scale = math::DEG)]
    declination: f64,
    /// Field of the magnetised parts of the vehicle, in the axes of the sensor.
    #[param(unit = "T", default = [0.0, 0.0, 0.0])]
    hard_iron: [f64; 3],
    /// Matrix by which the vehicle distorts the field, row by row.
    #[param(unit = "1", default = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])]
    soft_iron: [f64; 9],
    /// Standard deviation of the white noise on each axis, per sample.
    #[param(default = 2e-7, range = 0.0.., unit = "T")]
    std_noise: f64,
    /// Bias instability of each axis: the floor of its Allan deviation divided by 0.664.
    #[param(default = 0.0, range = 0.0.., unit = "T")]
    bias_instability: f64,
    /// Correlation time of the bias instability.
    #[param(default = 100.0, above = 0.0, unit = "s")]
    bias_correlation_time: f64,
    /// Distance between two readings; 0 for none.
    #[param(default = 0.0, range = 0.0.., unit = "T")]
    resolution: f64,
    /// Largest magnitude of a reading of an axis, at which the sensor saturates.
    #[param(above = 0.0, unit = "T")]
    range: Option<f64>,
}

/// The field in the axes of the sensor.
#[derive(Ports)]
pub struct Field {
    /// Flux density along x.
    #[port(unit = "T")]
    magnetic_field_x: f64,
    /// Flux density along y.
    #[port(unit = "T")]
    magnetic_field_y: f64,
    /// Flux density along z.
    #[port(unit = "T")]
    magnetic_field_z: f64,
}

/// Biases of the axes.
#[derive(State)]
pub struct Biases {
    /// Number of samples.
    #[state(unit = "1")]
    samples: f64,
    /// Bias along x.
    #[state(unit = "T")]
    bias_x: f64,
    /// Bias along y.
    #[state(unit = "T")]
    bias_y: f64,
    /// Bias along z.
    #[state(unit = "T")]
    bias_z: f64,
}

impl Magnetometer {
    /// Returns the exact field in the axes of the sensor, with the distortion of the vehicle, T.
    fn exact(&self, at: &WorldAttitude) -> [f64; 3] {
        // magnetic north lies clockwise of true north
        let magnetic = rotation([-self.declination, 0.0, 0.0]);
        let body = at.rotation();
        let sensor = body.compose(&self.mount.mounting().rotation);
        let field = sensor.invert(magnetic.apply(self.earth_field.into())).to_array();
        let row = |axis: usize| &self.soft_iron[3 * axis..][..3];
        [0, 1, 2].map(|axis| {
            let distorted: f64 = row(axis).iter().zip(field).map(|(s, b)| s * b).sum();
            distorted + self.hard_iron[axis]
        })
    }
}

#[model]
impl Sensor for Magnetometer {
    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mount.mounting().aim_level(aim);
    }

    fn read(
        &self,
        at: &WorldAttitude,
        _: &mut RayReadings,
        random: &mut Random,
        _: &Step,
        biases: &mut Biases,
    ) -> Field {
        let errors = Errors {
            white: self.std_noise,
            density: None,
            instability: self.bias_instability,
            correlation_time: self.bias_correlation_time,
            walk: 0.0,
            resolution: self.resolution,
            range: self.range,
        };
        let is_first = biases.samples == 0.0;
        biases.samples += 1.0;
        let mut read = |value: f64, drift: &mut f64| {
            let mut bias = Bias { drift: *drift, walk: 0.0 };
            let found = errors.read(value, &mut bias, is_first, at.sample_period, random);
            *drift = bias.drift;
            found
        };
        let [x, y, z] = self.exact(at);
        Field {
            magnetic_field_x: read(x, &mut biases.bias_x),
            magnetic_field_y: read(y, &mut biases.bias_y),
            magnetic_field_z: read(z, &mut biases.bias_z),
        }
    }
}

#[cfg(test)]
mod tests {
    use simhost_sdk::ports::Attitude;

    use super::*;

    fn magnetometer() -> Magnetometer {
        Magnetometer {
            mount: Mount::default(),
            earth_field: [0.0, 2e-5, -4e-5],
            declination: 0.0,
            hard_iron: [0.0; 3],
            soft_iron: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            std_noise: 0.0,
            bias_instability: 0.0,
            bias_correlation_time: 1.0,
            resolution: 0.0,
            range: None,
        }
    }

    fn towards(yaw: f64) -> WorldAttitude {
        WorldAttitude {
            attitude: Attitude { yaw, pitch: 0.0, roll: 0.0 },
            world_to_enu: 0.0,
            sample_period: 0.1,
        }
    }

    fn is_close(found: [f64; 3], expected: [f64; 3]) {
        for axis in 0..3 {
            assert!((found[axis] - expected[axis]).abs() < 1e-18, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn north_is_ahead_of_a_vehicle_that_drives_north() {
        is_close(magnetometer().exact(&towards(90f64.to_radians())), [2e-5, 0.0, -4e-5]);
        // and to the left of one that drives east
        is_close(magnetometer().exact(&towards(0.0)), [0.0, 2e-5, -4e-5]);
    }

    #[test]
    fn declination_turns_magnetic_north_eastwards() {
        let one = Magnetometer { declination: 90f64.to_radians(), ..magnetometer() };
        is_close(one.exact(&towards(0.0)), [2e-5, 0.0, -4e-5]);
    }

    #[test]
    fn iron_distorts_the_field() {
        let mut one = magnetometer();
        one.soft_iron = [1.0, 0.5, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0];
        one.hard_iron = [1e-6, 0.0, -1e-6];
        is_close(one.exact(&towards(0.0)), [1.1e-5, 4e-5, -4.1e-5]);
    }
}
