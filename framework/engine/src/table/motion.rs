//! Motion of the bodies of vehicles in space, for inertial sensors.
//!
//! A vehicle turns about the normal of its plane, its plane turns with the ground, and a body on springs
//! sways against it. With the attitude R_z(ψ) R_y(θ) R_x(φ) of the body, its angular velocity ω follows
//! from the rates of these angles (Euler's kinematic equations), and the acceleration of the reference
//! point is v̇ + ω × v with the velocity v in the frame of the body. The specific force adds gravity,
//! upwards.
//!
//! Rates of change are differences over a step, all other values those at its end. On ground that does not
//! move, rates and acceleration of the plane of a vehicle follow from the curvature of the ground instead, as
//! the wheel loads do.

use simhost_sdk::math;
use simhost_vectors::Vec3;

use super::host::MotionColumns;
use super::vehicles::Vehicles;
use crate::tilt::Tilt;

impl Vehicles {
    /// Updates the motion in space at the end of a step of `dt` seconds. Without `dt`, and where the step
    /// before is unknown, velocities do not change.
    pub fn update_motion(&mut self, dt: Option<f64>) {
        let Some(columns) = self.host.motion else { return };
        if self.host.spatial && dt.is_some() {
            // the dynamics class has set it
            return;
        }
        for lane in 0..self.lanes.len() {
            let (attitude, velocity, lift) = self.attitude_in_space(lane, &columns, dt);
            let motion = [velocity, attitude.angular_velocity()];
            self.record_motion(lane, &columns, attitude.at, motion, dt);
            if lift != [0.0; 3] {
                let force = self.values(columns.force, lane);
                self.set_values(
                    columns.force,
                    lane,
                    [0, 1, 2].map(|axis| force[axis] + lift[axis]),
                );
            }
            self.set_values(columns.normal, lane, self.lanes[lane].normal);
        }
    }

    /// Sets velocity and angular velocity of a body, and their rates of change over a step of `dt`
    /// seconds. Without `dt`, and where the step before is unknown, velocities have not changed.
    pub(super) fn record_motion(
        &mut self,
        lane: usize,
        columns: &MotionColumns,
        at: Inclination,
        [velocity, rate]: [[f64; 3]; 2],
        dt: Option<f64>,
    ) {
        let before = self.values(columns.velocity, lane);
        let known = dt.filter(|_| !before[0].is_nan());
        let change = |now: [f64; 3], before: [f64; 3]| match known {
            Some(dt) => [0, 1, 2].map(|axis| (now[axis] - before[axis]) / dt),
            None => [0.0; 3],
        };
        let angular = change(rate, self.values(columns.rate, lane));
        let linear = change(velocity, before);
        let centripetal = Vec3::from(rate).cross(velocity.into());
        let gravity = self.value(self.host.measured.gravity, lane);
        let up = at.to_body([0.0, 0.0, gravity]);
        let force = [0, 1, 2].map(|axis| linear[axis] + centripetal[axis] + up[axis]);
        self.set_values(columns.force, lane, force);
        self.set_values(columns.rate, lane, rate);
        self.set_values(columns.acceleration, lane, angular);
        self.set_values(columns.velocity, lane, velocity);
    }

    /// Makes the next step the first one of a vehicle that has been moved to another pose.
    pub fn forget_motion(&mut self, lane: usize) {
        if let Some(columns) = self.host.motion {
            self.set_values(columns.velocity, lane, [f64::NAN; 3]);
        }
    }

    /// Returns the attitude of a body, the velocity of the reference point in the frame of the body, and the
    /// acceleration due to the curvature of the ground that the turning of its plane does not contain.
    fn attitude_in_space(
        &self,
        lane: usize,
        columns: &MotionColumns,
        dt: Option<f64>,
    ) -> (Attitude, [f64; 3], [f64; 3]) {
        let (measured, owner) = (&self.host.measured, &self.lanes[lane]);
        let heading = self.values(self.host.own.heading, lane);
        let [vx, vy, omega] = self.values([measured.vx, measured.vy, measured.omega], lane);
        let plane = Inclination::of(owner.normal, heading);
        let was_known = !self.value(columns.velocity[0], lane).is_nan();
        let before = match dt.filter(|_| was_known) {
            Some(_) => Inclination::of(self.values(columns.normal, lane), heading),
            None => plane,
        };
        let dt = dt.unwrap_or(1.0);
        let turned = [plane.pitch - before.pitch, plane.roll - before.roll].map(|by| by / dt);
        let turning = owner.ride.map_or(turned, |ride| ride.turning);
        let [[along, along_rate], [across, across_rate]] =
            self.host.sway.map(|axis| axis.map(|column| self.value(column, lane)));
        // in the air, the measured twist lies in the plane of the last ground
        let (velocity, rotation) = match owner.fall.rising() {
            Some(rising) => {
                let [ahead, left] = owner.tilt.to_level([vx, vy]);
                let yaw_rate = owner.tilt.level_yaw_rate(omega);
                let rotation = Tilt::new(plane.pitch, plane.roll).rotation_rate(yaw_rate);
                ([ahead, left, rising], rotation)
            }
            None => (plane.to_level([vx, vy]), omega),
        };
        let [yaw_rate, pitch_rate, roll_rate] = plane.angle_rates(turning, rotation);
        let attitude = Attitude {
            at: Inclination { pitch: plane.pitch - along, roll: plane.roll + across },
            rates: [yaw_rate, pitch_rate - along_rate, roll_rate + across_rate],
        };
        let lift = owner.ride.map_or([0.0; 3], |ride| {
            let [pitching, rolling] = turning;
            let turned = rolling * vy - pitching * math::cos(plane.roll) * vx;
            attitude.at.to_body(plane.to_heading([0.0, 0.0, ride.lift - turned]))
        });
        (attitude, attitude.at.to_body(velocity), lift)
    }
}

