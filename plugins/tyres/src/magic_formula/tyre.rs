//! From coefficients to forces and moments: MF 5.2 (MF2002, PAC2002), MF 6.1 and MF 6.2.
//!
//! Equation numbers refer to Pacejka 2012, chapter 4.3.2 (6.1). MF 5.2 has no pressure dependence,
//! a fixed shape factor 2 of the cornering stiffness, and a horizontal shift for camber instead of
//! a camber stiffness. MF 6.2 differs from 6.1 in the deflection.

mod evaluation;
mod forces;
mod moment;
mod options;
mod relaxation;
mod resistance;
mod turn;
mod vertical;

use simhost_sdk::math;

use super::coefficients::Coefficients;
pub use evaluation::{TyreCondition, TyreResponse};
pub use moment::Aligning;
pub use options::{Angles, Limits, TyreOutputs, TyreVariant, Version};
pub use turn::{TurnMotion, TurnSlip};
pub use vertical::Deflection;

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
    /// Source of the equations.
    pub variant: TyreVariant,
    /// Forces that the equations have.
    pub outputs: TyreOutputs,
    /// Whether the curve of F_x is moved along κ so that it goes through the origin.
    pub is_centred: bool,
}

/// Operating conditions of a tyre besides its slip.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Normal load, N.
    pub f_z: f64,
    /// Friction of the ground relative to the measurement.
    pub grip: f64,
    /// Camber, rad.
    pub gamma: f64,
    /// Part of the shifts that acts.
    pub shifts: f64,
    /// Effect of turn slip.
    pub turn: TurnSlip,
}

impl Load {
    /// Returns a load, N, on ground with `grip` times the friction of the measurement, at a camber, rad, without
    /// turn slip.
    #[inline(always)]
    pub const fn new(f_z: f64, grip: f64, gamma: f64) -> Self {
        Self { f_z, grip, gamma, shifts: 1.0, turn: TurnSlip::NONE }
    }
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

/// Returns a number whose size is at least 1e-6.
#[inline(always)]
fn away_from_zero(k: f64) -> f64 {
    if k.abs() < 1e-6 { 1e-6_f64.copysign(k) } else { k }
}

impl Tyre {
    /// Returns whether the version of the equations is 6.1 or 6.2.
    #[inline(always)]
    fn is_61(&self) -> bool {
        self.version != Version::Mf52
    }

    #[inline(always)]
    fn is_book(&self) -> bool {
        self.variant == TyreVariant::Book
    }

    /// Returns 1 if a slip angle to the left causes a force to the right, as in ISO 8855, and −1
    /// for files with the opposite sign of the slip angle. The sign of the cornering stiffness at the
    /// nominal load decides.
    pub fn side(&self) -> f64 {
        let nominal = Load::new(self.nominal_load(), 1.0, 0.0);
        if self.cornering_stiffness(&nominal, 0.0) > 0.0 { -1.0 } else { 1.0 }
    }

    /// Removes the asymmetry of the tyre: the difference between left and right, and the force without slip. The
    /// peaks of driving and braking remain.
    pub fn without_shifts(mut self) -> Self {
        self.scale_asymmetry(0.0);
        Self { is_centred: true, ..self }
    }

    /// Returns the tyre as it is on the other side of a vehicle.
    pub fn mirrored(mut self) -> Self {
        self.scale_asymmetry(-1.0);
        let p = &mut self.coefficients;
        (p.alpmin, p.alpmax) = (-p.alpmax, -p.alpmin);
        (p.cammin, p.cammax) = (-p.cammax, -p.cammin);
        self
    }

    fn scale_asymmetry(&mut self, factor: f64) {
        self.coefficients.scale_asymmetry(factor);
        if !self.is_book() {
            // in the solver, camber acts on the trail with its sign
            self.coefficients.qbz4 *= factor;
            self.coefficients.qdz3 *= factor;
        }
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

    /// Returns the free radius, m, of a tyre on a wheel of the radius `radius`.
    #[inline(always)]
    pub fn free_radius(&self, radius: f64) -> f64 {
        let own = self.coefficients.unloaded_radius;
        if own > 0.0 { own } else { radius }
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

    /// Returns whether the limits keep curvature, weights and friction in order.
    #[inline(always)]
    fn is_bounded(&self) -> bool {
        matches!(self.limits, Limits::Curvature | Limits::File)
    }

    /// Returns whether the ranges in the file are limits.
    #[inline(always)]
    fn has_ranges(&self) -> bool {
        matches!(self.limits, Limits::File | Limits::Solver)
    }

    /// Returns a curvature factor of F_y, the trail and their like within its limit.
    #[inline(always)]
    fn curvature(&self, e: f64) -> f64 {
        if self.limits == Limits::Unlimited { e } else { e.min(1.0) }
    }

    /// Returns a curvature factor of F_x within its limit.
    #[inline(always)]
    fn curvature_x(&self, e: f64) -> f64 {
        if self.is_bounded() { e.min(1.0) } else { e }
    }

    /// Returns a weight of combined slip within its limit.
    #[inline(always)]
    fn weight(&self, factor: f64) -> f64 {
        if self.is_bounded() { factor.max(0.0) } else { factor }
    }

    /// Returns slip ratio, slip angle, rad, and load within the ranges of the file where these are limits.
    #[inline(always)]
    fn within(&self, kappa: f64, alpha: f64, load: &Load) -> (f64, f64, Load) {
        let p = &self.coefficients;
        if !self.has_ranges() {
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

    /// Returns the inflation pressure within its limits, Pa.
    #[inline(always)]
    fn pressure(&self) -> f64 {
        let p = &self.coefficients;
        if self.has_ranges() { p.inflpres.max(p.presmin).min(p.presmax) } else { p.inflpres }
    }

    /// Returns dp_i (4.E2b).
    #[inline(always)]
    fn pressure_change(&self) -> f64 {
        let p = &self.coefficients;
        if !self.is_61() || p.nompres <= 0.0 || p.inflpres <= 0.0 {
            return 0.0;
        }
        (self.pressure() - p.nompres) / p.nompres
    }
}
