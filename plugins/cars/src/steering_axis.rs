//! Moments of the ground about the kingpins of the front wheels.
//!
//! The kingpin of a wheel leans to the rear by the caster angle τ and inboard by the inclination σ: its direction is
//! e = (−tan τ, ∓tan σ, 1)/|…| in the frame of the body, with the upper sign on the left. It meets the ground by the trail n
//! ahead of the contact point and by the scrub radius r inboard of it, in the frame of the wheel. With the force F of the
//! ground and the aligning moment M_z of the tyre, the moment about it is e · (p × F + (0, 0, M_z)) for the lever
//! p = (−n, ±r, 0), turned by the steering angle. Source: W. F. Milliken and D. L. Milliken, *Race Car Vehicle Dynamics*,
//! 1995, chapter 19.

use simhost_sdk::math;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

/// Kingpins of the front wheels.
#[derive(Clone, Debug, Params)]
pub struct SteeringAxis {
    /// Caster angle, positive with the top to the rear. A suspension of the front axle with a caster angle adds its own.
    #[param(default = 0.0, range = -30.0..=30.0, unit = "deg", scale = math::DEG)]
    caster: f64,
    /// Inclination, positive with the top inboard. A larger value returns the wheels at rest.
    #[param(default = 0.0, range = -30.0..=30.0, unit = "deg", scale = math::DEG)]
    inclination: f64,
    /// Distance by which the axis meets the ground ahead of the contact point. Without it, the distance of the caster angle for an
    /// axis through the wheel centre. A larger value makes the steering heavier.
    #[param(unit = "m", scaling = Scaling::LENGTH)]
    trail: Option<f64>,
    /// Distance by which the axis meets the ground inboard of the contact point. A larger value makes brake forces felt.
    #[param(default = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    scrub_radius: f64,
}

/// Force of the ground on a wheel, frame of the vehicle, N, and aligning moment of its tyre, N·m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundForce {
    /// Force, N.
    pub force: [f64; 3],
    /// Moment about the vertical axis, positive counter-clockwise, N·m.
    pub aligning: f64,
}

impl SteeringAxis {
    /// Creates an axis from caster angle and inclination, rad, trail and scrub radius, m.
    pub const fn new(
        [caster, inclination]: [f64; 2],
        trail: Option<f64>,
        scrub_radius: f64,
    ) -> Self {
        Self { caster, inclination, trail, scrub_radius }
    }

    /// Returns the moment about the kingpin of a wheel, N·m, positive counter-clockwise. `side` is 1 on the left and −1 on
    /// the right, `caster` the caster angle of the suspension, rad, `radius` the loaded radius, m, and `steer` the steering
    /// angle, rad.
    #[inline(always)]
    pub fn moment(&self, ground: &GroundForce, [side, caster, radius, steer]: [f64; 4]) -> f64 {
        let lean = math::tan(self.caster + caster);
        let axis = Vec3::new(-lean, -side * math::tan(self.inclination), 1.0).unit();
        let (trail, scrub) = (self.trail.unwrap_or(radius * lean), side * self.scrub_radius);
        let (sin, cos) = math::sin_cos(steer);
        let lever = Vec3::new(-trail * cos - scrub * sin, scrub * cos - trail * sin, 0.0);
        let moment = lever.cross(Vec3::from(ground.force));
        axis.dot(moment + Vec3::new(0.0, 0.0, ground.aligning))
    }
}
