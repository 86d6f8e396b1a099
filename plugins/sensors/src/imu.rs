//! An inertial measurement unit.
//!
//! ω is the angular velocity of the body. The specific force at the mounting position r is f + ω̇ ×
//! r + ω × (ω × r) with the specific force f of the reference point (Titterton and Weston,
//! *Strapdown Inertial Navigation Technology*, 2nd edition, §3), which contains gravity, upwards.
//! Both are given in the axes of the sensor. [`crate::noise`] describes the errors. The parameters
//! have the names of `imu` in MVSim; further parameters correspond to an Allan deviation plot.
//!
//! **Limit:** scale factors, misalignment and the rotation of the Earth are left out.

use simhost_sdk::kinematics::{angles, rotation};
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::carrier::{BodyRates, WorldAttitude};
use crate::mounting::{Mount, Mounting};
use crate::noise::{Bias, Errors};

/// An inertial measurement unit: angular velocity and specific force.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Imu {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Standard deviation of the white noise on an angular rate, per sample.
    #[param(default = 2e-4, range = 0.0.., unit = "rad/s",
            key = "angular_velocity_white_noise_std_noise",
            alias = "angular_velocity_std_noise")]
    angular_velocity_noise: f64,
    /// Standard deviation of the white noise on an acceleration, per sample.
    #[param(default = 0.017, range = 0.0.., unit = "m/s²",
            key = "linear_acceleration_white_noise_std_noise",
            alias = "linear_acceleration_std_noise")]
    linear_acceleration_noise: f64,
    /// Density of the white noise on an angular rate, instead of a deviation per sample.
    #[param(range = 0.0.., unit = "rad/s/√Hz", key = "angular_velocity_noise_density")]
    angular_velocity_density: Option<f64>,
    /// Density of the white noise on an acceleration, instead of a deviation per sample.
    #[param(range = 0.0.., unit = "m/s²/√Hz", key = "linear_acceleration_noise_density")]
    linear_acceleration_density: Option<f64>,
    /// Bias instability of an angular rate: the floor of its Allan deviation divided by 0.664.
    #[param(default = 0.0, range = 0.0.., unit = "rad/s",
            key = "angular_velocity_bias_instability")]
    angular_velocity_instability: f64,
    /// Bias instability of an acceleration: the floor of its Allan deviation divided by 0.664.
    #[param(default = 0.0, range = 0.0.., unit = "m/s²",
            key = "linear_acceleration_bias_instability")]
    linear_acceleration_instability: f64,
    /// Correlation time of the bias instabilities. A larger value moves the floor to longer times.
    #[param(default = 100.0, above = 0.0, unit = "s")]
    bias_correlation_time: f64,
    /// Random walk of the angular rate bias. A larger value makes the bias drift further.
    #[param(default = 0.0, range = 0.0.., unit = "rad/s/√s",
            key = "angular_velocity_random_walk_std_noise")]
    angular_velocity_walk: f64,
    /// Random walk of the acceleration bias. A larger value makes the bias drift further.
    #[param(default = 0.0, range = 0.0.., unit = "m/s²/√s",
            key = "linear_acceleration_random_walk_std_noise")]
    linear_acceleration_walk: f64,
    /// Distance between two readings of an angular rate; 0 for none.
    #[param(default = 0.0, range = 0.0.., unit = "rad/s")]
    angular_velocity_resolution: f64,
    /// Distance between two readings of an acceleration; 0 for none.
    #[param(default = 0.0, range = 0.0.., unit = "m/s²")]
    linear_acceleration_resolution: f64,
    /// Largest magnitude of a reading of an angular rate, at which the sensor saturates.
    #[param(above = 0.0, unit = "rad/s")]
    angular_velocity_range: Option<f64>,
    /// Largest magnitude of a reading of an acceleration, at which the sensor saturates.
    #[param(above = 0.0, unit = "m/s²")]
    linear_acceleration_range: Option<f64>,
    /// Whether the attitude is also measured.
    #[param(default = false)]
    measure_orientation: bool,
    /// Standard deviation of the noise on the attitude, about each axis.
    #[param(default = 0.005, range = 0.0.., unit = "rad")]
    orientation_std_noise: f64,
}

/// Motion of the vehicle.
#[derive(Clone, Default, Ports)]
pub struct BodyMotion {
    /// Specific force of the reference point along x of the body.
    #[port(unit = "m/s²")]
    pub body_specific_force_x: f64,
    /// Specific force of the reference point along y of the body.
    #[port(unit = "m/s²")]
    pub body_specific_force_y: f64,
    /// Specific force of the reference point along z of the body.
    #[port(unit = "m/s²")]
    pub body_specific_force_z: f64,
    /// Angular velocity of the body.
    #[port(flatten)]
    pub rates: BodyRates,
    /// Angular acceleration about x of the body.
    #[port(unit = "rad/s²")]
    pub body_angular_acceleration_x: f64,
    /// Angular acceleration about y of the body.
    #[port(unit = "rad/s²")]
    pub body_angular_acceleration_y: f64,
    /// Angular acceleration about z of the body.
    #[port(unit = "rad/s²")]
    pub body_angular_acceleration_z: f64,
    /// Attitude of the vehicle, and the axes of the world.
    #[port(flatten)]
    pub attitude: WorldAttitude,
}

