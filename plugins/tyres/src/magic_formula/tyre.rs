//! From coefficients to forces: MF 5.2 (MF2002, PAC2002) and MF 6.1.
//!
//! Equation numbers are those of Pacejka 2012, chapter 4.3.2 (6.1). MF 5.2 has no pressure
//! dependence, a fixed shape factor 2 of the cornering stiffness, and a horizontal shift for camber
//! instead of a camber stiffness. Turn slip is left out: ζ = 1.

use simhost_sdk::math;

use super::coefficients::Coefficients;
use super::curve::{Curve, Weight, cos_atan};

/// Version of the equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// MF 5.2, also called MF2002 and PAC2002.
    #[default]
    Mf52,
    /// MF 6.1.
    Mf61,
}

/// Coefficients and the version of their equations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tyre {
    /// Coefficients of the forces.
    pub coefficients: Coefficients,
    /// Version of the equations.
    pub version: Version,
}

/// Operating conditions of a tyre besides its slip.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Normal load, N.
    pub f_z: f64,
    /// Friction of the ground relative to that of the measurement.
    pub grip: f64,
    /// Camber, rad.
    pub gamma: f64,
}

#[inline(always)]
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

impl Tyre {
    #[inline(always)]
    fn is_61(&self) -> bool {
        self.version == Version::Mf61
    }

    /// Returns 1 if a slip angle to the left causes a force to the right, as in ISO 8855, and −1
    /// for files with the opposite sign of the slip angle.
    #[inline(always)]
    pub fn side(&self) -> f64 {
        if self.coefficients.pky1 > 0.0 { -1.0 } else { 1.0 }
    }

    /// Returns the scaled nominal load, N.
    #[inline(always)]
    pub fn nominal_load(&self) -> f64 {
        self.coefficients.fnomin * self.coefficients.lfzo
    }

    /// Returns df_z (4.E2).
    #[inline(always)]
    fn load_change(&self, load: &Load) -> f64 {
        (load.f_z - self.nominal_load()) / self.nominal_load()
    }

    /// Returns dp_i (4.E2b).
    #[inline(always)]
    fn pressure_change(&self) -> f64 {
        let p = &self.coefficients;
        if !self.is_61() || p.nompres <= 0.0 || p.inflpres <= 0.0 {
            return 0.0;
        }
        (p.inflpres - p.nompres) / p.nompres
    }

    /// Returns the longitudinal friction coefficient (4.E13).
    #[inline(always)]
    fn mu_x(&self, load: &Load) -> f64 {
        let p = &self.coefficients;
        self.mu(load, [p.pdx1, p.pdx2, p.pdx3], [p.ppx3, p.ppx4], p.lgax) * p.lmux * load.grip
    }

    /// Returns the lateral friction coefficient (4.E23).
    #[inline(always)]
    fn mu_y(&self, load: &Load) -> f64 {
        let p = &self.coefficients;
        self.mu(load, [p.pdy1, p.pdy2, p.pdy3], [p.ppy3, p.ppy4], p.lgay) * p.lmuy * load.grip
    }

    /// Returns the friction coefficient of a direction, with its coefficients of load and camber `d`, of pressure `p`,
    /// and the factor of the camber `lg`, on the ground of the measurement.
    #[inline(always)]
    fn mu(&self, load: &Load, d: [f64; 3], p: [f64; 2], lg: f64) -> f64 {
        let (df, dp, gamma) = (self.load_change(load), self.pressure_change(), load.gamma * lg);
        let pressure = 1.0 + dp * (p[0] + p[1] * dp);
        let mu = (d[0] + d[1] * df) * pressure * (1.0 - d[2] * gamma * gamma);
        mu.max(0.0)
    }

    /// Returns the curve of pure F_x over κ (4.E9 to 4.E18).
    #[inline(always)]
    pub fn longitudinal(&self, kappa: f64, load: &Load) -> Curve {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let s_h = (p.phx1 + p.phx2 * df) * p.lhx;
        let c = p.pcx1 * p.lcx;
        let d = self.mu_x(load) * load.f_z;
        let bend = p.pex1 + df * (p.pex2 + p.pex3 * df);
        let e = (bend * (1.0 - p.pex4 * sign(kappa + s_h)) * p.lex).min(1.0);
        let pressure = 1.0 + dp * (p.ppx1 + p.ppx2 * dp);
        let k = load.f_z * (p.pkx1 + p.pkx2 * df) * math::exp(p.pkx3 * df) * p.lkx * pressure;
        let s_v = load.f_z * (p.pvx1 + p.pvx2 * df) * p.lvx * p.lmux * load.grip;
        Curve { b: steepness(k, c, d), c, d, e, s_h, s_v }
    }

