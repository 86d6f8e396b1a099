//! Longitudinal and lateral force (4.E9 to 4.E67).

use simhost_sdk::math;

use super::super::curve::{Curve, Weight, cos_atan};
use super::{LEAST_FRICTION, Load, Tyre, away_from_zero, sign};

/// A_μ of the book (4.E8): how much less a low friction reduces vertical shifts than peaks.
const DIGRESSION: f64 = 10.0;

/// Returns B = K/(C D), or 0 if C D is 0.
#[inline(always)]
fn steepness(k: f64, c: f64, d: f64) -> f64 {
    if c * d == 0.0 { 0.0 } else { k / (c * d) }
}

impl Tyre {
    /// Returns the longitudinal friction coefficient (4.E13).
    #[inline(always)]
    pub fn mu_x(&self, load: &Load) -> f64 {
        let p = &self.coefficients;
        let gamma = load.gamma * p.lgax;
        self.mu(load, [p.pdx1, p.pdx2, p.pdx3], [p.ppx3, p.ppx4], gamma) * p.lmux * load.grip
    }

    /// Returns the lateral friction coefficient (4.E23) at a scaled camber.
    #[inline(always)]
    pub(super) fn mu_y(&self, load: &Load, gamma: f64) -> f64 {
        let p = &self.coefficients;
        self.mu(load, [p.pdy1, p.pdy2, p.pdy3], [p.ppy3, p.ppy4], gamma) * p.lmuy * load.grip
    }

    /// Returns the lateral friction coefficient (4.E23).
    pub fn lateral_friction(&self, load: &Load) -> f64 {
        self.mu_y(load, self.lateral_camber(load))
    }

    /// Returns γ* with the scale of the lateral force.
    #[inline(always)]
    pub(super) fn lateral_camber(&self, load: &Load) -> f64 {
        self.camber(load.gamma) * self.coefficients.lgay
    }

    /// Returns the friction coefficient of a direction, with its coefficients of load and camber `d` and of
    /// pressure `p`, at a scaled camber on the ground of the measurement.
    #[inline(always)]
    fn mu(&self, load: &Load, d: [f64; 3], p: [f64; 2], gamma: f64) -> f64 {
        let (df, dp) = (self.load_change(load), self.pressure_change());
        let pressure = 1.0 + dp * (p[0] + p[1] * dp);
        let mu = (d[0] + d[1] * df) * pressure * (1.0 - d[2] * gamma * gamma);
        if self.is_bounded() { mu.max(LEAST_FRICTION * d[0]) } else { mu }
    }

    /// Returns the scale of vertical shifts for a scale of the friction (4.E8).
    #[inline(always)]
    fn digressive(&self, scale: f64) -> f64 {
        if self.is_book() { DIGRESSION * scale / (1.0 + (DIGRESSION - 1.0) * scale) } else { scale }
    }

    /// Returns K_xκ (4.E15), N.
    #[inline(always)]
    pub fn slip_stiffness(&self, load: &Load) -> f64 {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let pressure = 1.0 + dp * (p.ppx1 + p.ppx2 * dp);
        load.f_z * (p.pkx1 + p.pkx2 * df) * math::exp(p.pkx3 * df) * p.lkx * pressure
    }

    /// Returns the curve of pure F_x over κ (4.E9 to 4.E18).
    #[inline(always)]
    pub fn longitudinal(&self, kappa: f64, load: &Load) -> Curve {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let c = p.pcx1 * p.lcx;
        let d = self.mu_x(load) * load.f_z * load.turn.longitudinal;
        let b = steepness(self.slip_stiffness(load), c, d);
        let by_friction = self.digressive(p.lmux * load.grip);
        let s_v = load.f_z * (p.pvx1 + p.pvx2 * df) * p.lvx * by_friction;
        let s_v = s_v * load.turn.longitudinal * load.shifts;
        let bend = (p.pex1 + df * (p.pex2 + p.pex3 * df)) * p.lex;
        let bent = |side: f64| self.curvature_x(bend * (1.0 - p.pex4 * side));
        let s_h = if self.is_centred {
            let centred = Curve { b, c, d, e: bent(-sign(s_v)), s_h: 0.0, s_v };
            centred.through_origin()
        } else {
            (p.phx1 + p.phx2 * df) * p.lhx * load.shifts
        };
        Curve { b, c, d, e: bent(sign(kappa + s_h)), s_h, s_v }
    }

