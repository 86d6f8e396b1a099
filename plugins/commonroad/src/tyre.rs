//! The tyre: Magic Formula for pure and combined slip.
//!
//! Pacejka, *Tire and Vehicle Dynamics*, 2nd edition 2006, §4.3.2, eqs. 4.E9 to 4.E67, without turn
//! slip, without load dependence of the coefficients, and with all scaling factors 1. The sign
//! conventions follow Althoff and Würsching: κ is positive when braking, α is the direction of
//! travel relative to the wheel, rad, and the camber γ has the sign of α. **Limit:** no relaxation
//! length; valid for a wheel that turns.

use simhost_sdk::math;

use crate::defects::Defects;
use crate::parameters::Tyre;

/// Slips and load of a tyre.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Longitudinal slip, positive when braking.
    pub kappa: f64,
    /// Slip angle, rad.
    pub alpha: f64,
    /// Camber, rad.
    pub gamma: f64,
    /// Normal load, N.
    pub f_z: f64,
}

/// Forces of a tyre for pure slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pure {
    /// Force along the wheel, N.
    pub f_x: f64,
    /// Force across the wheel, N.
    pub f_y: f64,
    /// Lateral friction coefficient.
    pub mu_y: f64,
}

/// Returns Bx − E(Bx − atan Bx), the argument of the arc tangent in the Magic Formula.
#[inline(always)]
fn bent(b: f64, e: f64, x: f64) -> f64 {
    let bx = b * x;
    bx - e * (bx - math::atan(bx))
}

/// Returns cos(C atan(…)), the weight of combined slip.
#[inline(always)]
fn weight(b: f64, c: f64, e: f64, x: f64) -> f64 {
    math::cos(c * math::atan(bent(b, e, x)))
}

/// Returns −1, 0 or 1. Unlike with [`f64::signum`], 0 has no sign.
#[inline(always)]
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Returns cos(atan x).
#[inline(always)]
fn cos_atan(x: f64) -> f64 {
    1.0 / (1.0 + x * x).sqrt()
}

/// Returns the forces for pure slip.
#[inline(always)]
pub fn pure(tyre: &Tyre, contact: &Contact, defects: Defects) -> Pure {
    let Contact { kappa, alpha, gamma, f_z } = *contact;
    // longitudinal: the load cancels in B
    let mu_x = tyre.p_dx1 * (1.0 - tyre.p_dx3 * gamma * gamma);
    let b_x = tyre.p_kx1 / (tyre.p_cx1 * mu_x);
    let inner = tyre.p_cx1 * math::atan(bent(b_x, tyre.p_ex1, tyre.p_hx1 - kappa));
    let shift = f_z * tyre.p_vx1;
    let f_x = if defects.shift_in_sine {
        mu_x * f_z * math::sin(inner + shift)
    } else {
        mu_x * f_z * math::sin(inner) + shift
    };
    // lateral: the shifts have the sign of the camber
    let side = sign(gamma);
    let s_h = side * (tyre.p_hy1 + tyre.p_hy3 * gamma.abs());
    let s_v = side * f_z * (tyre.p_vy1 + tyre.p_vy3 * gamma.abs());
    let mu_y = tyre.p_dy1 * (1.0 - tyre.p_dy3 * gamma * gamma);
    let b_y = tyre.p_ky1 / (tyre.p_cy1 * mu_y);
    let inner = tyre.p_cy1 * math::atan(bent(b_y, tyre.p_ey1, alpha + s_h));
    Pure { f_x, f_y: mu_y * f_z * math::sin(inner) + s_v, mu_y }
}

/// Returns the forces along and across the wheel for combined slip, N.
#[inline(always)]
pub fn combined(tyre: &Tyre, contact: &Contact, defects: Defects) -> [f64; 2] {
    let Contact { kappa, alpha, gamma, f_z } = *contact;
    let pure = pure(tyre, contact, defects);
    let b = tyre.r_bx1 * cos_atan(tyre.r_bx2 * kappa);
    let along = |alpha: f64| weight(b, tyre.r_cx1, tyre.r_ex1, alpha);
    let f_x = pure.f_x * along(alpha + tyre.r_hx1) / along(tyre.r_hx1);
    let b = tyre.r_by1 * cos_atan(tyre.r_by2 * (alpha - tyre.r_by3));
    let across = |kappa: f64| weight(b, tyre.r_cy1, tyre.r_ey1, kappa);
    let plysteer =
        pure.mu_y * f_z * (tyre.r_vy1 + tyre.r_vy3 * gamma) * cos_atan(tyre.r_vy4 * alpha);
    let shift = plysteer * math::sin(tyre.r_vy5 * math::atan(tyre.r_vy6 * kappa));
    [f_x, pure.f_y * across(kappa + tyre.r_hy1) / across(tyre.r_hy1) + shift]
}