/// Readings in the axes of the sensor.
#[derive(Ports)]
pub struct Reading {
    /// Yaw, counter-clockwise from east; NaN if the attitude is not measured.
    #[port(unit = "rad", unknown)]
    orientation_yaw: f64,
    /// Pitch, positive nose down; NaN if the attitude is not measured.
    #[port(unit = "rad", unknown)]
    orientation_pitch: f64,
    /// Roll, positive right side down; NaN if the attitude is not measured.
    #[port(unit = "rad", unknown)]
    orientation_roll: f64,
    /// Angular velocity about x.
    #[port(unit = "rad/s")]
    angular_velocity_x: f64,
    /// Angular velocity about y.
    #[port(unit = "rad/s")]
    angular_velocity_y: f64,
    /// Angular velocity about z.
    #[port(unit = "rad/s")]
    angular_velocity_z: f64,
    /// Specific force along x.
    #[port(unit = "m/s²")]
    linear_acceleration_x: f64,
    /// Specific force along y.
    #[port(unit = "m/s²")]
    linear_acceleration_y: f64,
    /// Specific force along z.
    #[port(unit = "m/s²")]
    linear_acceleration_z: f64,
}

/// Biases of the axes.
#[derive(State)]
pub struct Biases {
    /// Number of samples.
    #[state(unit = "1")]
    samples: f64,
    /// Bias instability of the angular rate about x.
    #[state(unit = "rad/s")]
    angular_velocity_drift_x: f64,
    /// Bias instability of the angular rate about y.
    #[state(unit = "rad/s")]
    angular_velocity_drift_y: f64,
    /// Bias instability of the angular rate about z.
    #[state(unit = "rad/s")]
    angular_velocity_drift_z: f64,
    /// Random walk of the angular rate about x.
    #[state(unit = "rad/s")]
    angular_velocity_walk_x: f64,
    /// Random walk of the angular rate about y.
    #[state(unit = "rad/s")]
    angular_velocity_walk_y: f64,
    /// Random walk of the angular rate about z.
    #[state(unit = "rad/s")]
    angular_velocity_walk_z: f64,
    /// Bias instability of the acceleration along x.
    #[state(unit = "m/s²")]
    linear_acceleration_drift_x: f64,
    /// Bias instability of the acceleration along y.
    #[state(unit = "m/s²")]
    linear_acceleration_drift_y: f64,
    /// Bias instability of the acceleration along z.
    #[state(unit = "m/s²")]
    linear_acceleration_drift_z: f64,
    /// Random walk of the acceleration along x.
    #[state(unit = "m/s²")]
    linear_acceleration_walk_x: f64,
    /// Random walk of the acceleration along y.
    #[state(unit = "m/s²")]
    linear_acceleration_walk_y: f64,
    /// Random walk of the acceleration along z.
    #[state(unit = "m/s²")]
    linear_acceleration_walk_z: f64,
}

impl Biases {
    /// Returns drift and walk of each axis: angular rates, then accelerations.
    fn axes(&mut self) -> [[&mut f64; 2]; 6] {
        [
            [&mut self.angular_velocity_drift_x, &mut self.angular_velocity_walk_x],
            [&mut self.angular_velocity_drift_y, &mut self.angular_velocity_walk_y],
            [&mut self.angular_velocity_drift_z, &mut self.angular_velocity_walk_z],
            [&mut self.linear_acceleration_drift_x, &mut self.linear_acceleration_walk_x],
            [&mut self.linear_acceleration_drift_y, &mut self.linear_acceleration_walk_y],
            [&mut self.linear_acceleration_drift_z, &mut self.linear_acceleration_walk_z],
        ]
    }
}

impl Imu {
    fn gyroscope(&self) -> Errors {
        Errors {
            white: self.angular_velocity_noise,
            density: self.angular_velocity_density,
            instability: self.angular_velocity_instability,
            correlation_time: self.bias_correlation_time,
            walk: self.angular_velocity_walk,
            resolution: self.angular_velocity_resolution,
            range: self.angular_velocity_range,
        }
    }

    fn accelerometer(&self) -> Errors {
        Errors {
            white: self.linear_acceleration_noise,
            density: self.linear_acceleration_density,
            instability: self.linear_acceleration_instability,
            correlation_time: self.bias_correlation_time,
            walk: self.linear_acceleration_walk,
            resolution: self.linear_acceleration_resolution,
            range: self.linear_acceleration_range,
        }
    }

