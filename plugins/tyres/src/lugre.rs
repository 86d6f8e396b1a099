//! LuGre: bristles between tread and ground, with one average deflection per direction.
//!
//! ż = s − (σ₀ |s|/g(s) + κ |R ω|) z with the creep s = (R ω − v_x, −v_y), F = N (σ₀ z + σ₁ ż + σ₂
//! s), and Stribeck's g(s) = μ_c + (μ_s − μ_c) e^(−√(|s|/v_s)). The bristles leave a patch of
//! length L with κ = 7/(6 L). In a steady state F = N (σ₀/(σ₀ |s|/g + κ |R ω|) + σ₂) s. Source: C.
//! Canudas de Wit, P. Tsiotras, E. Velenis, M. Basset and G. Gissinger, "Dynamic friction models
//! for road/tire longitudinal interaction", Vehicle System Dynamics 39(3), 2003, the average lumped
//! model; both directions after E. Velenis, P. Tsiotras, C. Canudas de Wit and M. Sorine, ibid.
//! 43(1), 2005. As in these papers, stiffness is per unit of load; the defaults are of the order of
//! the fit in the first paper.
//!
//! Integrated by backward Euler together with the motion of the wheel, so that rest on a slope is
//! an equilibrium. The resultant is limited to μ_s N. **Limit:** the bristles are the same in both
//! directions; forces are proportional to the normal load; no moments.

use simhost_sdk::prelude::*;

use crate::contact::{self, Brake, Line, Patch, Shaft};

/// LuGre: bristles between tread and ground, with one average deflection per direction.
#[derive(Params)]
pub struct LuGre {
    /// Stiffness of the bristles per normal load. A larger value makes the wheel slip less.
    #[param(default = 180.0, above = 0.0, range = ..=1e6, unit = "1/m", per_lane,
            scaling = Scaling::INVARIANT)]
    sigma0: f64,
    /// Damping of the bristles per normal load. A larger value makes a stopped vehicle sway less.
    #[param(default = 1.0, range = 0.0..=1e4, unit = "s/m", per_lane, scaling = Scaling::INVARIANT)]
    sigma1: f64,
    /// Viscous friction per normal load. A larger value makes fast sliding brake harder.
    #[param(default = 0.0018, range = 0.0..=1.0, unit = "s/m", per_lane,
            scaling = Scaling::INVARIANT)]
    sigma2: f64,
    /// Static friction coefficient: the largest force per normal load. A larger value gives the
    /// tyre more grip.
    #[param(default = 1.2, above = 0.0, range = ..=3.0, unit = "1", per_lane)]
    mu_s: f64,
    /// Friction coefficient of fast sliding. A larger value makes a locked wheel brake harder.
    #[param(default = 0.8, above = 0.0, range = ..=3.0, unit = "1", per_lane)]
    mu_c: f64,
    /// Stribeck speed, at which the friction falls from static to sliding. A larger value makes it
    /// fall at higher sliding speeds.
    #[param(default = 6.5, above = 0.0, unit = "m/s", per_lane, scaling = Scaling::INVARIANT)]
    v_s: f64,
    /// Length of the contact patch. A larger value lets the bristles deflect further before they
    /// leave it.
    #[param(default = 0.2, above = 0.0, unit = "m", per_lane, scaling = Scaling::INVARIANT)]
    patch_length: f64,
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.015, range = 0.0..=1.0, unit = "1", key = "C_rr", per_lane)]
    c_rr: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping", per_lane,
            scaling = Scaling::WHEEL_DAMPING)]
    c_damping: f64,
}

/// Average deflection of the bristles.
#[derive(Clone, Copy, Debug, Default, State)]
pub struct Bristles {
    /// Forward deflection.
    #[state(unit = "m")]
    pub z_x: f64,
    /// Deflection to the right.
    #[state(unit = "m")]
    pub z_y: f64,
}

