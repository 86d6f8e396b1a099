//! All outputs of a tyre at one operating condition, as TNO's solver and programs that read tyre files return them.
//!
//! Axes follow ISO-W (TYDEX W): x ahead, y to the left, z up at the contact. The slip angle is
//! positive when the wheel drifts to its left, so F_y is negative then; M_y is negative for a wheel
//! that rolls forwards.
//!
//! With [`Limits::Solver`], inputs are cut to the ranges in the file, and below the speed VXLOW slip fades linearly,
//! and shifts, trail and residual moment as (1 − cos(π |V_x|/VXLOW))/2. The wheel then stands without a force, which
//! is why steps of a simulation do not use these reductions. Source of what the manuals leave open: MFeval by M. Furlan.

use std::f64::consts::{FRAC_PI_2, PI};

use simhost_sdk::math;

use super::{Aligning, Limits, Load, TurnMotion, Tyre, Version};

/// Speed that is added to those by which the solver divides, m/s.
const LEAST_SPEED: f64 = 1e-6;

/// Operating condition of a tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreCondition {
    /// Normal load, N.
    pub f_z: f64,
    /// Slip ratio.
    pub kappa: f64,
    /// Slip angle, rad.
    pub alpha: f64,
    /// Camber, rad.
    pub gamma: f64,
    /// TurnSlip slip −ψ̇/V of the path, 1/m; `None` for equations without turn slip.
    pub turn_slip: Option<f64>,
    /// Speed along the wheel, m/s.
    pub vx: f64,
    /// Free radius, m, of a tyre without UNLOADED_RADIUS.
    pub radius: f64,
}

/// TyreOutputs of a tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreResponse {
    /// Forces F_x and F_y, N.
    pub force: [f64; 2],
    /// Moments M_x, M_y and M_z, N·m.
    pub moment: [f64; 3],
    /// Slip ratio and inflation pressure after reductions and limits, 1, Pa.
    pub used: [f64; 2],
    /// Spin, rad/s.
    pub spin: f64,
    /// Effective rolling radius, m.
    pub rolling_radius: f64,
    /// Loaded radius, m.
    pub loaded_radius: f64,
    /// Deflection, m.
    pub deflection: f64,
    /// Length and width of the contact patch, m.
    pub contact: [f64; 2],
    /// Pneumatic trail, m.
    pub trail: f64,
    /// Residual moment, N·m.
    pub residual_moment: f64,
    /// Longitudinal and lateral friction coefficient.
    pub mu: [f64; 2],
    /// Longitudinal, lateral and vertical (secant) stiffness of the standing tyre, N/m.
    pub stiffness: [f64; 3],
    /// K_xκ, N, and K_yα, N/rad.
    pub slip_stiffness: [f64; 2],
    /// Longitudinal and lateral relaxation length, m.
    pub relaxation: [f64; 2],
}

/// A condition after reductions and limits.
struct Reduced {
    /// Slip ratio after reductions only.
    faded: f64,
    kappa: f64,
    /// Slip angle in the direction of travel, rad.
    alpha: f64,
    /// Load within the limits.
    load: Load,
    /// Direction of travel, 1 or −1.
    ahead: f64,
}

/// Returns the spin, rad/s, for the slip ratio of the condition, and the rolling radius, m, of a
/// tyre of the free radius `radius`, m.
fn rolling(tyre: &Tyre, at: &TyreCondition, radius: f64) -> [f64; 2] {
    let (mut spin, mut rolling) = (at.vx / radius, radius);
    // the radius depends little on the spin
    for _ in 0..20 {
        rolling = tyre.rolling_radius(radius, at.f_z, spin);
        let next = at.vx * (1.0 + at.kappa) / rolling;
        if (next - spin).abs() <= 1e-12 * spin.abs() {
            break;
        }
        spin = next;
    }
    [spin, rolling]
}

/// Returns the part of the rolling resistance that acts on a wheel that turns at less than the speed VXLOW.
fn turning_part(tyre: &Tyre, at: &TyreCondition) -> f64 {
    let speed = (1.0 + at.kappa) * at.vx.abs() / tyre.coefficients.vxlow.max(1e-9);
    math::sin(FRAC_PI_2 * speed.clamp(-1.0, 1.0))
}

