//! Steady tyres: what they have in common, and how one stands on the ground.
//!
//! A steady tyre tells the force of a steady slip: κ = (R ω − v_x)/|v_x| and tan α = v_y/|v_x|. The slip that
//! acts follows with the relaxation length σ: q̇ = (|v_x|/σ)(q_ss − q), which is σ q̇ = s − |v_x| q with the creep s:
//! at speed a lag, at standstill a spring. Source: H. B. Pacejka, *Tire and Vehicle Dynamics*, 3rd ed., 2012, eq. 7.7 and 7.9.
//! By backward Euler q = (σ q₀ + dt s)/(σ + dt |v_x|); without relaxation that is the steady slip.
//!
//! Simplification: one relaxation length for both directions, whatever load and slip. At standstill the spring is
//! not wound up further than to one and a half times the slip at which the linear tyre is at its limit.

use simhost_sdk::{Force, State, Step, Wheel};

use crate::contact::{self, Line, Patch, Shaft};

/// Slip below which the curve counts as straight.
const STRAIGHT: f64 = 1e-6;
/// Least speed that slip is measured by, m/s.
const LEAST_SPEED: f64 = 1e-9;
/// Speed at which half of the offsets of a rolling tyre are there, m/s.
const OFFSET_SPEED: f64 = 0.1;
/// How far beyond the limit of the linear tyre the carcass gives way at standstill.
const WINDING: f64 = 1.5;

/// Steady slip of a tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip {
    /// Slip ratio (R ω − v_x)/|v_x|: positive drives, −1 is a locked wheel.
    pub kappa: f64,
    /// Tangent of the slip angle, v_y/|v_x|: positive when the wheel drifts to its left.
    pub tan_alpha: f64,
    /// Inclination, rad, positive when the top leans to the right of the rolling direction.
    pub camber: f64,
}

impl Slip {
    /// Slip ratio and slip angle, rad.
    pub fn of(kappa: f64, alpha: f64) -> Self {
        Self { kappa, tan_alpha: simhost_sdk::math::tan(alpha), camber: 0.0 }
    }

    /// Slip angle, rad.
    pub fn alpha(&self) -> f64 {
        simhost_sdk::math::atan(self.tan_alpha)
    }

    /// Length of (κ, tan α).
    pub fn size(&self) -> f64 {
        (self.kappa * self.kappa + self.tan_alpha * self.tan_alpha).sqrt()
    }
}

/// What a tyre has beside its slip curve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carcass {
    /// Rolling resistance, a torque by load and radius.
    pub c_rr: f64,
    /// Viscous damping of the bearing, N·m·s/rad.
    pub c_damping: f64,
    /// σ, m; 0 for none.
    pub relaxation_length: f64,
}

/// A steady tyre. No function may allocate.
pub trait SteadyTyre {
    /// (F_x, F_y) on the wheel, N, under `load`, N, on ground with `grip` times the friction that the
    /// parameters were found on.
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2];
    /// Greatest resultant force, N.
    fn peak(&self, load: f64, grip: f64) -> f64;
    /// Friction coefficient of the ground that the parameters were found on: greatest force by load.
    fn mu(&self) -> f64;
    /// What it has beside the slip curve.
    fn carcass(&self) -> Carcass;
    /// Force of the same slip without its longitudinal part, and without its lateral part: what a
    /// tyre that is not built evenly gives while it rolls, N.
    fn offset(&self, _slip: &Slip, _load: f64, _grip: f64) -> [f64; 2] {
        [0.0; 2]
    }
}

/// The slip that acts, where it lags behind the steady one.
#[derive(Clone, Copy, Debug, Default, State)]
pub struct Lag {
    /// Slip ratio.
    #[state(unit = "1")]
    pub kappa: f64,
    /// Tangent of the slip angle to the right.
    #[state(unit = "1")]
    pub lateral: f64,
}

