//! The aligning moment.
//!
//! Source: I. J. M. Besselink, A. J. C. Schmeitz and H. B. Pacejka, "An improved Magic
//! Formula/Swift tyre model that can handle inflation pressure changes", Vehicle System Dynamics
//! 48(S1), 2010, equations A47 to A62. Where the book of 2012 differs, their form is used, as in
//! TNO's solver: camber acts on the trail with its sign (A58, A60), and the equivalent slip angles
//! are A54 and A55. [`TyreVariant::Book`] selects 4.E31 to 4.E49 and 4.E71 to 4.E78 instead.
//!
//! [`TyreVariant::Book`]: super::TyreVariant::Book

use simhost_sdk::math;

use super::super::curve::{Curve, cos_atan};
use super::turn::turned_cosine;
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

/// Parts of the aligning moment M_z = −t F_y' + M_zr + s F_x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aligning {
    /// Pneumatic trail t, m.
    pub trail: f64,
    /// Lateral force behind which the trail is, N.
    pub side: f64,
    /// Residual moment M_zr, N·m.
    pub residual: f64,
    /// Arm s of the longitudinal force, m.
    pub arm: f64,
}

impl Aligning {
    /// Returns the moment about the upward axis with a longitudinal force, N, N·m.
    #[inline(always)]
    pub fn moment(&self, fx: f64) -> f64 {
        -self.trail * self.side + self.residual + self.arm * fx
    }
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
        let [fx, fy] = self.combined(kappa, alpha, load);
        self.aligning(kappa, alpha, fy, load, radius).moment(fx)
    }

    /// Returns the parts of the aligning moment at a slip ratio, a slip angle, rad, and the lateral force, N, of
    /// combined slip there, of a tyre whose free radius, m, is `radius` unless the coefficients have one.
    pub fn aligning(&self, kappa: f64, alpha: f64, fy: f64, load: &Load, radius: f64) -> Aligning {
        let (kappa, alpha, ref load) = self.within(kappa, alpha, load);
        self.aligning_within(kappa, alpha, fy, load, radius)
    }

    /// Returns the parts at a slip ratio, a slip angle and a load within the limits.
    pub(super) fn aligning_within(
        &self,
        kappa: f64,
        alpha: f64,
        fy: f64,
        load: &Load,
        radius: f64,
    ) -> Aligning {
        if load.f_z <= 0.0 || !self.outputs.lateral {
            return Aligning::default();
        }
        let kappa = if self.outputs.combined { kappa } else { 0.0 };
        let p = &self.coefficients;
        let radius = self.free_radius(radius);
        let slip = self.moment_slip(kappa, alpha, load);
        let upright = Load { gamma: 0.0, ..*load };
        let weighted = if self.is_book() { &upright } else { load };
        let weight = self.lateral_part(kappa, slip.star, weighted);
        let side = if self.is_61() {
            // the lateral force of a tyre without camber (A49)
            self.lateral(slip.star, &upright).at(slip.star) * weight
        } else {
            fy - self.induced(kappa, slip.star, load)
        };
        let gamma = load.gamma * self.camber_scale();
        let of_camber = (p.ssz3 + p.ssz4 * self.load_change(load)) * gamma;
        let nominal = if self.is_book() { self.nominal_load() } else { p.fnomin };
        let arm = radius * p.ls * (p.ssz1 + p.ssz2 * fy / nominal + of_camber);
        Aligning {
            trail: self.pneumatic_trail(&slip, load, radius),
            side,
            residual: self.residual_moment(&slip, load, radius, weight),
            arm: if self.outputs.combined { arm } else { 0.0 },
        }
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
        let stiffness = self.cornering_stiffness(load, self.lateral_camber(load));
        let stiffness = away_from_zero(stiffness);
        let by_kappa = self.slip_stiffness(load) / stiffness * kappa;
        let together = |alpha: f64| {
            if self.is_book() {
                return (alpha * alpha + by_kappa * by_kappa).sqrt() * sign(alpha);
            }
            let tan = math::tan(alpha);
            math::atan((tan * tan + by_kappa * by_kappa).sqrt()) * sign(alpha)
        };
        let of_camber = (p.qhz3 + p.qhz4 * df) * self.moment_camber(load);
        let trail = star + p.qhz1 + p.qhz2 * df + of_camber;
        let residual = star + lateral.s_h + lateral.s_v / stiffness;
        MomentSlip {
            alpha,
            star,
            trail,
            trail_together: together(trail),
            residual_together: together(residual),
            steepness: lateral.b * lateral.c,
        }
    }

    /// Returns the factors of the camber on the steepness of the trail, and on its size (A58, A60; 4.E40, 4.E43).
    fn trail_camber(&self, gamma: f64) -> [f64; 2] {
        let p = &self.coefficients;
        let size = gamma.abs();
        if self.is_book() {
            let steeper = 1.0 + p.qbz5 * size + p.qbz6 * gamma * gamma;
            return [steeper, 1.0 + size * p.qdz3 + p.qdz4 * gamma * gamma];
        }
        [1.0 + p.qbz4 * gamma + p.qbz5 * size, 1.0 + gamma * (p.qdz3 + p.qdz4 * gamma)]
    }

    /// Returns the pneumatic trail, m (A52, A57 to A61).
    fn pneumatic_trail(&self, slip: &MomentSlip, load: &Load, radius: f64) -> f64 {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let [steeper, longer] = self.trail_camber(load.gamma * self.camber_scale());
        let b = (p.qbz1 + df * (p.qbz2 + p.qbz3 * df)) * steeper * self.moment_scale(load);
        let nominal = if self.is_book() { self.nominal_load() } else { p.fnomin };
        let d = load.f_z * radius / nominal
            * (p.qdz1 + p.qdz2 * df)
            * (1.0 - p.ppz1 * dp)
            * longer
            * p.ltr;
        let d = if load.turn.acts { d * cos_atan(p.qdtp1 * radius * load.turn.spin) } else { d };
        let bent = std::f64::consts::FRAC_2_PI * math::atan(b * p.qcz1 * slip.trail);
        let turn = 1.0 + (p.qez4 + p.qez5 * self.moment_camber(load)) * bent;
        let e = self.curvature((p.qez1 + df * (p.qez2 + p.qez3 * df)) * turn);
        let curve = Curve { b, c: p.qcz1, d, e, s_h: 0.0, s_v: 0.0 };
        d * math::cos(curve.angle(slip.trail_together)) * math::cos(slip.alpha)
    }

    /// Returns the residual moment, N·m (A53, A62), with the factor G_yκ.
    fn residual_moment(&self, slip: &MomentSlip, load: &Load, radius: f64, weight: f64) -> f64 {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let gamma = self.moment_camber(load);
        let b = p.qbz9 * self.moment_scale(load) + p.qbz10 * slip.steepness;
        let squared = if self.is_61() { (p.qdz10 + p.qdz11 * df) * gamma.abs() } else { 0.0 };
        let of_camber = (p.qdz8 + p.qdz9 * df) * (1.0 + p.ppz2 * dp) + squared;
        let of_camber = if load.turn.acts { 0.0 } else { of_camber * gamma * p.lkzc };
        let d = (p.qdz6 + p.qdz7 * df) * p.lres * load.turn.lateral + of_camber;
        let across = math::cos(if self.is_book() { slip.alpha } else { slip.star });
        let d = load.f_z * radius * p.lmuy * load.grip * across * d;
        if !load.turn.acts {
            return d * cos_atan(b * slip.residual_together);
        }
        let b = b * cos_atan(p.qbrp1 * radius * load.turn.spin);
        let [of_turn, left] = self.turn_moments(load, radius, weight);
        let ratio = left / of_turn.abs().max(1e-300);
        let angle = math::atan(b * slip.residual_together);
        (d + of_turn) * turned_cosine(ratio, angle, self.is_book())
    }

    /// Returns the scale of the steepness of trail and residual moment.
    fn moment_scale(&self, load: &Load) -> f64 {
        self.coefficients.lky / (self.coefficients.lmuy * load.grip).max(1e-6)
    }
}
