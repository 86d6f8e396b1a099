//! Fiala's tyre: a parabolic pressure over an elastic tread.
//!
//! With U = U_max − (U_max − U_min) min(1, √(κ² + tan²α)), the friction that falls with the slip:
//! F_x = C_s κ up to |κ| = U N/(2 C_s), beyond that ±(U N − (U N)²/(4 |κ| C_s));
//! F_y = −U N (1 − H³) sgn α with H = 1 − C_α |tan α|/(3 U N), beyond tan α = 3 U N/C_α all of U N.
//! The self-aligning moment M_z = U N w (1 − H) H³ is not handed over: the host takes no moment from friction.
//! Source: E. Fiala, "Seitenkräfte am rollenden Luftreifen", VDI-Zeitschrift 96, 1954, in the form of
//! Project Chrono (`ChFialaTire`) and the Adams/Tire manual; defaults are Chrono's HMMWV, measured on ground of 0.8.
//!
//! Corrections to Chrono's: the friction of the ground scales U before the limits of slip are computed (else the
//! lateral force exceeds its own limit on slippery ground), and the resultant stays within U N. Where the two forces would leave
//! that circle they turn towards the direction of the slip. **Limit:** no camber, no load dependence of the stiffness.

#![expect(clippy::approx_constant, reason = "the width of a tyre has nothing to do with 1/π")]

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};

/// Fiala's tyre: a parabolic pressure over an elastic tread.
#[derive(Params)]
pub struct Fiala {
    /// Longitudinal force by slip ratio; more of it and the wheel slips less.
    #[param(default = 193929.0, above = 0.0, unit = "N")]
    c_slip: f64,
    /// Lateral force by slip angle; more of it and the vehicle drifts less.
    #[param(default = 50000.0, above = 0.0, unit = "N/rad")]
    c_alpha: f64,
    /// Friction of a tyre that slides altogether; more of it and a locked wheel brakes harder.
    #[param(default = 0.5568, range = 0.0..=3.0, unit = "1")]
    u_min: f64,
    /// Friction of a tyre that hardly slips; more of it and the tyre grips harder.
    #[param(default = 0.9835, above = 0.0, range = ..=3.0, unit = "1")]
    u_max: f64,
    /// Width of the tread: the lever of the self-aligning moment.
    #[param(default = 0.318, above = 0.0, unit = "m")]
    width: f64,
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.015, range = 0.0..=1.0, unit = "1", key = "C_rr",
            alias = "rolling_resistance")]
    c_rr: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping")]
    c_damping: f64,
    /// Way that the tyre rolls until its force follows a change of slip; 0 for at once.
    #[param(default = 0.0, range = 0.0..=10.0, unit = "m")]
    relaxation_length: f64,
}

impl Fiala {
    /// Friction at a slip, N.
    fn friction(&self, slip: &Slip, load: f64, grip: f64) -> f64 {
        let fall = (self.u_max - self.u_min) * slip.size().min(1.0);
        (self.u_max - fall) * grip * load
    }

    /// What is left of the adhesion, 1 … 0.
    fn adhesion(&self, tan_alpha: f64, friction: f64) -> f64 {
        (1.0 - self.c_alpha * tan_alpha.abs() / (3.0 * friction).max(1e-12)).max(0.0)
    }

    fn longitudinal(&self, kappa: f64, friction: f64) -> f64 {
        let size = kappa.abs();
        if size <= friction / (2.0 * self.c_slip) {
            return self.c_slip * kappa;
        }
        let slid = friction - friction * friction / (4.0 * size * self.c_slip);
        slid.copysign(kappa)
    }

    /// Self-aligning moment, N·m.
    pub fn aligning_moment(&self, slip: &Slip, load: f64, grip: f64) -> f64 {
        let friction = self.friction(slip, load, grip);
        let h = self.adhesion(slip.tan_alpha, friction);
        (friction * self.width * (1.0 - h) * h * h * h).copysign(slip.tan_alpha)
    }
}

/// Turns a force that leaves the circle of `friction`, N, towards the slip, and puts it on the circle.
fn combined([fx, fy]: [f64; 2], slip: &Slip, friction: f64) -> [f64; 2] {
    let size = (fx * fx + fy * fy).sqrt();
    if size <= friction || friction <= 0.0 {
        return [fx, fy];
    }
    // no part is above the friction, so 0 on the circle and 1 where both slide
    let sliding = (size / friction - 1.0) / (std::f64::consts::SQRT_2 - 1.0);
    let along = slip.size();
    let x = (1.0 - sliding) * fx / size + sliding * slip.kappa / along;
    let y = (1.0 - sliding) * fy / size - sliding * slip.tan_alpha / along;
    let length = (x * x + y * y).sqrt().max(1e-12);
    [friction * x / length, friction * y / length]
}

impl SteadyTyre for Fiala {
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let friction = self.friction(slip, load, grip);
        let h = self.adhesion(slip.tan_alpha, friction);
        let fy = -(friction * (1.0 - h * h * h)).copysign(slip.tan_alpha);
        combined([self.longitudinal(slip.kappa, friction), fy], slip, friction)
    }

    fn peak(&self, load: f64, grip: f64) -> f64 {
        self.u_max * grip * load
    }

    fn mu(&self) -> f64 {
        self.u_max
    }

    fn carcass(&self) -> Carcass {
        let Self { c_rr, c_damping, relaxation_length, .. } = *self;
        Carcass { c_rr, c_damping, relaxation_length }
    }
}

#[model]
impl Friction for Fiala {
    type State = Lag;

    fn prepare(&mut self) -> Result<(), String> {
        if self.u_min > self.u_max {
            let text = format!("u_min, {}, must not be above u_max, {}", self.u_min, self.u_max);
            return Err(text);
        }
        Ok(())
    }

    fn force(&self, wheel: &Wheel, step: &Step, lag: &mut Lag) -> Force {
        steady::force(self, wheel, step, lag)
    }
}
