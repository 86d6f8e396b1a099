//! The aligning moment.
//!
//! Source: I. J. M. Besselink, A. J. C. Schmeitz and H. B. Pacejka, "An improved Magic Formula/Swift tyre
//! model that can handle inflation pressure changes", Vehicle System Dynamics 48(S1), 2010, equations A47 to
//! A62. Where the book of 2012 differs, their form is used: camber acts on the trail with its sign (A58, A60),
//! and the equivalent slip angles are A54 and A55.

use simhost_sdk::math;

use super::super::curve::{Curve, cos_atan};
use super::{Load, Tyre, away_from_zero, sign};

/// Slip that determines the aligning moment.
struct MomentSlip {
    /// Slip angle, rad.
    alpha: f64,
    /// α*, the measure of the slip angle in the equations.
    star: f64,
    /// α_t, the slip of the pneumatic trail.
    trail: f64,
    /// α_t,eq, which has the same effect as α_t and κ together.
    trail_together: f64,
    /// α_r,eq, the same for the residual moment.
    residual_together: f64,
    /// B C of the lateral force.
    steepness: f64,
}

impl Tyre {
    /// Returns whether there are coefficients of the aligning moment.
    #[inline(always)]
    pub fn has_moment(&self) -> bool {
        let p = &self.coefficients;
        p.qdz1 != 0.0 || p.qdz6 != 0.0 || p.qdz8 != 0.0 || p.ssz1 != 0.0 || p.ssz2 != 0.0
    }

    /// Returns the aligning moment M_z about the upward axis, N·m, at a slip ratio and a slip angle, rad, of a tyre
    /// whose free radius, m, is `radius` unless the coefficients have one.
    pub fn aligning_moment(&self, kappa: f64, alpha: f64, load: &Load, radius: f64) -> f64 {
        if load.f_z <= 0.0 {
            return 0.0;
        }
        let [fx, fy] = self.combined(kappa, alpha, load);
        let (kappa, alpha, ref load) = self.within(kappa, alpha, load);
        let p = &self.coefficients;
        let radius = if p.unloaded_radius > 0.0 { p.unloaded_radius } else { radius };
        let slip = self.moment_slip(kappa, alpha, load);
        let side = if self.is_61() {
            // the lateral force of a tyre without camber (A49)
            let upright = self.lateral(slip.star, &Load { gamma: 0.0, ..*load }).at(slip.star);
            upright * self.weight(self.lateral_weight(slip.star, load).at(kappa))
        } else {
            fy - self.induced(kappa, slip.star, load)
        };
        let gamma = load.gamma * self.camber_scale();
        let of_camber = (p.ssz3 + p.ssz4 * self.load_change(load)) * gamma;
        let arm = radius * p.ls * (p.ssz1 + p.ssz2 * fy / p.fnomin + of_camber);
        let trail = self.pneumatic_trail(&slip, load, radius);
        -trail * side + self.residual_moment(&slip, load, radius) + arm * fx
    }

    /// Returns γ* with the scale of the aligning moment.
    fn moment_camber(&self, load: &Load) -> f64 {
        self.camber(load.gamma) * self.camber_scale()
    }

    fn camber_scale(&self) -> f64 {
        if self.is_61() { 1.0 } else { self.coefficients.lgaz }
    }

    /// Returns the slip of the aligning moment (A50, A51, A54, A55).
    fn moment_slip(&self, kappa: f64, alpha: f64, load: &Load) -> MomentSlip {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let star = self.slip_angle(alpha);
        let lateral = self.lateral(star, load);
        let gamma = self.camber(load.gamma) * p.lgay;
        let stiffness = away_from_zero(self.cornering_stiffness(load, gamma));
        let by_kappa = self.slip_stiffness(load) / stiffness * kappa;
        let together = |alpha: f64| {
            let tan = math::tan(alpha);
            math::atan((tan * tan + by_kappa * by_kappa).sqrt()) * sign(alpha)
        };
        let of_camber = (p.qhz3 + p.qhz4 * df) * self.moment_camber(load);
        let trail = star + p.qhz1 + p.qhz2 * df + of_camber;
        MomentSlip {
            alpha,
            star,
            trail,
            trail_together: together(trail),
            residual_together: together(star + lateral.s_h + lateral.s_v / stiffness),
            steepness: lateral.b * lateral.c,
        }
    }

    /// Returns the pneumatic trail, m (A52, A57 to A61).
    fn pneumatic_trail(&self, slip: &MomentSlip, load: &Load, radius: f64) -> f64 {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let gamma = load.gamma * self.camber_scale();
        let of_camber = 1.0 + p.qbz4 * gamma + p.qbz5 * gamma.abs();
        let b = (p.qbz1 + df * (p.qbz2 + p.qbz3 * df)) * of_camber * self.moment_scale(load);
        let d = load.f_z * radius / p.fnomin
            * (p.qdz1 + p.qdz2 * df)
            * (1.0 - p.ppz1 * dp)
            * (1.0 + gamma * (p.qdz3 + p.qdz4 * gamma))
            * p.ltr;
        let bent = std::f64::consts::FRAC_2_PI * math::atan(b * p.qcz1 * slip.trail);
        let turn = 1.0 + (p.qez4 + p.qez5 * self.moment_camber(load)) * bent;
        let e = self.curvature((p.qez1 + df * (p.qez2 + p.qez3 * df)) * turn);
        let curve = Curve { b, c: p.qcz1, d, e, s_h: 0.0, s_v: 0.0 };
        d * math::cos(curve.angle(slip.trail_together)) * math::cos(slip.alpha)
    }

    /// Returns the residual moment, N·m (A53, A62).
    fn residual_moment(&self, slip: &MomentSlip, load: &Load, radius: f64) -> f64 {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let gamma = self.moment_camber(load);
        let b = p.qbz9 * self.moment_scale(load) + p.qbz10 * slip.steepness;
        let squared = if self.is_61() { (p.qdz10 + p.qdz11 * df) * gamma.abs() } else { 0.0 };
        let of_camber = (p.qdz8 + p.qdz9 * df) * (1.0 + p.ppz2 * dp) + squared;
        let d = (p.qdz6 + p.qdz7 * df) * p.lres + of_camber * gamma * p.lkzc;
        let scale = load.f_z * radius * p.lmuy * load.grip * math::cos(slip.star);
        scale * d * cos_atan(b * slip.residual_together)
    }

    /// Returns the scale of the steepness of trail and residual moment.
    fn moment_scale(&self, load: &Load) -> f64 {
        self.coefficients.lky / (self.coefficients.lmuy * load.grip).max(1e-6)
    }
}
