//! TMeasy: few parameters with physical meaning, and one force along the resultant slip.
//!
//! Each direction has an initial stiffness dF⁰, a peak F^M at the slip s^M and a sliding force F^S
//! from s^S on, at the load p_n and at 2 p_n. Forces depend on the load p by F(p) = p/p_n (2 F₁ −
//! F₂/2 − (F₁ − F₂/2) p/p_n), slips linearly. With the direction cos φ = s_x/s of the slip, the
//! five values combine as √((x cos φ)² + (y sin φ)²), and the curve passes through them
//! ([`curve`]). Slip: s_x = (R ω − v_x)/|R ω|, s_y = −v_y/|R ω|. Source: G. Rill, "TMeasy: the
//! handling tire model for all driving situations", 15th Intl. Symposium on Dynamic Problems of
//! Mechanics, 2013; default values and the estimate from a load index as in Project Chrono
//! (`ChTMeasyTire`), where they apply to ground with a friction coefficient of 0.8.
//!
//! With `normalised`, the slips are divided by ŝ_x = s_x^M/(s_x^M + s_y^M) + (F_x^M/dF_x⁰)/(F_x^M/dF_x⁰ + F_y^M/dF_y⁰)
//! and ŝ_y = 2 − ŝ_x before they are combined, so that a direction with less stiffness counts for less. The stiffness of
//! the carcass makes the force lag ([`carcass`]), and the pneumatic trail makes an aligning moment ([`trail`]). Source of
//! these: G. Rill and A. A. Castro, *Road Vehicle Dynamics*, 2nd ed., 2020, chapter 3.
//!
//! Ground with another friction coefficient scales the forces and slips of peak and sliding, but
//! not the stiffness. **Limit:** no camber, no bore and overturning torque; loads above 3 p_n count as 3 p_n, beyond
//! which the parabolas would fall.

pub mod carcass;
pub mod curve;
pub mod load_index;
#[cfg(test)]
mod tests;
pub mod trail;
mod wheel;

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};
use carcass::Stiffness;
use curve::{Curve, Direction, Normalisation};
use load_index::Kind;
use trail::{Aligned, Trail};

/// Largest ratio of the load to the nominal load.
const MOST_LOAD: f64 = 3.0;

/// How slips of both directions combine.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// As they are.
    #[param(key = "plain")]
    Plain,
    /// Each relative to the slips at which both directions have their peaks.
    #[param(key = "normalised")]
    Normalised,
}

/// TMeasy: few parameters with physical meaning, and one force along the resultant slip.
#[derive(Params)]
pub struct TMeasy {
    /// Source of the values of both directions: the pattern of a passenger car or truck tyre, or
    /// the given values.
    #[param(default = "passenger")]
    pattern: Kind,
    /// Nominal load. A larger value describes a larger tyre.
    #[param(default = 3500.0, above = 0.0, unit = "N", scaling = Scaling::FORCE)]
    pn: f64,
    /// Load index of the tyre, which determines the nominal load if it is given.
    #[param(range = 0..=279)]
    load_index: Option<u32>,
    /// Inflation pressure relative to the pressure of the load index. A smaller value reduces the
    /// nominal load.
    #[param(default = 1.0, above = 0.0, range = ..=2.0, unit = "1")]
    inflation: f64,
    /// Initial longitudinal stiffness per load, at pn and 2 pn, used with the pattern `given`. A
    /// larger value makes the wheel slip less.
    #[param(default = [18.3741, 19.4669], above = 0.0, unit = "1")]
    dfx0: [f64; 2],
    /// Longitudinal peak force per load, at pn and 2 pn. A larger value gives the tyre more grip.
    #[param(default = [1.1292, 1.0896], above = 0.0, unit = "1")]
    fxm: [f64; 2],
    /// Longitudinal sliding force per load, at pn and 2 pn. A larger value makes a locked wheel
    /// brake harder.
    #[param(default = [0.80149, 0.76917], above = 0.0, unit = "1")]
    fxs: [f64; 2],
    /// Slip of the longitudinal peak, at pn and 2 pn.
    #[param(default = [0.13913, 0.13913], above = 0.0, unit = "1")]
    sxm: [f64; 2],
    /// Slip at which longitudinal sliding begins, at pn and 2 pn.
    #[param(default = [0.66667, 0.66667], above = 0.0, unit = "1")]
    sxs: [f64; 2],
    /// Initial lateral stiffness per load, at pn and 2 pn. A larger value makes the vehicle drift
    /// less.
    #[param(default = [15.9826, 12.8509], above = 0.0, unit = "1")]
    dfy0: [f64; 2],
    /// Lateral peak force per load, at pn and 2 pn. A larger value gives the tyre more grip in
    /// corners.
    #[param(default = [1.0009, 0.91367], above = 0.0, unit = "1")]
    fym: [f64; 2],
    /// Lateral sliding force per load, at pn and 2 pn. A larger value gives a drifting tyre more
    /// grip.
    #[param(default = [0.8336, 0.77336], above = 0.0, unit = "1")]
    fys: [f64; 2],
    /// Slip of the lateral peak, at pn and 2 pn.
    #[param(default = [0.14852, 0.18504], above = 0.0, unit = "1")]
    sym: [f64; 2],
    /// Slip at which lateral sliding begins, at pn and 2 pn.
    #[param(default = [0.96524, 1.0714], above = 0.0, unit = "1")]
    sys: [f64; 2],
    /// Combination of the slips of both directions: unchanged, or normalised as in the book of Rill
    /// and Castro.
    #[param(default = "plain")]
    combination: Combination,
    /// Stiffness and damping of the carcass.
    #[param(flatten)]
    stiffness: Stiffness,
    /// Pneumatic trail.
    #[param(flatten)]
    trail: Trail,
    /// The properties in addition to the slip curve.
    #[param(flatten, per_lane)]
    carcass: Carcass,
    /// Values of the longitudinal and the lateral direction.
    #[param(skip)]
    directions: [Direction; 2],
    /// Largest force per load at pn.
    #[param(skip)]
    mu: f64,
}