    /// Returns the curve of pure F_y over α, rad (4.E19 to 4.E30).
    #[inline(always)]
    pub fn lateral(&self, alpha: f64, load: &Load) -> Curve {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let gamma = load.gamma * p.lgay;
        let k = self.cornering_stiffness(load);
        let of_camber = load.f_z * (p.pvy3 + p.pvy4 * df) * gamma * p.lmuy * load.grip;
        let s_v = load.f_z * (p.pvy1 + p.pvy2 * df) * p.lvy * p.lmuy * load.grip;
        let s_h = (p.phy1 + p.phy2 * df) * p.lhy;
        let (s_h, s_v) = if self.is_61() {
            let of_camber = of_camber * p.lkyc;
            let stiffness = load.f_z * (p.pky6 + p.pky7 * df) * p.lkyc;
            let stiffness = stiffness * (1.0 + p.ppy5 * self.pressure_change());
            (s_h + (stiffness * gamma - of_camber) / away_from_zero(k), s_v + of_camber)
        } else {
            (s_h + p.phy3 * gamma, s_v + of_camber)
        };
        let c = p.pcy1 * p.lcy;
        let d = self.mu_y(load) * load.f_z;
        let of_camber = 1.0 + if self.is_61() { p.pey5 * gamma * gamma } else { 0.0 };
        let side = (p.pey3 + p.pey4 * gamma) * sign(alpha + s_h);
        let e = ((p.pey1 + p.pey2 * df) * (of_camber - side) * p.ley).min(1.0);
        Curve { b: steepness(k, c, d), c, d, e, s_h, s_v }
    }

    /// Returns K_yα (4.E25), N/rad.
    #[inline(always)]
    fn cornering_stiffness(&self, load: &Load) -> f64 {
        let (p, dp) = (&self.coefficients, self.pressure_change());
        let gamma = load.gamma * p.lgay;
        let (shape, at) = if self.is_61() {
            (p.pky4, (p.pky2 + p.pky5 * gamma * gamma) * (1.0 + p.ppy2 * dp))
        } else {
            (2.0, p.pky2)
        };
        let angle = math::atan(load.f_z / (at * self.nominal_load()));
        let camber = 1.0 - p.pky3 * gamma.abs();
        let most = p.pky1 * self.nominal_load() * (1.0 + p.ppy1 * dp);
        most * math::sin(shape * angle) * camber * p.lky
    }

    /// Returns G_xα (4.E51 to 4.E57), the factor on F_x due to α, rad.
    #[inline(always)]
    pub fn longitudinal_weight(&self, kappa: f64, load: &Load) -> Weight {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let of_camber = if self.is_61() { p.rbx3 * load.gamma * load.gamma } else { 0.0 };
        Weight {
            b: (p.rbx1 + of_camber) * cos_atan(p.rbx2 * kappa) * p.lxal,
            c: p.rcx1,
            e: (p.rex1 + p.rex2 * df).min(1.0),
            s_h: p.rhx1,
        }
    }

    /// Returns G_yκ (4.E58 to 4.E65), the factor on F_y due to κ.
    #[inline(always)]
    pub fn lateral_weight(&self, alpha: f64, load: &Load) -> Weight {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let of_camber = if self.is_61() { p.rby4 * load.gamma * load.gamma } else { 0.0 };
        Weight {
            b: (p.rby1 + of_camber) * cos_atan(p.rby2 * (alpha - p.rby3)) * p.lyka,
            c: p.rcy1,
            e: (p.rey1 + p.rey2 * df).min(1.0),
            s_h: p.rhy1 + p.rhy2 * df,
        }
    }

    /// Returns S_Vyκ (4.E66, 4.E67), the lateral force due to κ, N.
    #[inline(always)]
    pub fn induced(&self, kappa: f64, alpha: f64, load: &Load) -> f64 {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let most = self.mu_y(load) * load.f_z * (p.rvy1 + p.rvy2 * df + p.rvy3 * load.gamma);
        let shape = math::sin(p.rvy5 * math::atan(p.rvy6 * kappa));
        most * cos_atan(p.rvy4 * alpha) * shape * p.lvyka
    }

    /// Returns (F_x, F_y) of combined slip, N.
    #[inline(always)]
    pub fn combined(&self, kappa: f64, alpha: f64, load: &Load) -> [f64; 2] {
        if load.f_z <= 0.0 {
            return [0.0; 2];
        }
        let fx = self.longitudinal(kappa, load).at(kappa)
            * self.longitudinal_weight(kappa, load).at(alpha);
        let fy = self.lateral(alpha, load).at(alpha) * self.lateral_weight(alpha, load).at(kappa);
        [fx, fy + self.induced(kappa, alpha, load)]
    }

    /// Returns whether there are coefficients of the aligning moment.
    #[inline(always)]
    pub fn has_moment(&self) -> bool {
        let p = &self.coefficients;
        p.qdz1 != 0.0 || p.qdz6 != 0.0 || p.qdz8 != 0.0 || p.ssz1 != 0.0 || p.ssz2 != 0.0
    }

