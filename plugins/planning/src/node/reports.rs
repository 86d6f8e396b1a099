//! Reports of the state of a planning model, with noise.
//!
//! One sample draws the noise of x, y, yaw, speed, steering and yaw rate, in this order, so
//! odometry and velocity report share the draw of the speed. Source: Autoware
//! `simple_planning_simulator` 1.0.0; the noise of the yaw rate follows its manual.
//!
//! Differences from the source, which `compat="autoware-1.0"` takes back: the variances of the position
//! are the squares of the deviations, and noise leaves the pitch as it is.

use simhost_sdk::ports::{Odometry, OdometryReading, OdometryVariance};
use simhost_sdk::prelude::*;

use crate::params::Compat;

/// Measured pose, twist, acceleration and steering of a planning model.
#[derive(Params)]
#[param(scaling = simhost_sdk::Scaling::INVARIANT)]
pub struct PlanningReports {
    /// Whether Gaussian noise is added to the measurements.
    #[param(default = false)]
    add_measurement_noise: bool,
    /// Standard deviation of x and of y. A larger value makes the reported position jump more.
    #[param(default = 0.01, range = 0.0.., unit = "m")]
    pos_noise_stddev: f64,
    /// Standard deviation of the heading. A larger value makes the reported heading jump more.
    #[param(default = 0.0001, range = 0.0.., unit = "rad")]
    rpy_noise_stddev: f64,
    /// Standard deviation of the forward velocity; by default 0, and 0.01 with `autoware-1.0`. A larger
    /// value makes the reported speed jump more.
    #[param(range = 0.0.., unit = "m/s")]
    vel_noise_stddev: Option<f64>,
    /// Standard deviation of the yaw rate. A larger value makes the reported yaw rate jump more.
    #[param(default = 0.0, range = 0.0.., unit = "rad/s")]
    angvel_noise_stddev: f64,
    /// Standard deviation of the steering angle. A larger value makes the reported angle jump more.
    #[param(default = 0.0001, range = 0.0.., unit = "rad")]
    steer_noise_stddev: f64,
    /// Standard deviation of x that the covariance of odometry states. It does not change the position.
    #[param(default = 0.0001, range = 0.0.., unit = "m")]
    x_stddev: f64,
    /// Standard deviation of y that the covariance of odometry states. It does not change the position.
    #[param(default = 0.0001, range = 0.0.., unit = "m")]
    y_stddev: f64,
    /// Frame of the vehicle in messages.
    #[param(default = "base_link")]
    simulated_frame_id: String,
    /// Frame in which messages give the pose.
    #[param(default = "odom")]
    origin_frame_id: String,
    /// Arithmetic: `none` for the corrected equations, `autoware-1.0` for the original ones.
    #[param(default = "none")]
    compat: Compat,
}

/// State of the model.
#[derive(Ports)]
pub struct Truth {
    /// Position, world frame.
    #[port(unit = "m")]
    x: f64,
    /// Position, world frame.
    #[port(unit = "m")]
    y: f64,
    /// Height of the ground, world frame.
    #[port(unit = "m")]
    z: f64,
    /// Heading, world frame.
    #[port(unit = "rad")]
    yaw: f64,
    /// Velocity that the model reports.
    #[port(flatten)]
    odometry: Odometry,
    /// Steering angle that the model reports.
    #[port(unit = "rad", optional)]
    steer_angle: f64,
    /// Forward acceleration that the model reports.
    #[port(unit = "m/s²", optional)]
    longitudinal_acceleration: f64,
}

/// Reported state.
#[derive(Debug, PartialEq, Ports)]
pub struct Report {
    /// Pose and velocity in the world.
    #[port(flatten)]
    pose: OdometryReading,
    /// Diagonal of the covariances: x and y as `x_stddev` and `y_stddev` state them, as standard deviations with
    /// `autoware-1.0`; the others from the noise, 0 with `autoware-1.0`.
    #[port(flatten)]
    variance: OdometryVariance,
    /// Forward acceleration.
    #[port(unit = "m/s²")]
    acceleration_x: f64,
    /// Leftward acceleration: yaw rate times forward velocity, without noise.
    #[port(unit = "m/s²")]
    acceleration_y: f64,
    /// Vertical acceleration: 0.
    #[port(unit = "m/s²")]
    acceleration_z: f64,
    /// Angle of the tyres.
    #[port(unit = "rad")]
    steering_tire_angle: f64,
}

