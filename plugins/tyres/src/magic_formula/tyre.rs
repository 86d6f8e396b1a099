//! From coefficients to forces: MF 5.2 (MF2002, PAC2002) and MF 6.1.
//!
//! Equation numbers are those of Pacejka 2012, chapter 4.3.2 (6.1). MF 5.2 has no pressure
//! dependence, a fixed shape factor 2 of the cornering stiffness, and a horizontal shift for camber
//! instead of a camber stiffness. Turn slip is left out: ζ = 1.

mod moment;

use simhost_sdk::{Choice, math};

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

/// Limits of the equations.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limits {
    /// None: the equations alone, also where they give a force in the direction of the slip.
    #[param(key = "none")]
    Unlimited,
    /// Curvature factors are at most 1, weights of combined slip at least 0, and friction coefficients
    /// at least 0.3 times those at the nominal load.
    #[default]
    #[param(key = "curvature")]
    Curvature,
    /// In addition, slip ratio, slip angle, camber, load and pressure are cut to the ranges in the tyre file.
    #[param(key = "file")]
    File,
}

/// Measure of the slip angle and the camber in the equations.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Angles {
    /// The angles themselves.
    #[default]
    #[param(key = "angle")]
    Angle,
    /// The tangent of the slip angle and the sine of the camber (4.E3, 4.E4).
    #[param(key = "tangent")]
    Tangent,
}

/// Coefficients and the equations in which they are used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tyre {
    /// Coefficients of the forces.
    pub coefficients: Coefficients,
    /// Version of the equations.
    pub version: Version,
    /// Limits of the equations.
    pub limits: Limits,
    /// Measure of the angles.
    pub angles: Angles,
    /// Whether the curve of F_x is moved along κ so that it goes through the origin.
    pub is_centred: bool,
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

