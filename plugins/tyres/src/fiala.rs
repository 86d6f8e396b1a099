//! Fiala's tyre: a parabolic pressure distribution over an elastic tread.
//!
//! With the friction U = U_max − (U_max − U_min) min(1, √(κ² + tan²α)), which falls with the slip:
//! F_x = C_s κ up to |κ| = U N/(2 C_s), and beyond that ±(U N − (U N)²/(4 |κ| C_s)); F_y = −U N (1
//! − H³) sgn α with H = 1 − C_α |tan α|/(3 U N), and −U N sgn α beyond tan α = 3 U N/C_α. The
//! self-aligning moment M_z = U N w (1 − H) H³ is not an output, because the host takes no moment
//! from friction. Source: E. Fiala, "Seitenkräfte am rollenden Luftreifen", VDI-Zeitschrift 96,
//! 1954, in the form of Project Chrono (`ChFialaTire`) and the Adams/Tire manual. The defaults are
//! Chrono's HMMWV, measured on ground with a friction coefficient of 0.8.
//!
//! Corrections of Chrono's version: the friction of the ground scales U before the limits of slip
//! are computed (otherwise the lateral force exceeds its own limit on slippery ground), and the
//! resultant stays within U N. Where the two forces would leave that circle, they turn towards the
//! direction of the slip. **Limit:** no camber, no load dependence of the stiffness.

#![expect(clippy::approx_constant, reason = "the width of a tyre has nothing to do with 1/π")]

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};

/// Fiala's tyre: a parabolic pressure distribution over an elastic tread.
#[derive(Params)]
pub struct Fiala {
    /// Longitudinal force per slip ratio. A larger value makes the wheel slip less.
    #[param(default = 193929.0, above = 0.0, unit = "N", per_lane, scaling = Scaling::FORCE)]
    c_slip: f64,
    /// Lateral force per slip angle. A larger value makes the vehicle drift less.
    #[param(default = 50000.0, above = 0.0, unit = "N/rad", per_lane, scaling = Scaling::FORCE)]
    c_alpha: f64,
    /// Friction coefficient at full sliding. A larger value makes a locked wheel brake harder.
    #[param(default = 0.5568, range = 0.0..=3.0, unit = "1", per_lane)]
    u_min: f64,
    /// Friction coefficient at small slip. A larger value gives the tyre more grip.
    #[param(default = 0.9835, above = 0.0, range = ..=3.0, unit = "1", per_lane)]
    u_max: f64,
    /// Width of the tread, the lever arm of the self-aligning moment. It has no effect on the
    /// force.
    #[param(default = 0.318, above = 0.0, unit = "m", per_lane, scaling = Scaling::LENGTH)]
    width: f64,
    /// The properties in addition to the slip curve.
    #[param(flatten, per_lane)]
    carcass: Carcass,
}

impl Fiala {
    /// Returns the friction at a slip, N.
    #[inline(always)]
    fn friction(&self, slip: &Slip, load: f64, grip: f64) -> f64 {
        let fall = (self.u_max - self.u_min) * slip.size().min(1.0);
        (self.u_max - fall) * grip * load
    }

    /// Returns the remaining adhesion, from 1 to 0.
    #[inline(always)]
    fn adhesion(&self, tan_alpha: f64, friction: f64) -> f64 {
        (1.0 - self.c_alpha * tan_alpha.abs() / (3.0 * friction).max(1e-12)).max(0.0)
    }

    #[inline(always)]
    fn longitudinal(&self, kappa: f64, friction: f64) -> f64 {
        let size = kappa.abs();
        if size <= friction / (2.0 * self.c_slip) {
            return self.c_slip * kappa;
        }
        let slid = friction - friction * friction / (4.0 * size * self.c_slip);
        slid.copysign(kappa)
    }

    /// Returns the self-aligning moment, N·m.
    #[inline(always)]
    pub fn aligning_moment(&self, slip: &Slip, load: f64, grip: f64) -> f64 {
        let friction = self.friction(slip, load, grip);
        let h = self.adhesion(slip.tan_alpha, friction);
        (friction * self.width * (1.0 - h) * h * h * h).copysign(slip.tan_alpha)
    }
}

/// Turns a force outside the circle of radius `friction`, N, towards the slip, and scales it onto
/// the circle.
#[inline(always)]
fn combined([fx, fy]: [f64; 2], slip: &Slip, friction: f64) -> [f64; 2] {
    let size = (fx * fx + fy * fy).sqrt();
    if size <= friction || friction <= 0.0 {
        return [fx, fy];
    }
    // no component exceeds the friction, so this is 0 on the circle and 1 where both slide
    let sliding = (size / friction - 1.0) / (std::f64::consts::SQRT_2 - 1.0);
    let along = slip.size();
    let x = (1.0 - sliding) * fx / size + sliding * slip.kappa / along;
    let y = (1.0 - sliding) * fy / size - sliding * slip.tan_alpha / along;
    let length = (x * x + y * y).sqrt().max(1e-12);
    [friction * x / length, friction * y / length]
}

impl SteadyTyre for Fiala {
    #[inline(always)]
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let friction = self.friction(slip, load, grip);
        let h = self.adhesion(slip.tan_alpha, friction);
        let fy = -(friction * (1.0 - h * h * h)).copysign(slip.tan_alpha);
        combined([self.longitudinal(slip.kappa, friction), fy], slip, friction)
    }

    #[inline(always)]
    fn mu(&self) -> f64 {
        self.u_max
    }

    #[inline(always)]
    fn carcass(&self) -> Carcass {
        self.carcass
    }
}

crate::steady_friction! { Fiala,
    fn prepare(&mut self) -> Result<(), String> {
        if self.u_min > self.u_max {
            let text = format!("u_min is {}, expected at most u_max, {}", self.u_min, self.u_max);
            return Err(text);
        }
        Ok(())
    }
}