/// Standard deviation of the speed with `autoware-1.0`, m/s.
const AUTOWARE_SPEED_STDDEV: f64 = 0.01;

impl PlanningReports {
    /// Returns the standard deviations of the noise: x, y, m; yaw, rad; speed, m/s; steering, rad; yaw rate,
    /// rad/s.
    fn deviations(&self) -> [f64; 6] {
        if !self.add_measurement_noise {
            return [0.0; 6];
        }
        let of_default = match self.compat {
            Compat::Autoware => AUTOWARE_SPEED_STDDEV,
            Compat::None => 0.0,
        };
        [
            self.pos_noise_stddev,
            self.pos_noise_stddev,
            self.rpy_noise_stddev,
            self.vel_noise_stddev.unwrap_or(of_default),
            self.steer_noise_stddev,
            self.angvel_noise_stddev,
        ]
    }

    /// Returns the diagonal of the covariances.
    fn variance(&self) -> OdometryVariance {
        if self.compat == Compat::Autoware {
            let (variance_x, variance_y) = (self.x_stddev, self.y_stddev);
            return OdometryVariance { variance_x, variance_y, ..OdometryVariance::default() };
        }
        let [_, _, yaw, speed, _, rate] = self.deviations().map(|deviation| deviation * deviation);
        OdometryVariance {
            variance_x: self.x_stddev * self.x_stddev,
            variance_y: self.y_stddev * self.y_stddev,
            variance_yaw: yaw,
            variance_linear_x: speed,
            variance_linear_y: 0.0,
            variance_angular_z: rate,
        }
    }
}

#[model]
impl Sensor for PlanningReports {
    fn prepare(&mut self) -> Result<(), String> {
        for (key, frame) in [
            ("simulated_frame_id", &self.simulated_frame_id),
            ("origin_frame_id", &self.origin_frame_id),
        ] {
            if frame.trim().is_empty() {
                return Err(format!("{key} is empty; expected the name of a frame"));
            }
        }
        Ok(())
    }

    fn read(
        &self,
        truth: &Truth,
        _: &mut RayReadings,
        random: &mut Random,
        step: &Step,
        _: &mut (),
    ) -> Report {
        let is_compatible = self.compat == Compat::Autoware;
        let mut noise = self.deviations();
        if self.add_measurement_noise {
            noise = noise.map(|deviation| deviation * random.normal());
        }
        let [x, y, yaw, speed, steer, rate] = noise;
        let loses_pitch = is_compatible && self.add_measurement_noise;
        let ground = super::below(step, [truth.x, truth.y, truth.z], truth.yaw);
        Report {
            pose: OdometryReading {
                position_x: truth.x + x,
                position_y: truth.y + y,
                position_z: truth.z,
                orientation_yaw: truth.yaw + yaw,
                orientation_pitch: if loses_pitch { 0.0 } else { ground.pitch },
                orientation_roll: 0.0,
                linear_x: truth.odometry.odometry_vx + speed,
                linear_y: truth.odometry.odometry_vy,
                angular_z: truth.odometry.odometry_omega + rate,
            },
            variance: self.variance(),
            acceleration_x: truth.longitudinal_acceleration,
            acceleration_y: truth.odometry.odometry_omega * truth.odometry.odometry_vx,
            acceleration_z: 0.0,
            steering_tire_angle: truth.steer_angle + steer,
        }
    }
}

#[cfg(test)]
mod tests {
    use simhost_sdk::testing;

    use super::*;

    fn reports() -> PlanningReports {
        PlanningReports {
            add_measurement_noise: true,
            pos_noise_stddev: 0.01,
            rpy_noise_stddev: 1e-4,
            vel_noise_stddev: Some(0.02),
            angvel_noise_stddev: 0.0,
            steer_noise_stddev: 2e-4,
            x_stddev: 0.1,
            y_stddev: 0.2,
            simulated_frame_id: "base_link".to_owned(),
            origin_frame_id: "odom".to_owned(),
            compat: Compat::None,
        }
    }

