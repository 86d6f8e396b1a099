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

use super::slope;
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
        let ground = slope::below(step, [truth.x, truth.y, truth.z], truth.yaw);
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
mod tests;