    /// Returns the curve of pure F_y over α* (4.E19 to 4.E30).
    #[inline(always)]
    pub fn lateral(&self, alpha: f64, load: &Load) -> Curve {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let gamma = self.lateral_camber(load);
        let k = self.cornering_stiffness(load, gamma);
        let by_friction = self.digressive(p.lmuy * load.grip);
        let of_camber = load.f_z * (p.pvy3 + p.pvy4 * df) * gamma * p.lkyc * by_friction;
        let of_camber = of_camber * load.turn.lateral;
        let s_v = load.f_z * (p.pvy1 + p.pvy2 * df) * p.lvy * by_friction * load.turn.lateral;
        let s_h = self.lateral_shift(k, gamma, of_camber, load) * load.shifts;
        let c = p.pcy1 * p.lcy;
        let d = self.mu_y(load, gamma) * load.f_z * load.turn.lateral;
        let bend = 1.0 + if self.is_61() { p.pey5 * gamma * gamma } else { 0.0 };
        let side = (p.pey3 + p.pey4 * gamma) * sign(alpha + s_h);
        let e = self.curvature((p.pey1 + p.pey2 * df) * (bend - side) * p.ley);
        let s_v = (s_v + of_camber) * load.shifts;
        Curve { b: steepness(k, c, d), c, d, e, s_h, s_v }
    }

    /// Returns S_Hy (4.E27) for K_yα, N/rad, a scaled camber, and S_Vyγ, N.
    #[inline(always)]
    fn lateral_shift(&self, k: f64, gamma: f64, of_camber: f64, load: &Load) -> f64 {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let s_h = (p.phy1 + p.phy2 * df) * p.lhy;
        if !self.is_61() {
            return s_h + p.phy3 * gamma * p.lkyc;
        }
        let stiffness = load.f_z * (p.pky6 + p.pky7 * df) * p.lkyc;
        let stiffness = stiffness * (1.0 + p.ppy5 * self.pressure_change());
        if load.turn.acts {
            // ζ_0 is 0: the camber acts as turn slip
            return s_h - of_camber / away_from_zero(k) + self.turn_shift(stiffness, load);
        }
        s_h + (stiffness * gamma - of_camber) / away_from_zero(k)
    }

    /// Returns K_yα (4.E25), N/rad, at a scaled camber.
    #[inline(always)]
    pub(super) fn cornering_stiffness(&self, load: &Load, gamma: f64) -> f64 {
        let (p, dp) = (&self.coefficients, self.pressure_change());
        let (shape, at) = if self.is_61() {
            (p.pky4, (p.pky2 + p.pky5 * gamma * gamma) * (1.0 + p.ppy2 * dp))
        } else {
            (2.0, p.pky2)
        };
        let angle = math::atan(load.f_z / (at * self.nominal_load()));
        let camber = 1.0 - p.pky3 * gamma.abs();
        let most = p.pky1 * self.nominal_load() * (1.0 + p.ppy1 * dp);
        most * math::sin(shape * angle) * camber * p.lky * load.turn.stiffness
    }