impl TMeasy {
    /// Returns the nominal load, N.
    #[inline(always)]
    pub fn nominal_load(&self) -> f64 {
        self.pn
    }

    fn given(&self) -> [Direction; 2] {
        let Self { dfx0, fxm, fxs, sxm, sxs, dfy0, fym, fys, sym, sys, .. } = *self;
        [
            Direction { stiffness: dfx0, peak: fxm, sliding: fxs, at_peak: sxm, at_sliding: sxs },
            Direction { stiffness: dfy0, peak: fym, sliding: fys, at_peak: sym, at_sliding: sys },
        ]
    }

    #[inline(always)]
    fn curves(&self, load: f64, grip: f64) -> [Curve; 2] {
        let by_nominal = (load / self.pn).min(MOST_LOAD);
        both!(axis => self.directions[axis].at(by_nominal, self.pn).on(grip))
    }

    /// Returns the force with normalised slips, N.
    #[inline(always)]
    fn normalised(&self, [sx, sy]: [f64; 2], [x, y]: [Curve; 2]) -> [f64; 2] {
        let by = Normalisation::new(&x, &y);
        let (nx, ny) = (sx / by.along, sy / by.across);
        let size = (nx * nx + ny * ny).sqrt();
        let (cos, sin) = (nx / size, ny / size);
        let force = by.scaled(x, by.along).combined(&by.scaled(y, by.across), cos, sin).force(size);
        [force * cos, force * sin]
    }
}

impl SteadyTyre for TMeasy {
    #[inline(always)]
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let along = slip.size();
        let none = (along == 0.0) | (load == 0.0) | (grip == 0.0);
        // TMeasy divides by the rolling speed
        let size = along / slip.rolling.max(1e-9);
        let (cos, sin) = (slip.kappa / along, -slip.tan_alpha / along);
        let [x, y] = self.curves(load, grip);
        if self.combination == Combination::Normalised {
            let slips = [size * cos, size * sin];
            return if none { [0.0; 2] } else { self.normalised(slips, [x, y]) };
        }
        let force = x.combined(&y, cos, sin).force(size);
        if none { [0.0; 2] } else { [force * cos, force * sin] }
    }

    #[inline(always)]
    fn peak(&self, load: f64, grip: f64) -> f64 {
        let [x, y] = self.curves(load, grip);
        x.peak.max(y.peak)
    }

    #[inline(always)]
    fn mu(&self) -> f64 {
        self.mu
    }

    #[inline(always)]
    fn carcass(&self) -> Carcass {
        self.carcass
    }

    #[inline(always)]
    fn relaxes(&self) -> bool {
        self.stiffness.acts() | (self.carcass.relaxation_length > 0.0)
    }

    #[inline(always)]
    fn relaxation(&self, wheel: &crate::contact::Wheel, lag: &Lag, grip: f64) -> [f64; 2] {
        let length = self.carcass.relaxation_length;
        if self.stiffness.acts() { self.lengths(wheel, lag, grip) } else { [length; 2] }
    }

    #[inline(always)]
    fn damping(&self, wheel: &crate::contact::Wheel, lag: &Lag, grip: f64) -> [Option<f64>; 2] {
        if self.stiffness.is_damped() { self.dampers(wheel, lag, grip) } else { [None; 2] }
    }
}

crate::steady_friction! { TMeasy,
    type Published = Aligned;
    fn publish(
        &self,
        wheel: &Wheel<Self::Inputs>,
        force: &Force,
        _: &Step,
        lag: &Lag,
    ) -> Aligned {
        if self.trail.acts() { self.aligned(wheel, force, lag) } else { Aligned::default() }
    }
    fn prepare(&mut self) -> Result<(), String> {
        self.directions = self.pattern.directions().unwrap_or_else(|| self.given());
        if let Some(index) = self.load_index {
            self.pn = load_index::nominal_load(index, self.inflation);
        }
        for (direction, axis) in self.directions.iter().zip(["x", "y"]) {
            direction.check(axis)?;
        }
        self.mu = self.peak(self.pn, 1.0) / self.pn;
        self.trail.check()
    }
}
