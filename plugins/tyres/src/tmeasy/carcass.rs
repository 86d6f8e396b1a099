//! First-order dynamics: the carcass as a spring with a damper.
//!
//! The deflection x of the carcass in a direction follows (v d + f) ẋ = f s − v c x, with its stiffness c and damping d,
//! the creep s of the tread, the speed v, and the secant f = F/q of the steady force over the slip. The force is
//! F = c x + d ẋ. With the effective slip q = c x/f this is (f + v d)/c q̇ = s − v q, a relaxation length (f + v d)/c that
//! becomes shorter with growing slip, and F = f (q + d/(f + v d) (s − v q)). Source: G. Rill and A. A. Castro, *Road
//! Vehicle Dynamics*, 2nd ed., 2020, section 3.7.
//!
//! Simplification: the secant is taken at the effective slip at the start of the step, while the
//! book takes the steady slip; both agree while the force is linear, and in a steady state.

use simhost_sdk::{Params, Scaling};

/// Stiffness and damping of the carcass in both directions.
#[derive(Clone, Copy, Debug, Default, Params)]
pub struct Stiffness {
    /// Longitudinal stiffness of the carcass, which makes the force lag instead of `relaxation_length`. A larger value
    /// makes the tyre respond earlier.
    #[param(above = 0.0, unit = "N/m", scaling = Scaling::FORCE)]
    cx: Option<f64>,
    /// Lateral stiffness of the carcass. A larger value makes the tyre respond earlier.
    #[param(above = 0.0, unit = "N/m", scaling = Scaling::FORCE)]
    cy: Option<f64>,
    /// Longitudinal damping of the carcass, used with `cx`. Without it, a damper below 1 m/s damps the mass on the wheel
    /// critically.
    #[param(range = 0.0.., unit = "N·s/m", scaling = Scaling::FORCE)]
    dx: Option<f64>,
    /// Lateral damping of the carcass, used with `cy`.
    #[param(range = 0.0.., unit = "N·s/m", scaling = Scaling::FORCE)]
    dy: Option<f64>,
}

impl Stiffness {
    /// Returns whether a stiffness is given.
    #[inline(always)]
    pub fn acts(&self) -> bool {
        self.cx.is_some() | self.cy.is_some()
    }

    /// Returns the relaxation lengths, m, at a speed, m/s, with secants of the steady forces over the slip, N; in a
    /// direction without a stiffness `other`.
    pub fn lengths(&self, secants: [f64; 2], speed: f64, other: f64) -> [f64; 2] {
        let Self { cx, cy, dx, dy } = *self;
        [(secants[0], cx, dx), (secants[1], cy, dy)].map(|(secant, stiffness, damping)| {
            let length = |c: f64| (secant + speed * damping.unwrap_or(0.0)) / c;
            stiffness.map_or(other, length)
        })
    }

    /// Returns τ of the dampers, s/m, at a speed, m/s, with secants, N; `None` in a direction without one.
    pub fn dampers(&self, secants: [f64; 2], speed: f64) -> [Option<f64>; 2] {
        let Self { cx, cy, dx, dy } = *self;
        [(secants[0], cx.and(dx)), (secants[1], cy.and(dy))]
            .map(|(secant, d)| d.map(|d| d / (secant + speed * d).max(1e-9)))
    }

    /// Returns whether a damping is given.
    #[inline(always)]
    pub fn is_damped(&self) -> bool {
        self.acts() & (self.dx.is_some() | self.dy.is_some())
    }
}