    /// Returns G_xα (4.E51 to 4.E57), the factor on F_x due to α*.
    #[inline(always)]
    pub fn longitudinal_weight(&self, kappa: f64, load: &Load) -> Weight {
        let (p, df, gamma) = (&self.coefficients, self.load_change(load), self.camber(load.gamma));
        let of_camber = if self.is_61() { p.rbx3 * gamma * gamma } else { 0.0 };
        Weight {
            b: (p.rbx1 + of_camber) * cos_atan(p.rbx2 * kappa) * p.lxal,
            c: p.rcx1,
            e: self.curvature_x(p.rex1 + p.rex2 * df),
            s_h: p.rhx1,
        }
    }

    /// Returns G_yκ (4.E58 to 4.E65), the factor on F_y due to κ at α*.
    #[inline(always)]
    pub fn lateral_weight(&self, alpha: f64, load: &Load) -> Weight {
        let (p, df, gamma) = (&self.coefficients, self.load_change(load), self.camber(load.gamma));
        let of_camber = if self.is_61() { p.rby4 * gamma * gamma } else { 0.0 };
        Weight {
            b: (p.rby1 + of_camber) * cos_atan(p.rby2 * (alpha - p.rby3)) * p.lyka,
            c: p.rcy1,
            e: self.curvature(p.rey1 + p.rey2 * df),
            s_h: p.rhy1 + p.rhy2 * df,
        }
    }

    /// Returns S_Vyκ (4.E66, 4.E67), the lateral force due to κ at α*, N.
    #[inline(always)]
    pub fn induced(&self, kappa: f64, alpha: f64, load: &Load) -> f64 {
        let (p, df, gamma) = (&self.coefficients, self.load_change(load), self.camber(load.gamma));
        let mu = self.mu_y(load, gamma * p.lgay);
        let most = mu * load.f_z * (p.rvy1 + p.rvy2 * df + p.rvy3 * gamma);
        let shape = math::sin(p.rvy5 * math::atan(p.rvy6 * kappa));
        let force = most * cos_atan(p.rvy4 * alpha) * shape * p.lvyka;
        let force = force * load.turn.lateral * load.shifts;
        if self.outputs.combined { force } else { 0.0 }
    }

    /// Returns (F_x, F_y) at a slip ratio and a slip angle, rad, N.
    #[inline(always)]
    pub fn combined(&self, kappa: f64, alpha: f64, load: &Load) -> [f64; 2] {
        if load.f_z <= 0.0 {
            return [0.0; 2];
        }
        let (kappa, alpha, ref load) = self.within(kappa, alpha, load);
        self.force(kappa, alpha, load)
    }

    /// Returns the forces at a slip and a load within the limits.
    #[inline(always)]
    pub(super) fn force(&self, kappa: f64, alpha: f64, load: &Load) -> [f64; 2] {
        let alpha = self.slip_angle(alpha);
        let along = self.weight(self.longitudinal_weight(kappa, load).at(alpha));
        let along = if self.outputs.combined { along } else { 1.0 };
        let fx = self.longitudinal(kappa, load).at(kappa) * along;
        let fy = self.lateral(alpha, load).at(alpha) * self.lateral_part(kappa, alpha, load);
        let fy = fy + self.induced(kappa, alpha, load);
        [
            if self.outputs.longitudinal { fx } else { 0.0 },
            if self.outputs.lateral { fy } else { 0.0 },
        ]
    }

    /// Returns G_yκ within its limit at a slip ratio and α*.
    #[inline(always)]
    pub(super) fn lateral_part(&self, kappa: f64, alpha: f64, load: &Load) -> f64 {
        let across = self.weight(self.lateral_weight(alpha, load).at(kappa));
        if self.outputs.combined { across } else { 1.0 }
    }

    /// Returns the largest longitudinal or lateral force of pure slip, N.
    #[inline(always)]
    pub fn peak(&self, load: &Load) -> f64 {
        let (_, _, ref load) = self.within(0.0, 0.0, load);
        let mu = self.mu_x(load).max(self.mu_y(load, self.lateral_camber(load)));
        // without limits, friction can fall below 0 under a great load
        (mu * load.f_z).max(0.0)
    }
}
