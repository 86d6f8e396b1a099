//! TMeasy tyres that are part of the equations of the car, for comparisons with models that evaluate their
//! tyres within each step.
//!
//! The friction class `tmeasy` has the same curve. The slips refer to the rolling speed r_e |ω| of the
//! effective radius r_e, s_x = −(v_x − r_e ω)/v_t and s_y = −tan(α) with v_t = r_e |ω| + 0.01 m/s, and near
//! standstill the force changes to one that grows with the sliding velocity. Source: as for the friction
//! class, in the form of Project Chrono's `ChTMeasyTire`. r_e = k r_0 + (1 − k) R, with the weight k linear
//! in the load.

use simhost_sdk::math;
use simhost_tyres::tmeasy::curve::Direction;

use crate::equations::{Acting, Touch, TyreForce, Tyres};

/// Speed that is added to the rolling speed, m/s.
const SLOW: f64 = 0.01;
/// Largest ratio of the load to the nominal load.
const MOST_LOAD: f64 = 3.5;

/// A TMeasy tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TMeasyTyre {
    /// Nominal load, N.
    pub nominal: f64,
    /// Longitudinal and lateral direction.
    pub directions: [Direction; 2],
    /// Factor of the ground on the friction of the curves.
    pub grip: f64,
    /// Weight of the free radius in the effective radius at the nominal load and at twice the nominal load.
    pub free_weight: [f64; 2],
    /// Rolling resistance coefficient.
    pub rolling: f64,
    /// Velocity of the force near standstill, m/s.
    pub coulomb_speed: f64,
    /// Speeds between which the force of slip replaces the force near standstill, m/s.
    pub blend: [f64; 2],
    /// Free radius, m.
    pub radius: f64,
    /// Moment of inertia of the wheel about its axle, kg·m².
    pub inertia: f64,
}

/// Four tyres.
pub struct TMeasyTyres(pub [TMeasyTyre; 4]);

impl TMeasyTyre {
    /// Returns the effective radius at a load, N, and a loaded radius, m.
    #[inline(always)]
    pub fn effective_radius(&self, load: f64, loaded: f64) -> f64 {
        let [one, two] = self.free_weight;
        let limit = self.nominal * (two - 2.0 * one + 1.0) / (2.0 * (two - one));
        let load = if two > one { load.min(limit) } else { load };
        let weight = one + (two - one) * (load / self.nominal - 1.0);
        weight * self.radius + (1.0 - weight) * loaded
    }

    /// Returns the force along and across a wheel with velocity (x, y), m/s, over the ground, N.
    #[inline(always)]
    fn force(&self, touch: &Touch, steer: f64, spin: f64) -> ([f64; 2], [f64; 2]) {
        let (sin, cos) = math::sin_cos(steer);
        let [vx, vy] = touch.velocity;
        let effective = self.effective_radius(touch.load, touch.radius);
        let rolling = effective * spin.abs() + SLOW;
        let along = cos * vx + sin * vy;
        let sx = -(along - effective * spin) / rolling;
        // −tan(atan2(v_y, v_t) − δ)
        let sy = -(vy * cos - rolling * sin) / (rolling * cos + vy * sin);
        let slip = (sx * sx + sy * sy).sqrt();
        let load = (touch.load / self.nominal).min(MOST_LOAD);
        let [x, y] = self.directions.map(|one| one.at(load, self.nominal).on(self.grip));
        let [cs, sn] =
            if slip > 0.0 { [sx / slip, sy / slip] } else { [std::f64::consts::FRAC_1_SQRT_2; 2] };
        let force = x.combined(&y, cs, sn).force(slip);
        let force = if slip > 0.0 { [force * cs, force * sn] } else { [0.0; 2] };
        let sliding = [along - effective * spin, cos * vy - sin * vx];
        (self.blended(force, sliding, along.abs(), touch.load), [cos, sin])
    }

    #[inline(always)]
    fn blended(&self, force: [f64; 2], sliding: [f64; 2], speed: f64, load: f64) -> [f64; 2] {
        let [begin, end] = self.blend;
        if speed >= end {
            return force;
        }
        let part = ((speed - begin) / (end - begin)).clamp(0.0, 1.0);
        // step of a sine, with continuous slope
        let part = part - math::sin(std::f64::consts::TAU * part) / std::f64::consts::TAU;
        let most = self.grip * load;
        let slow = sliding.map(|speed| most * math::tanh(-2.0 * speed / self.coulomb_speed));
        let size = (slow[0] * slow[0] + slow[1] * slow[1]).sqrt();
        let cut = if size > most { most / size } else { 1.0 };
        [0, 1].map(|axis: usize| part * force[axis] + (1.0 - part) * cut * slow[axis])
    }
}

impl Tyres for TMeasyTyres {
    #[inline(always)]
    fn force(&self, wheel: usize, touch: &Touch, acting: &Acting, spin: f64) -> TyreForce {
        if touch.load <= 0.0 {
            return TyreForce::default();
        }
        let tyre = &self.0[wheel];
        let ([along, across], [cos, sin]) = tyre.force(touch, acting.steer[wheel], spin);
        let rolling = tyre.rolling * touch.load * touch.radius * math::tanh(spin);
        TyreForce {
            fx: cos * along - sin * across,
            fy: sin * along + cos * across,
            aligning: 0.0,
            spin_torque: -along * touch.radius - rolling,
        }
    }

    #[inline(always)]
    fn spin_rate(&self, wheel: usize, spin_torque: f64, acting: &Acting, spin: f64) -> f64 {
        let brake = if spin > 0.0 {
            acting.brake[wheel]
        } else if spin < 0.0 {
            -acting.brake[wheel]
        } else {
            0.0
        };
        (acting.torque[wheel] + spin_torque - brake) / self.0[wheel].inertia
    }
}