/// Smallest friction coefficient, relative to the one at the nominal load.
const LEAST_FRICTION: f64 = 0.3;

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
    /// for files with the opposite sign of the slip angle. The sign of the cornering stiffness at the
    /// nominal load decides.
    pub fn side(&self) -> f64 {
        let nominal = Load { f_z: self.nominal_load(), grip: 1.0, gamma: 0.0 };
        if self.cornering_stiffness(&nominal, 0.0) > 0.0 { -1.0 } else { 1.0 }
    }

    /// Removes the asymmetry of the tyre: the difference between left and right, and the force without slip. The
    /// peaks of driving and braking remain.
    pub fn without_shifts(self) -> Self {
        let coefficients = self.coefficients.without_shifts();
        Self { coefficients, is_centred: true, ..self }
    }

    /// Returns the scaled nominal load, N.
    #[inline(always)]
    pub fn nominal_load(&self) -> f64 {
        self.coefficients.fnomin * self.coefficients.lfzo
    }

    /// Returns the load, N, above which a friction coefficient would be less than 0.3 times the one at the
    /// nominal load; infinite if friction does not decrease with the load.
    pub fn greatest_load(&self) -> f64 {
        let p = &self.coefficients;
        let at = |nominal: f64, by_load: f64| {
            let change = (LEAST_FRICTION - 1.0) * nominal / by_load;
            if change > 0.0 { self.nominal_load() * (1.0 + change) } else { f64::INFINITY }
        };
        at(p.pdx1, p.pdx2).min(at(p.pdy1, p.pdy2))
    }

    /// Returns γ*, the measure of the camber in the equations.
    #[inline(always)]
    fn camber(&self, gamma: f64) -> f64 {
        if self.angles == Angles::Tangent { math::sin(gamma) } else { gamma }
    }

    /// Returns α*, the measure of a slip angle, rad, in the equations.
    #[inline(always)]
    fn slip_angle(&self, alpha: f64) -> f64 {
        if self.angles == Angles::Tangent { math::tan(alpha) } else { alpha }
    }

    /// Returns a curvature factor within its limit.
    #[inline(always)]
    fn curvature(&self, e: f64) -> f64 {
        if self.limits == Limits::Unlimited { e } else { e.min(1.0) }
    }

    /// Returns a weight of combined slip within its limit.
    #[inline(always)]
    fn weight(&self, factor: f64) -> f64 {
        if self.limits == Limits::Unlimited { factor } else { factor.max(0.0) }
    }

    /// Returns slip ratio, slip angle, rad, and load within the ranges of the file where these are limits.
    #[inline(always)]
    fn within(&self, kappa: f64, alpha: f64, load: &Load) -> (f64, f64, Load) {
        let p = &self.coefficients;
        if self.limits != Limits::File {
            return (kappa, alpha, *load);
        }
        let f_z = load.f_z.min(p.fzmax);
        let gamma = load.gamma.max(p.cammin).min(p.cammax);
        let alpha = alpha.max(p.alpmin).min(p.alpmax);
        (kappa.max(p.kpumin).min(p.kpumax), alpha, Load { f_z, gamma, ..*load })
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
        let inflpres = match self.limits {
            Limits::File => p.inflpres.max(p.presmin).min(p.presmax),
            _ => p.inflpres,
        };
        (inflpres - p.nompres) / p.nompres
    }

    /// Returns the longitudinal friction coefficient (4.E13).
    #[inline(always)]
    fn mu_x(&self, load: &Load) -> f64 {
        let p = &self.coefficients;
        let gamma = load.gamma * p.lgax;
        self.mu(load, [p.pdx1, p.pdx2, p.pdx3], [p.ppx3, p.ppx4], gamma) * p.lmux * load.grip
    }

    /// Returns the lateral friction coefficient (4.E23) at a scaled camber.
    #[inline(always)]
    fn mu_y(&self, load: &Load, gamma: f64) -> f64 {
        let p = &self.coefficients;
        self.mu(load, [p.pdy1, p.pdy2, p.pdy3], [p.ppy3, p.ppy4], gamma) * p.lmuy * load.grip
    }

    /// Returns the friction coefficient of a direction, with its coefficients of load and camber `d` and of
    /// pressure `p`, at a scaled camber on the ground of the measurement.
    #[inline(always)]
    fn mu(&self, load: &Load, d: [f64; 3], p: [f64; 2], gamma: f64) -> f64 {
        let (df, dp) = (self.load_change(load), self.pressure_change());
        let pressure = 1.0 + dp * (p[0] + p[1] * dp);
        let mu = (d[0] + d[1] * df) * pressure * (1.0 - d[2] * gamma * gamma);
        if self.limits == Limits::Unlimited { mu } else { mu.max(LEAST_FRICTION * d[0]) }
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
        let d = self.mu_x(load) * load.f_z;
        let b = steepness(self.slip_stiffness(load), c, d);
        let s_v = load.f_z * (p.pvx1 + p.pvx2 * df) * p.lvx * p.lmux * load.grip;
        let bend = (p.pex1 + df * (p.pex2 + p.pex3 * df)) * p.lex;
        let bent = |side: f64| self.curvature(bend * (1.0 - p.pex4 * side));
        let s_h = if self.is_centred {
            let centred = Curve { b, c, d, e: bent(-sign(s_v)), s_h: 0.0, s_v };
            centred.through_origin()
        } else {
            (p.phx1 + p.phx2 * df) * p.lhx
        };
        Curve { b, c, d, e: bent(sign(kappa + s_h)), s_h, s_v }
    }

    /// Returns the curve of pure F_y over α* (4.E19 to 4.E30).
    #[inline(always)]
    pub fn lateral(&self, alpha: f64, load: &Load) -> Curve {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let gamma = self.camber(load.gamma) * p.lgay;
        let k = self.cornering_stiffness(load, gamma);
        let of_camber = load.f_z * (p.pvy3 + p.pvy4 * df) * gamma * p.lkyc * p.lmuy * load.grip;
        let s_v = load.f_z * (p.pvy1 + p.pvy2 * df) * p.lvy * p.lmuy * load.grip;
        let s_h = (p.phy1 + p.phy2 * df) * p.lhy;
        let s_h = if self.is_61() {
            let stiffness = load.f_z * (p.pky6 + p.pky7 * df) * p.lkyc;
            let stiffness = stiffness * (1.0 + p.ppy5 * self.pressure_change());
            s_h + (stiffness * gamma - of_camber) / away_from_zero(k)
        } else {
            s_h + p.phy3 * gamma * p.lkyc
        };
        let c = p.pcy1 * p.lcy;
        let d = self.mu_y(load, gamma) * load.f_z;
        let bend = 1.0 + if self.is_61() { p.pey5 * gamma * gamma } else { 0.0 };
        let side = (p.pey3 + p.pey4 * gamma) * sign(alpha + s_h);
        let e = self.curvature((p.pey1 + p.pey2 * df) * (bend - side) * p.ley);
        Curve { b: steepness(k, c, d), c, d, e, s_h, s_v: s_v + of_camber }
    }

    /// Returns K_yα (4.E25), N/rad, at a scaled camber.
    #[inline(always)]
    fn cornering_stiffness(&self, load: &Load, gamma: f64) -> f64 {
        let (p, dp) = (&self.coefficients, self.pressure_change());
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

    /// Returns G_xα (4.E51 to 4.E57), the factor on F_x due to α*.
    #[inline(always)]
    pub fn longitudinal_weight(&self, kappa: f64, load: &Load) -> Weight {
        let (p, df, gamma) = (&self.coefficients, self.load_change(load), self.camber(load.gamma));
        let of_camber = if self.is_61() { p.rbx3 * gamma * gamma } else { 0.0 };
        Weight {
            b: (p.rbx1 + of_camber) * cos_atan(p.rbx2 * kappa) * p.lxal,
            c: p.rcx1,
            e: self.curvature(p.rex1 + p.rex2 * df),
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
        most * cos_atan(p.rvy4 * alpha) * shape * p.lvyka
    }

    /// Returns (F_x, F_y) at a slip ratio and a slip angle, rad, N.
    #[inline(always)]
    pub fn combined(&self, kappa: f64, alpha: f64, load: &Load) -> [f64; 2] {
        if load.f_z <= 0.0 {
            return [0.0; 2];
        }
        let (kappa, alpha, ref load) = self.within(kappa, alpha, load);
        let alpha = self.slip_angle(alpha);
        let along = self.weight(self.longitudinal_weight(kappa, load).at(alpha));
        let across = self.weight(self.lateral_weight(alpha, load).at(kappa));
        let fx = self.longitudinal(kappa, load).at(kappa) * along;
        let fy = self.lateral(alpha, load).at(alpha) * across;
        [fx, fy + self.induced(kappa, alpha, load)]
    }

    /// Returns the effective rolling radius, m, of a tyre of the free radius `radius` under a load, N, at a spin,
    /// rad/s (A3.1, A3.7): that of the wheel without coefficients for it.
    #[inline(always)]
    pub fn rolling_radius(&self, radius: f64, load: f64, spin: f64) -> f64 {
        let p = &self.coefficients;
        if p.vertical_stiffness <= 0.0 {
            return radius;
        }
        let speed = spin * radius / p.longvl;
        let rolling = radius * (p.q_re0 + p.q_v1 * speed * speed);
        let load = load / p.fnomin;
        let at_low_loads = p.dreff * math::atan(p.breff * load);
        let stiffness = p.vertical_stiffness * (1.0 + p.pfz1 * self.pressure_change());
        let lower = p.fnomin / stiffness * (at_low_loads + p.freff * load);
        (rolling - lower).max(0.5 * radius).min(2.0 * radius)
    }

    /// Returns the largest longitudinal or lateral force of pure slip, N.
    #[inline(always)]
    pub fn peak(&self, load: &Load) -> f64 {
        let (_, _, ref load) = self.within(0.0, 0.0, load);
        let gamma = self.camber(load.gamma) * self.coefficients.lgay;
        self.mu_x(load).max(self.mu_y(load, gamma)) * load.f_z
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