    fn mounting(&self) -> Mounting {
        self.mount.mounting()
    }

    /// Returns yaw, pitch and roll relative to east-north-up, rad.
    fn orientation(&self, at: &BodyMotion, mounting: &Mounting, random: &mut Random) -> [f64; 3] {
        if !self.measure_orientation {
            return [f64::NAN; 3];
        }
        let mut noise = [0.0; 3];
        random.fill_normal(&mut noise);
        let [about_x, about_y, about_z] = noise.map(|one| self.orientation_std_noise * one);
        let body = at.attitude.rotation();
        let exact = body.compose(&mounting.rotation);
        angles(&exact.compose(&rotation([about_z, about_y, about_x])))
    }
}

#[model]
impl Sensor for Imu {
    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mounting().aim_level(aim);
    }

    fn read(
        &self,
        at: &BodyMotion,
        _: &mut RayReadings,
        random: &mut Random,
        _: &Step,
        biases: &mut Biases,
    ) -> Reading {
        let mounting = self.mounting();
        let exact = at.at_mounting(&mounting);
        let is_first = biases.samples == 0.0;
        biases.samples += 1.0;
        let [gyroscope, accelerometer] = [self.gyroscope(), self.accelerometer()];
        let mut read = exact.into_iter().flatten().zip(biases.axes()).enumerate().map(
            |(axis, (value, [drift, walk]))| {
                let errors = if axis < 3 { &gyroscope } else { &accelerometer };
                let mut bias = Bias { drift: *drift, walk: *walk };
                let found =
                    errors.read(value, &mut bias, is_first, at.attitude.sample_period, random);
                (*drift, *walk) = (bias.drift, bias.walk);
                found
            },
        );
        let [wx, wy, wz, fx, fy, fz] = std::array::from_fn(|_| read.next().unwrap_or_default());
        drop(read);
        let [yaw, pitch, roll] = self.orientation(at, &mounting, random);
        Reading {
            orientation_yaw: yaw,
            orientation_pitch: pitch,
            orientation_roll: roll,
            angular_velocity_x: wx,
            angular_velocity_y: wy,
            angular_velocity_z: wz,
            linear_acceleration_x: fx,
            linear_acceleration_y: fy,
            linear_acceleration_z: fz,
        }
    }
}

impl BodyMotion {
    /// Returns angular velocity, rad/s, and specific force, m/s², at a mounting pose, in its axes.
    fn at_mounting(&self, mounting: &Mounting) -> [[f64; 3]; 2] {
        let force = Vec3::new(
            self.body_specific_force_x,
            self.body_specific_force_y,
            self.body_specific_force_z,
        );
        let rate = self.rates.vector();
        let change = Vec3::new(
            self.body_angular_acceleration_x,
            self.body_angular_acceleration_y,
            self.body_angular_acceleration_z,
        );
        let arm = mounting.position;
        let at_arm = force + change.cross(arm) + rate.cross(rate.cross(arm));
        [rate, at_arm].map(|vector| mounting.rotation.invert(vector).to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still() -> BodyMotion {
        BodyMotion {
            body_specific_force_z: 9.81,
            attitude: WorldAttitude { sample_period: 0.01, ..WorldAttitude::default() },
            ..BodyMotion::default()
        }
    }

    #[test]
    fn a_lever_arm_adds_centripetal_and_euler_terms() {
        let motion = BodyMotion {
            rates: BodyRates { body_rate_z: 2.0, ..BodyRates::default() },
            body_angular_acceleration_z: 0.5,
            ..still()
        };
        let mounting = Mounting::new(None, Some([0.3, -0.1, 0.4, 0.0, 0.0, 0.0]));
        let [rate, force] = motion.at_mounting(&mounting);
        assert_eq!(rate, [0.0, 0.0, 2.0]);
        // −ω² r + ω̇ × r
        let expected = [-4.0 * 0.3 + 0.5 * 0.1, 4.0 * 0.1 + 0.5 * 0.3, 9.81];
        for axis in 0..3 {
            assert!((force[axis] - expected[axis]).abs() < 1e-14, "{force:?}");
        }
    }

    #[test]
    fn axes_are_those_of_the_sensor() {
        // x to the left, y backwards
        let turned = Mounting::new(None, Some([0.0, 0.0, 0.0, 90.0, 0.0, 0.0]));
        let motion = BodyMotion { body_specific_force_x: 1.0, ..still() };
        let [_, force] = motion.at_mounting(&turned);
        assert!((force[0]).abs() < 1e-15 && (force[1] + 1.0).abs() < 1e-15, "{force:?}");
        // upside down
        let [_, force] =
            still().at_mounting(&Mounting::new(None, Some([0., 0., 0., 0., 0., 180.])));
        assert!((force[2] + 9.81).abs() < 1e-14, "{force:?}");
    }
}
