//! Variances that follow from the resolution of the encoders.
//!
//! A reading is the last tick that has been passed. The error of a difference between two readings
//! of a wheel is the sum of both errors, q²/12 each for a tick of q m. It does not grow with the
//! distance. A steering encoder shows up to a tick s less than the angle, s²/3 in the mean square,
//! and the heading drifts by it all the time. Each error is propagated through the model of the
//! vehicle by one evaluation with the error added.
//!
//! An error of the heading moves the position across the line to the start, by its distance.
//!
//! **Limit:** slip, and a wrong calibration of radii, are not contained: nothing is known of them.

use std::f64::consts::TAU;

use simhost_sdk::ports::OdometryVariance;

use super::{Inputs, Odometry, Pose, Rolled};

/// Numbers that are remembered behind the readings of the wheels: the position of the start, m, and the standard
/// deviation of the heading by the steering encoders, rad.
pub(super) const MEMORY: usize = 3;

/// Returns the angle of a tick, rad; 0 without ticks.
pub(super) fn resolution(ticks: f64) -> f64 {
    if ticks > 0.0 { TAU / ticks } else { 0.0 }
}

/// Variances of the motion of the reference point in a sample, m², m², rad².
struct Spread {
    by_wheels: [f64; 3],
    by_steering: [f64; 3],
    /// Deviation of the heading by the steering encoders, rad.
    drift: f64,
}

impl Odometry {
    /// Returns the variances of a sample in which the wheels have rolled to this pose.
    pub(super) fn variance(
        &self,
        wheels: &mut [Rolled],
        inputs: &Inputs,
        pose: &mut Pose,
    ) -> OdometryVariance {
        let count = pose.positions.len().min(inputs.wheel_angle.count());
        if pose.positions.len() == count {
            let start = [pose.x, pose.y, 0.0];
            pose.positions.extend(start);
        }
        let Spread { by_wheels, by_steering, drift } = self.spread(wheels, inputs);
        let [start_x, start_y, drifted] = &mut pose.positions[count..] else {
            return OdometryVariance::default();
        };
        *drifted += drift;
        let [ahead, left, turn] = by_wheels;
        let (along, yaw) = (ahead.max(left), turn + *drifted * *drifted);
        let (dx, dy) = (pose.x - *start_x, pose.y - *start_y);
        let rate = 1.0 / (inputs.sample_period * inputs.sample_period);
        let twist = [0, 1, 2].map(|part: usize| rate * (by_wheels[part] + by_steering[part]));
        OdometryVariance {
            variance_x: along + yaw * dy * dy,
            variance_y: along + yaw * dx * dx,
            variance_yaw: yaw,
            variance_linear_x: twist[0],
            variance_linear_y: twist[1],
            variance_angular_z: twist[2],
        }
    }

    /// Returns the variances by the errors of all encoders, one after the other.
    fn spread(&self, wheels: &mut [Rolled], inputs: &Inputs) -> Spread {
        let best = self.increment(wheels, inputs.centre_x).of_reference();
        let steering = resolution(self.steering_ticks) / 3.0_f64.sqrt();
        let mut spread = Spread { by_wheels: [0.0; 3], by_steering: [0.0; 3], drift: 0.0 };
        for index in 0..wheels.len() {
            let exact = wheels[index];
            if exact.tick > 0.0 {
                wheels[index].way += exact.tick / 6.0_f64.sqrt();
                let error = self.error(wheels, inputs, best);
                spread.by_wheels = add_squares(spread.by_wheels, error);
            }
            if steering > 0.0 && exact.is_steered {
                wheels[index] = Rolled { steer: exact.steer + steering, ..exact };
                let error = self.error(wheels, inputs, best);
                spread.by_steering = add_squares(spread.by_steering, error);
                spread.drift += error[2].abs();
            }
            wheels[index] = exact;
        }
        spread
    }

    /// Returns by how much the motion of the reference point differs from the best estimate.
    fn error(&self, wheels: &[Rolled], inputs: &Inputs, best: [f64; 3]) -> [f64; 3] {
        let found = self.increment(wheels, inputs.centre_x).of_reference();
        [0, 1, 2].map(|part: usize| found[part] - best[part])
    }
}

fn add_squares(sums: [f64; 3], errors: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|part: usize| sums[part] + errors[part] * errors[part])
}