/// A steady tyre on the ground during a step.
struct Standing<'t, T> {
    tyre: &'t T,
    load: f64,
    grip: f64,
    speed: f64,
    dt: f64,
    sigma: f64,
    lag: [f64; 2],
}

impl<T: SteadyTyre> Standing<'_, T> {
    /// Slip at the end of the step, (κ, −tan α).
    fn slip(&self, creep: [f64; 2]) -> [f64; 2] {
        let (kept, gained) = self.weights();
        [0, 1].map(|axis| kept * self.lag[axis] + gained * creep[axis])
    }

    /// How slip follows from what it was, and from the creep, s/m.
    fn weights(&self) -> (f64, f64) {
        if self.sigma > 0.0 {
            let whole = self.sigma + self.dt * self.speed;
            (self.sigma / whole, self.dt / whole)
        } else {
            (0.0, 1.0 / self.speed)
        }
    }

    /// Offset of the force, N, and secants of what is left, N.
    fn secants(&self, slip: [f64; 2]) -> ([f64; 2], [f64; 2]) {
        let [kappa, lateral] = slip.map(|slip| slip.abs().max(STRAIGHT).copysign(slip));
        let slip = Slip { kappa, tan_alpha: -lateral, camber: 0.0 };
        let force = self.tyre.force(&slip, self.load, self.grip);
        let offset = self.tyre.offset(&slip, self.load, self.grip);
        let secant = [(force[0] - offset[0]) / kappa, (force[1] - offset[1]) / lateral];
        (offset, secant.map(|secant| secant.max(0.0)))
    }

    /// Furthest slip of a spring that is not wound up without end.
    fn furthest(&self, wheel: &Wheel) -> [f64; 2] {
        let (_, stiffness) = self.secants([0.0; 2]);
        let peak = self.tyre.peak(self.load, self.grip);
        let fastest = self.speed.max((wheel.spin * wheel.radius).abs());
        let creep = contact::creep(wheel);
        [0, 1].map(|axis| {
            let limit = WINDING * peak / stiffness[axis].max(1e-9);
            limit.max(creep[axis].abs() / fastest)
        })
    }
}

impl<T: SteadyTyre> Patch for Standing<'_, T> {
    fn line(&self, creep: [f64; 2]) -> Line {
        let (kept, gained) = self.weights();
        let (offset, secant) = self.secants(self.slip(creep));
        // an uneven tyre pushes while it rolls
        let rolling = self.speed * self.speed;
        let rolling = rolling / (rolling + OFFSET_SPEED * OFFSET_SPEED);
        let held = [0, 1].map(|axis| secant[axis] * kept * self.lag[axis] + rolling * offset[axis]);
        Line { held, stiffness: secant.map(|secant| secant * gained) }
    }

    fn capacity(&self) -> f64 {
        self.tyre.peak(self.load, self.grip)
    }
}

/// Force of a steady tyre on a wheel.
pub fn force(tyre: &impl SteadyTyre, wheel: &Wheel, step: &Step, lag: &mut Lag) -> Force {
    let Carcass { c_rr, c_damping, relaxation_length } = tyre.carcass();
    let mu = tyre.mu().max(1e-9);
    let standing = Standing {
        tyre,
        load: wheel.normal_force.max(0.0),
        grip: wheel.mu(mu) / mu,
        speed: wheel.vx.abs().max(LEAST_SPEED),
        dt: step.dt,
        sigma: relaxation_length,
        lag: [lag.kappa, lag.lateral],
    };
    let shaft = Shaft { c_rr: wheel.c_rr(c_rr), c_damping };
    let outcome = contact::solve(wheel, step, shaft, &standing);
    if relaxation_length > 0.0 {
        let slip = standing.slip(outcome.creep);
        let furthest = standing.furthest(wheel);
        lag.kappa = simhost_sdk::math::limit(slip[0], furthest[0]);
        lag.lateral = simhost_sdk::math::limit(slip[1], furthest[1]);
    }
    outcome.force
}
