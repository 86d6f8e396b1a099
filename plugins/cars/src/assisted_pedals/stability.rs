//! Stability control: brakes on single wheels keep yaw rate and side-slip near what the driver expects.
//!
//! The expected yaw rate is the steady one, r = v δ/(l (1 + v²/v_ch²)), limited to 0.85 μ g/v; the side-slip
//! angle is limited to β_max = atan(0.02 μ g). The moment M = −k_r (ω − r) − k_β (β − β_max), each with a dead band, is
//! made by one brake: too much yaw brakes the outer front wheel, too little the inner rear wheel, with the torque
//! 2 |M| R/t for the track t and the wheel radius R. Source: R. Rajamani, *Vehicle Dynamics and Control*, 2nd ed. 2012,
//! sections 8.2.3 to 8.2.5 (target yaw rate and side-slip, limits of both), 8.2.7 (lower controller).
//!
//! **Limit:** the friction of the ground is a parameter; yaw rate and side-slip are measured exactly.

use simhost_sdk::prelude::*;

use crate::car::Wheels4;

/// Gravity, m/s².
const GRAVITY: f64 = 9.81;
/// Share of the largest lateral acceleration that the expected curve may need.
const USED_GRIP: f64 = 0.85;
/// Side-slip per lateral acceleration of the ground's friction, s²/m.
const SIDESLIP_PER_ACCELERATION: f64 = 0.02;

/// Stability control.
#[derive(Clone, Debug, Params)]
pub struct Stability {
    /// Whether brakes act.
    #[param(default = false)]
    enabled: bool,
    /// Friction of the ground that the controller assumes. A larger value expects more yaw rate and acts later.
    #[param(default = 0.9, above = 0.0, range = ..=2.0, unit = "1")]
    friction: f64,
    /// Speed at which the yaw rate per steering angle is largest. A larger value expects a car that understeers less.
    #[param(default = 25.0, above = 0.0, unit = "m/s")]
    characteristic_speed: f64,
    /// Deviation of the yaw rate at which the controller begins to act. A larger value acts later.
    #[param(default = 3.0, range = 0.0.., unit = "deg/s", scale = math::DEG)]
    yaw_rate_band: f64,
    /// Yaw moment per deviation of the yaw rate. A larger value acts more strongly.
    #[param(default = 40000.0, range = 0.0.., unit = "N·m·s/rad")]
    yaw_rate_gain: f64,
    /// Yaw moment per side-slip angle beyond its limit. A larger value keeps the car from sliding sideways.
    #[param(default = 60000.0, range = 0.0.., unit = "N·m/rad")]
    sideslip_gain: f64,
    /// Largest torque of the brake of a wheel. A larger value acts more strongly.
    #[param(default = 2000.0, range = 0.0.., unit = "N·m", scaling = Scaling::WHEEL_TORQUE)]
    max_torque: f64,
    /// Speed below which the controller does not act.
    #[param(default = 5.0, range = 0.0.., unit = "m/s")]
    least_speed: f64,
}

/// Lengths of the car, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChassisSize {
    /// Wheelbase.
    pub wheelbase: f64,
    /// Track.
    pub track: f64,
    /// Radius of the wheels.
    pub radius: f64,
}

/// What the stability control demands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StabilityDemand {
    /// Expected yaw rate, rad/s.
    pub expected: f64,
    /// Yaw moment, positive counter-clockwise, N·m.
    pub moment: f64,
    /// Torque of the brake of each wheel, N·m.
    pub brakes: Wheels4,
}

impl Stability {
    /// Returns what the controller demands at a velocity (forward, leftward, m/s, and yaw rate, rad/s) and a steering angle,
    /// rad.
    pub fn demand(
        &self,
        [vx, vy, omega]: [f64; 3],
        steer: f64,
        chassis: &ChassisSize,
    ) -> StabilityDemand {
        let expected = self.expected_yaw_rate(vx, steer, chassis.wheelbase);
        if !self.enabled || vx < self.least_speed {
            return StabilityDemand { expected, ..StabilityDemand::default() };
        }
        let yaw = beyond(omega - expected, self.yaw_rate_band);
        let most = math::atan(SIDESLIP_PER_ACCELERATION * self.friction * GRAVITY);
        let sideslip = beyond(math::atan2(vy, vx), most);
        // a nose that points into the curve, β < 0 in a left curve, asks for a moment out of it
        let moment = -self.yaw_rate_gain * yaw + self.sideslip_gain * sideslip;
        StabilityDemand { expected, moment, brakes: self.brakes(moment, expected, omega, chassis) }
    }

    fn expected_yaw_rate(&self, vx: f64, steer: f64, wheelbase: f64) -> f64 {
        let part = vx / self.characteristic_speed;
        let steady = vx * math::tan(steer) / (wheelbase.max(0.1) * (1.0 + part * part));
        let most = USED_GRIP * self.friction * GRAVITY / vx.abs().max(1.0);
        steady.clamp(-most, most)
    }

    /// Returns the torques of the brakes for a yaw moment: the front wheel of the side to which the moment turns against
    /// oversteer, the rear wheel against understeer.
    fn brakes(&self, moment: f64, expected: f64, omega: f64, chassis: &ChassisSize) -> Wheels4 {
        let torque = 2.0 * moment.abs() * chassis.radius / chassis.track.max(0.1);
        let torque = torque.min(self.max_torque);
        let is_left = moment > 0.0;
        // a moment in the sense of a yaw rate that the car has not reached helps it to turn
        let is_slow = omega * expected >= 0.0 && expected.abs() > omega.abs();
        let understeers = is_slow && moment * expected > 0.0;
        let wheel = match (understeers, is_left) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        let mut brakes = [0.0; 4];
        brakes[wheel] = torque;
        brakes
    }
}

/// Returns the part of a value beyond a dead band on both sides of 0.
fn beyond(value: f64, band: f64) -> f64 {
    value - value.clamp(-band, band)
}