    fn truth() -> Truth {
        Truth {
            x: 1.0,
            y: 2.0,
            z: 0.0,
            yaw: 0.3,
            odometry: Odometry { odometry_vx: 10.0, odometry_vy: 0.0, odometry_omega: 0.2 },
            steer_angle: 0.05,
            longitudinal_acceleration: 1.5,
        }
    }

    fn read(model: &PlanningReports, key: u64) -> Report {
        testing::Sampler::new(model).read(&truth(), &[], key, &Step::new(0.0, 0.025)).readings
    }

    /// Returns mean and standard deviation.
    fn moments(values: &[f64]) -> [f64; 2] {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        [mean, variance.sqrt()]
    }

    #[test]
    fn without_noise_the_state_is_reported() {
        let report = read(&PlanningReports { add_measurement_noise: false, ..reports() }, 1);
        let truth = truth();
        assert_eq!([report.pose.position_x, report.pose.position_y], [truth.x, truth.y]);
        assert_eq!([report.pose.linear_x, report.pose.angular_z], [10.0, 0.2]);
        assert_eq!(report.steering_tire_angle, 0.05);
        assert_eq!([report.acceleration_x, report.acceleration_y], [1.5, 2.0], "D10: ay = wz·vx");
    }

    #[test]
    fn noise_repeats_and_has_its_deviation() {
        // D6
        let model = reports();
        assert_eq!(read(&model, 7), read(&model, 7));
        assert_ne!(read(&model, 7), read(&model, 8));
        let all: Vec<Report> = (0..100_000).map(|key| read(&model, key)).collect();
        let check = |value: fn(&Report) -> f64, mean: f64, deviation: f64| {
            let values: Vec<f64> = all.iter().map(value).collect();
            let found = moments(&values);
            assert!((found[0] - mean).abs() < 0.02 * deviation, "{found:?} {mean}");
            assert!((found[1] / deviation - 1.0).abs() < 0.01, "{found:?} {deviation}");
        };
        check(|report| report.pose.position_x, 1.0, 0.01);
        check(|report| report.pose.position_y, 2.0, 0.01);
        check(|report| report.pose.orientation_yaw, 0.3, 1e-4);
        check(|report| report.pose.linear_x, 10.0, 0.02);
        check(|report| report.steering_tire_angle, 0.05, 2e-4);
        assert!(
            all.iter().all(|report| report.pose.angular_z == 0.2 && report.acceleration_x == 1.5)
        );
        // x and y are independent
        let products: Vec<f64> = all
            .iter()
            .map(|report| (report.pose.position_x - 1.0) * (report.pose.position_y - 2.0))
            .collect();
        assert!(moments(&products)[0].abs() < 0.02 * 1e-4, "{}", moments(&products)[0]);
    }

    #[test]
    fn covariances_are_squares_except_in_the_source() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-15, "{found}");
        let report = read(&reports(), 1);
        near(report.variance.variance_x, 0.01);
        near(report.variance.variance_y, 0.04);
        let report = read(&PlanningReports { compat: Compat::Autoware, ..reports() }, 1);
        near(report.variance.variance_x, 0.1);
        near(report.variance.variance_y, 0.2);
    }

    #[test]
    fn covariances_state_the_noise() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-15, "{found}");
        let noisy = || PlanningReports { angvel_noise_stddev: 0.03, ..reports() };
        let found = read(&noisy(), 1).variance;
        near(found.variance_yaw, 1e-8);
        near(found.variance_linear_x, 4e-4);
        near(found.variance_linear_y, 0.0);
        near(found.variance_angular_z, 9e-4);
        for model in [
            PlanningReports { add_measurement_noise: false, ..noisy() },
            PlanningReports { compat: Compat::Autoware, ..noisy() },
        ] {
            let found = read(&model, 1).variance;
            let others = [found.variance_yaw, found.variance_linear_x, found.variance_angular_z];
            assert_eq!(others, [0.0; 3]);
        }
    }

    #[test]
    fn the_speed_has_the_noise_of_the_manual_or_of_the_code() {
        let quiet = PlanningReports { vel_noise_stddev: None, ..reports() };
        assert_eq!(read(&quiet, 3).pose.linear_x, 10.0);
        let code = PlanningReports { compat: Compat::Autoware, ..quiet };
        assert_ne!(read(&code, 3).pose.linear_x, 10.0);
    }
}