impl Reduced {
    fn new(tyre: &Tyre, at: &TyreCondition, spin: f64, radius: f64) -> Self {
        let (mut kappa, mut alpha, mut path) = (at.kappa, at.alpha, at.turn_slip.unwrap_or(0.0));
        let mut shifts = 1.0;
        if tyre.limits == Limits::Solver {
            let slow = (at.vx / tyre.coefficients.vxlow.max(1e-9)).abs();
            path *= math::cos(alpha) * slow.min(1.0);
            kappa *= slow.min(1.0);
            alpha *= (slow * (1.0 + math::tan(alpha).abs())).min(1.0);
            shifts = 0.5 * (1.0 - math::cos(PI * slow.min(1.0)));
        }
        let load = Load { shifts, ..Load::new(at.f_z, 1.0, at.gamma) };
        let faded = kappa;
        let (kappa, alpha, mut load) = tyre.within(kappa, alpha, &load);
        if at.turn_slip.is_some() {
            let motion = TurnMotion { path, spin, vx: at.vx };
            load.turn = tyre.turn(kappa, alpha, &load, &motion, radius);
        }
        let ahead = 1.0_f64.copysign(at.vx);
        Self { faded, kappa, alpha: ahead * alpha, load, ahead }
    }

    /// Returns the forces, N.
    fn force(&self, tyre: &Tyre) -> [f64; 2] {
        let [fx, fy] = tyre.force(self.kappa, self.alpha, &self.load);
        if self.ahead > 0.0 {
            return [fx, fy];
        }
        let induced = tyre.induced(self.kappa, tyre.slip_angle(self.alpha), &self.load);
        [-fx, 2.0 * induced - fy]
    }

    /// Returns the parts of the aligning moment with a lateral force, N.
    fn aligning(&self, tyre: &Tyre, fy: f64, vx: f64, radius: f64) -> Aligning {
        let Self { kappa, alpha, ref load, ahead, .. } = *self;
        let parts = tyre.aligning_within(kappa, alpha, fy, load, radius);
        let scale = ahead * load.shifts * tyre.lift(load.f_z);
        let speed = (vx / math::cos(alpha)).abs();
        let side = if tyre.is_61() { ahead * parts.side } else { parts.side };
        let trail = scale * parts.trail * speed / (speed + LEAST_SPEED);
        Aligning { trail, side, residual: scale * parts.residual, ..parts }
    }
}

impl Tyre {
    /// Returns the factor on a load that is less than the smallest one of the file, for TNO's solver.
    fn lift(&self, load: f64) -> f64 {
        let least = self.coefficients.fzmin;
        if self.limits == Limits::Solver && load > 0.0 { least.max(load) / load } else { 1.0 }
    }

    /// Returns all outputs at an operating condition.
    pub fn respond(&self, at: &TyreCondition) -> TyreResponse {
        let radius = self.free_radius(at.radius);
        if at.f_z <= 0.0 || radius <= 0.0 {
            return TyreResponse::default();
        }
        let [spin, rolling_radius] = rolling(self, at, radius);
        let reduced = Reduced::new(self, at, spin, radius);
        let load = &reduced.load;
        let [fx, fy] = reduced.force(self);
        let aligning = reduced.aligning(self, fy, at.vx, radius);
        let free = Load { f_z: at.f_z, ..*load };
        let pressed = Load { f_z: load.f_z * self.lift(load.f_z), ..*load };
        // MF 6.2 deflects under the whole load
        let vertical = if self.version == Version::Mf62 { &free } else { &pressed };
        let deflection = self.deflection([fx, fy], vertical, spin, radius);
        let [along, across] = self.standing_stiffness(load);
        let upward = pressed.f_z / deflection.deflection.max(f64::MIN_POSITIVE);
        let resistance = self.resistance_moment(fx, &free, at.vx, radius) * turning_part(self, at);
        TyreResponse {
            force: [fx, fy],
            moment: [self.overturning_moment(fy, load, radius), resistance, aligning.moment(fx)],
            used: [reduced.faded, self.pressure()],
            spin,
            rolling_radius,
            loaded_radius: deflection.loaded_radius,
            deflection: deflection.deflection,
            contact: self.contact_patch(at.f_z, radius),
            trail: aligning.trail,
            residual_moment: aligning.residual,
            mu: [self.mu_x(load), self.lateral_friction(load)],
            stiffness: [along, across, if deflection.deflection > 0.0 { upward } else { 0.0 }],
            slip_stiffness: [
                self.slip_stiffness(load),
                self.cornering_stiffness(load, self.lateral_camber(load)),
            ],
            relaxation: self.relaxation_lengths(load, radius),
        }
    }
}