/// Pitch, positive nose down, and roll, positive right side down, rad.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inclination {
    pub pitch: f64,
    pub roll: f64,
}

impl Inclination {
    /// Returns the inclination of a plane with this normal, world frame, for a heading given as cosine
    /// and sine.
    pub fn of([x, y, z]: [f64; 3], [cos, sin]: [f64; 2]) -> Self {
        let (ahead, left) = (cos * x + sin * y, cos * y - sin * x);
        let roll = math::atan2(-left, (ahead * ahead + z * z).sqrt());
        Self { pitch: math::atan2(ahead, z), roll }
    }

    /// Converts a vector of the plane to the frame that has the heading of the vehicle and a vertical z
    /// axis.
    fn to_level(self, [x, y]: [f64; 2]) -> [f64; 3] {
        let (sin_pitch, cos_pitch) = math::sin_cos(self.pitch);
        let (sin_roll, cos_roll) = math::sin_cos(self.roll);
        let up = sin_roll * y;
        [cos_pitch * x + sin_pitch * up, cos_roll * y, cos_pitch * up - sin_pitch * x]
    }

    /// Converts a vector from the frame that has the heading of the body and a vertical z axis.
    pub fn to_body(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sin_pitch, cos_pitch) = math::sin_cos(self.pitch);
        let (sin_roll, cos_roll) = math::sin_cos(self.roll);
        let down = sin_pitch * x + cos_pitch * z;
        [
            cos_pitch * x - sin_pitch * z,
            cos_roll * y + sin_roll * down,
            cos_roll * down - sin_roll * y,
        ]
    }

    /// Converts a vector of the body to the frame that has its heading and a vertical z axis.
    pub fn to_heading(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sin_pitch, cos_pitch) = math::sin_cos(self.pitch);
        let (sin_roll, cos_roll) = math::sin_cos(self.roll);
        let down = sin_roll * y + cos_roll * z;
        [
            cos_pitch * x + sin_pitch * down,
            cos_roll * y - sin_roll * z,
            cos_pitch * down - sin_pitch * x,
        ]
    }

    /// Returns the rates of yaw, pitch and roll of a vehicle that rotates at `omega` about the normal of a
    /// plane, whose own pitch and roll in the heading of the vehicle change at `turning`, rad/s.
    fn angle_rates(self, [pitching, rolling]: [f64; 2], omega: f64) -> [f64; 3] {
        let (sin_pitch, cos_pitch) = math::sin_cos(self.pitch);
        let (sin_roll, cos_roll) = math::sin_cos(self.roll);
        let [x, y, z] = [rolling, pitching * cos_roll, omega - pitching * sin_roll];
        let yaw = (y * sin_roll + z * cos_roll) / cos_pitch;
        [yaw, y * cos_roll - z * sin_roll, x + yaw * sin_pitch]
    }
}

/// Inclination of a body, and the rates of its yaw, pitch and roll, rad/s.
#[derive(Clone, Copy, Debug)]
struct Attitude {
    at: Inclination,
    rates: [f64; 3],
}

impl Attitude {
    /// Returns the angular velocity in the frame of the body, rad/s.
    fn angular_velocity(self) -> [f64; 3] {
        let (sin_pitch, cos_pitch) = math::sin_cos(self.at.pitch);
        let (sin_roll, cos_roll) = math::sin_cos(self.at.roll);
        let [yaw, pitch, roll] = self.rates;
        [
            roll - yaw * sin_pitch,
            pitch * cos_roll + yaw * cos_pitch * sin_roll,
            yaw * cos_pitch * cos_roll - pitch * sin_roll,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_close(found: [f64; 3], expected: [f64; 3]) {
        for axis in 0..3 {
            assert!((found[axis] - expected[axis]).abs() < 1e-12, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn a_body_that_turns_on_a_slope_turns_about_its_normal() {
        // nose up on a slope of 20°, at any heading
        for heading in [0.0, 0.7, 2.0, -1.3] {
            let (sin, cos) = math::sin_cos(heading);
            let slope = 20f64.to_radians();
            let plane = Inclination::of([-slope.sin(), 0.0, slope.cos()], [cos, sin]);
            let rates = plane.angle_rates([0.0; 2], 0.8);
            is_close(Attitude { at: plane, rates }.angular_velocity(), [0.0, 0.0, 0.8]);
        }
    }

    #[test]
    fn velocities_of_the_plane_are_velocities_of_a_body_without_sway() {
        let at = Inclination { pitch: 0.2, roll: -0.3 };
        let level = at.to_level([1.5, -0.7]);
        is_close(at.to_body(level), [1.5, -0.7, 0.0]);
    }

    #[test]
    fn a_plane_that_pitches_and_rolls_adds_the_rates_of_its_angles() {
        let plane = Inclination { pitch: 0.0, roll: 0.0 };
        let rates = plane.angle_rates([0.1, -0.2], 0.5);
        is_close(Attitude { at: plane, rates }.angular_velocity(), [-0.2, 0.1, 0.5]);
    }
}