impl LuGre {
    /// Returns the friction coefficient at a sliding speed, m/s.
    #[inline(always)]
    pub fn stribeck(&self, speed: f64) -> f64 {
        self.mu_c + (self.mu_s - self.mu_c) * math::exp(-(speed / self.v_s).sqrt())
    }

    /// Returns the force per normal load in the steady state, for a creep, m/s, of a wheel with the
    /// rolling speed `rolling`, m/s.
    #[inline(always)]
    pub fn steady(&self, creep: [f64; 2], rolling: f64) -> [f64; 2] {
        let decay = self.decay(creep, rolling, 1.0);
        both!(axis => {
            let bristles = if decay > 0.0 { self.sigma0 / decay } else { 0.0 };
            (bristles + self.sigma2) * creep[axis]
        })
    }

    /// Returns the rate at which bristles lose their deflection, 1/s.
    #[inline(always)]
    fn decay(&self, [x, y]: [f64; 2], rolling: f64, grip: f64) -> f64 {
        let speed = (x * x + y * y).sqrt();
        let slipping = self.sigma0 * speed / (grip * self.stribeck(speed)).max(1e-9);
        slipping + 7.0 / (6.0 * self.patch_length) * rolling.abs()
    }
}

/// The bristles of a wheel during a step.
struct Brush<'t> {
    tyre: &'t LuGre,
    load: f64,
    grip: f64,
    rolling: f64,
    dt: f64,
    start: [f64; 2],
}

impl Brush<'_> {
    /// Returns the factor by which a deflection decays within the step.
    #[inline(always)]
    fn kept(&self, creep: [f64; 2], locked: bool) -> f64 {
        let rolling = if locked { 0.0 } else { self.rolling };
        1.0 / (1.0 + self.dt * self.tyre.decay(creep, rolling, self.grip))
    }
}

impl Patch for Brush<'_> {
    #[inline(always)]
    fn line(&self, creep: [f64; 2], locked: bool) -> Line {
        let LuGre { sigma0, sigma1, sigma2, .. } = self.tyre;
        let kept = self.kept(creep, locked);
        // F = N (σ₀ z + σ₁ (z − z₀)/dt + σ₂ s) at the end of the step, with z = kept (z₀ + dt s)
        let damping = sigma1 / self.dt.max(1e-12);
        let held = self.load * ((sigma0 + damping) * kept - damping);
        let stiffness = self.load * ((sigma0 * self.dt + sigma1) * kept + sigma2);
        Line { held: self.start.map(|z| held * z), stiffness: [stiffness; 2] }
    }

    #[inline(always)]
    fn capacity(&self) -> f64 {
        self.tyre.mu_s * self.grip * self.load
    }
}

#[model]
impl Friction for LuGre {
    const TIME_INVARIANT: bool = true;
    const EVERY_WIDTH: bool = false;
    type Inputs = Brake;

    fn prepare(&mut self) -> Result<(), String> {
        if self.mu_c > self.mu_s {
            let text = format!("mu_c is {}, expected at most mu_s, {}", self.mu_c, self.mu_s);
            return Err(text);
        }
        Ok(())
    }

    fn force(&self, wheel: &Wheel<Brake>, step: &Step, state: &mut Bristles) -> Force {
        let brush = Brush {
            tyre: self,
            load: wheel.normal_force.max(0.0),
            grip: wheel.mu(self.mu_s) / self.mu_s,
            rolling: wheel.spin * wheel.radius,
            dt: step.dt,
            start: [state.z_x, state.z_y],
        };
        let shaft = Shaft { c_rr: wheel.c_rr(self.c_rr), c_damping: self.c_damping };
        let outcome = contact::solve(wheel, step, shaft, &brush);
        let kept = brush.kept(outcome.creep, outcome.locked);
        state.z_x = kept * (brush.start[0] + step.dt * outcome.creep[0]);
        state.z_y = kept * (brush.start[1] + step.dt * outcome.creep[1]);
        outcome.force
    }
}