    /// Returns the aligning moment M_z under combined slip about the upward axis, N·m (4.E31 to 4.E49, 4.E71
    /// to 4.E78), of a tyre whose free radius, m, is `radius` unless the coefficients have one.
    pub fn aligning_moment(&self, kappa: f64, alpha: f64, load: &Load, radius: f64) -> f64 {
        if load.f_z <= 0.0 {
            return 0.0;
        }
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let (is_61, gamma) = (self.is_61(), load.gamma);
        let radius = if p.unloaded_radius > 0.0 { p.unloaded_radius } else { radius };
        let (lateral, [fx, fy]) = (self.lateral(alpha, load), self.combined(kappa, alpha, load));
        let stiffness = away_from_zero(self.cornering_stiffness(load));
        let kx = load.f_z * (p.pkx1 + p.pkx2 * df) * math::exp(p.pkx3 * df) * p.lkx;
        // slip that has the same effect as α and κ together
        let by_kappa = kx / stiffness * kappa;
        let equivalent = |alpha: f64| {
            let tan = math::tan(alpha);
            math::atan((tan * tan + by_kappa * by_kappa).sqrt()) * sign(alpha)
        };
        let scale = p.lky / (p.lmuy * load.grip).max(1e-6);
        let shift = p.qhz1 + p.qhz2 * df + (p.qhz3 + p.qhz4 * df) * gamma;
        let at = equivalent(alpha + shift);
        let of_camber = if is_61 {
            1.0 + p.qbz5 * gamma.abs() + p.qbz6 * gamma * gamma
        } else {
            1.0 + p.qbz4 * gamma + p.qbz5 * gamma.abs()
        };
        let b = (p.qbz1 + df * (p.qbz2 + p.qbz3 * df)) * of_camber * scale;
        let side = if is_61 { gamma.abs() } else { gamma };
        let d = load.f_z * radius / self.nominal_load()
            * (p.qdz1 + p.qdz2 * df)
            * (1.0 - p.ppz1 * dp)
            * (1.0 + p.qdz3 * side + p.qdz4 * gamma * gamma)
            * p.ltr;
        let bent = std::f64::consts::FRAC_2_PI * math::atan(b * p.qcz1 * at);
        let e = (p.qez1 + df * (p.qez2 + p.qez3 * df)) * (1.0 + (p.qez4 + p.qez5 * gamma) * bent);
        let curve = Curve { b, c: p.qcz1, d, e: e.min(1.0), s_h: 0.0, s_v: 0.0 };
        let cos = math::cos(alpha);
        let trail = d * math::cos(curve.angle(at)) * cos;
        // residual moment
        let s_hf = lateral.s_h + lateral.s_v / stiffness;
        let b_r = p.qbz9 * scale + p.qbz10 * lateral.b * lateral.c;
        let of_camber = (p.qdz8 + p.qdz9 * df) * (1.0 + p.ppz2 * dp) * gamma;
        let squared = (p.qdz10 + p.qdz11 * df) * gamma * gamma.abs();
        let d_r = (p.qdz6 + p.qdz7 * df) * p.lres + of_camber + if is_61 { squared } else { 0.0 };
        let residual = load.f_z
            * radius
            * p.lmuy
            * load.grip
            * d_r
            * cos_atan(b_r * equivalent(alpha + s_hf))
            * cos;
        let arm = radius
            * p.ls
            * (p.ssz1 + p.ssz2 * fy / self.nominal_load() + (p.ssz3 + p.ssz4 * df) * gamma);
        -trail * (fy - self.induced(kappa, alpha, load)) + residual + arm * fx
    }

    /// Returns the effective rolling radius, m, of a tyre of the free radius `radius` (A3.7): that of the
    /// wheel without coefficients for it.
    #[inline(always)]
    pub fn rolling_radius(&self, radius: f64, load: f64) -> f64 {
        let p = &self.coefficients;
        if p.vertical_stiffness <= 0.0 {
            return radius;
        }
        let load = load / p.fnomin;
        let at_low_loads = p.dreff * math::atan(p.breff * load);
        let lower = p.fnomin / p.vertical_stiffness * (at_low_loads + p.freff * load);
        (radius - lower).max(0.5 * radius)
    }

    /// Returns the largest longitudinal or lateral force, N.
    #[inline(always)]
    pub fn peak(&self, load: &Load) -> f64 {
        self.mu_x(load).max(self.mu_y(load)) * load.f_z
    }
}

/// Returns B = K/(C D), or 0 if C D is 0.
#[inline(always)]
fn steepness(k: f64, c: f64, d: f64) -> f64 {
    if c * d == 0.0 { 0.0 } else { k / (c * d) }
}

#[inline(always)]
fn away_from_zero(k: f64) -> f64 {
    if k.abs() < 1e-6 { 1e-6_f64.copysign(k) } else { k }
}
