//! TurnSlip slip: how the spin of a wheel about the vertical axis changes its forces and moments.
//!
//! The spin φ = −(φ_t + (1 − ε_γ) Ω sin γ/V) of the contact patch (4.76) has a part from the path,
//! φ_t = −ψ̇/V, and a part from the camber. The factors ζ are 4.E76 to 4.E106 of Pacejka 2012. At
//! standstill φ grows without bound, and the moment approaches the moment of a tyre that turns on
//! the spot.
//!
//! TNO's solver has the moment of turn slip over φ_t alone, with another stiffness than the book, and continues
//! ζ_7 analytically where the arc cosine has no real value.

use simhost_sdk::math;

use super::super::curve::cos_atan;
use super::{Load, Tyre, away_from_zero};

/// Smallest speed by which spin is divided, m/s.
const LEAST_SPEED: f64 = 1e-6;
/// Smallest turn slip of the path, 1/m.
const LEAST_PATH: f64 = 1e-9;
/// Largest ratio of the moments whose arc cosine is ζ_7.
const MOST_RATIO: f64 = 1e6;

/// Factors of turn slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnSlip {
    /// Whether there is turn slip.
    pub acts: bool,
    /// φ, 1/m.
    pub spin: f64,
    /// φ_t, 1/m.
    pub path: f64,
    /// Direction of travel, 1 or −1.
    pub ahead: f64,
    /// Free radius of the tyre, m.
    pub radius: f64,
    /// ζ_1, factor on the peak of F_x.
    pub longitudinal: f64,
    /// ζ_2, factor on the peak of F_y.
    pub lateral: f64,
    /// ζ_3, factor on the cornering stiffness.
    pub stiffness: f64,
}

impl TurnSlip {
    /// No turn slip.
    pub const NONE: Self = Self {
        acts: false,
        spin: 0.0,
        path: 0.0,
        ahead: 1.0,
        radius: 0.0,
        longitudinal: 1.0,
        lateral: 1.0,
        stiffness: 1.0,
    };
}

/// Motion of a wheel that determines its turn slip.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurnMotion {
    /// φ_t = −ψ̇/V, 1/m.
    pub path: f64,
    /// Spin of the wheel, rad/s.
    pub spin: f64,
    /// Speed along the wheel, m/s.
    pub vx: f64,
}

impl Tyre {
    /// Returns ε_γ (4.E90), the part of the camber that does not act as turn slip.
    fn camber_reduction(&self, load: &Load) -> f64 {
        let p = &self.coefficients;
        p.pecp1 * (1.0 + p.pecp2 * self.load_change(load))
    }

    /// Returns the factors of turn slip at a slip ratio and a slip angle, rad, of a tyre of the free radius
    /// `radius`, m.
    pub fn turn(
        &self,
        kappa: f64,
        alpha: f64,
        load: &Load,
        motion: &TurnMotion,
        radius: f64,
    ) -> TurnSlip {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let across = motion.vx * math::tan(alpha);
        let speed = (motion.vx * motion.vx + across * across).sqrt().max(LEAST_SPEED);
        let leaning = (1.0 - self.camber_reduction(load)) * motion.spin * math::sin(load.gamma);
        let spin = -(motion.path + leaning / speed);
        let size = radius * spin.abs();
        let b_x = p.pdxp1 * (1.0 + p.pdxp2 * df) * cos_atan(p.pdxp3 * kappa);
        let b_y = p.pdyp1 * (1.0 + p.pdyp2 * df) * cos_atan(p.pdyp3 * math::tan(alpha));
        TurnSlip {
            acts: true,
            spin,
            // the ratio of two moments has a limit where both vanish
            path: motion.path.abs().max(LEAST_PATH).copysign(motion.path),
            ahead: 1.0_f64.copysign(motion.vx),
            radius,
            longitudinal: cos_atan(b_x * size),
            lateral: cos_atan(b_y * (size + p.pdyp4 * size.sqrt())),
            stiffness: cos_atan(p.pkyp1 * size * size),
        }
    }

    /// Returns S_Hyφ (4.E80 to 4.E88), the lateral shift of turn slip, for K_yγ0, N/rad. MF 5.2 has none.
    pub(super) fn turn_shift(&self, camber_stiffness: f64, load: &Load) -> f64 {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let d = (p.phyp2 + p.phyp3 * df) * load.turn.ahead;
        if !self.is_61() || p.phyp1 * d == 0.0 {
            return 0.0;
        }
        let spin_stiffness = camber_stiffness / away_from_zero(1.0 - self.camber_reduction(load));
        let upright = away_from_zero(self.cornering_stiffness(load, 0.0));
        let b = spin_stiffness / (p.phyp1 * d * upright);
        let x = b * load.turn.radius * load.turn.spin;
        let e = self.curvature_x(p.phyp4);
        d * math::sin(p.phyp1 * math::atan(x - e * (x - math::atan(x)))) * load.turn.ahead
    }

    /// Returns D_rφ (4.E91 to 4.E98), the moment of turn slip, and M_zφ90 (4.E103), the part of it that is left at
    /// great slip angles, N·m, of a tyre of the free radius `radius`, m, with the factor G_yκ.
    pub(super) fn turn_moments(&self, load: &Load, radius: f64, weight: f64) -> [f64; 2] {
        let (p, df) = (&self.coefficients, self.load_change(load));
        let gamma = self.camber(load.gamma) * p.lgay;
        let size = load.f_z * radius;
        let most = p.qcrp1 * self.mu_y(load, gamma).abs() * size;
        let most = (most * (load.f_z / self.nominal_load()).sqrt() * p.lmp).max(1e-6);
        let peak = most / away_from_zero(math::sin(std::f64::consts::FRAC_PI_2 * p.qdrp1));
        let (of_load, of_camber) = (p.qdz9 * df, p.qdz11 * df);
        let (stiffness, spin) = if self.is_book() {
            let of_camber = (p.qdz10 + of_camber) * load.gamma.abs();
            (p.qdz8 + of_load + of_camber, load.turn.spin)
        } else {
            (p.qdz8 * of_load + p.qdz10 + of_camber * load.gamma.abs(), load.turn.path)
        };
        let stiffness = size * stiffness * p.lkzc;
        let reduction = away_from_zero(1.0 - self.camber_reduction(load));
        let b = stiffness / (away_from_zero(p.qdrp1) * peak * reduction);
        let x = b * radius * spin;
        let e = self.curvature_x(p.qdrp2);
        let moment = peak * math::sin(p.qdrp1 * math::atan(x - e * (x - math::atan(x))));
        let part =
            std::f64::consts::FRAC_2_PI * math::atan(p.qcrp2 * radius * load.turn.path.abs());
        [moment, most * part * weight]
    }
}

/// Returns cos(ζ_7 x) with ζ_7 = 2/π arccos(`ratio`) (4.E102): by its analytic continuation for ratios above 1, or
/// 1 if `bounded`.
pub(super) fn turned_cosine(ratio: f64, x: f64, bounded: bool) -> f64 {
    use std::f64::consts::FRAC_2_PI;
    if ratio <= 1.0 {
        let arc = math::atan2((1.0 - ratio * ratio).max(0.0).sqrt(), ratio);
        return math::cos(FRAC_2_PI * arc * x);
    }
    if bounded {
        return 1.0;
    }
    let ratio = ratio.min(MOST_RATIO);
    let growth = FRAC_2_PI * math::ln(ratio + (ratio * ratio - 1.0).sqrt()) * x.abs();
    0.5 * (math::exp(growth) + math::exp(-growth))
}
