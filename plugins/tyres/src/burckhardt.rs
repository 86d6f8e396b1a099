//! Burckhardt's friction curve of the resultant slip.
//!
//! μ(s) = c₁ (1 − e^(−c₂ s)) − c₃ s, F = μ N along the slip. The slip s, from 0 to 1, is the
//! sliding speed divided by the larger of travelling and rolling speed: √(κ² + tan²α)/max(√(1 +
//! tan²α), |1 + κ|). Source: M. Burckhardt, *Fahrwerktechnik: Radschlupf-Regelsysteme*, 1993;
//! constants of surfaces as in U. Kiencke and L. Nielsen, *Automotive Control Systems*, 2nd ed.,
//! 2005.
//!
//! **Limit:** the grip is the same in all directions and proportional to the normal load; speed and
//! wear have no influence.

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};

/// Surface of the ground.
#[derive(Choice, Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// Dry asphalt.
    #[param(key = "dry_asphalt")]
    DryAsphalt,
    /// Wet asphalt.
    #[param(key = "wet_asphalt")]
    WetAsphalt,
    /// Dry concrete.
    #[param(key = "dry_concrete")]
    DryConcrete,
    /// Dry cobblestones.
    #[param(key = "dry_cobblestones")]
    DryCobblestones,
    /// Wet cobblestones.
    #[param(key = "wet_cobblestones")]
    WetCobblestones,
    /// Snow.
    #[param(key = "snow")]
    Snow,
    /// Ice.
    #[param(key = "ice")]
    Ice,
}

impl Surface {
    /// Every surface.
    pub const ALL: [Self; 7] = [
        Self::DryAsphalt,
        Self::WetAsphalt,
        Self::DryConcrete,
        Self::DryCobblestones,
        Self::WetCobblestones,
        Self::Snow,
        Self::Ice,
    ];

    /// Returns c₁, c₂ and c₃.
    #[inline(always)]
    pub const fn constants(self) -> [f64; 3] {
        match self {
            Self::DryAsphalt => [1.2801, 23.99, 0.52],
            Self::WetAsphalt => [0.857, 33.822, 0.347],
            Self::DryConcrete => [1.1973, 25.168, 0.5373],
            Self::DryCobblestones => [1.3713, 6.4565, 0.6691],
            Self::WetCobblestones => [0.4004, 33.7080, 0.1204],
            Self::Snow => [0.1946, 94.129, 0.0646],
            Self::Ice => [0.05, 306.39, 0.0],
        }
    }
}

/// Burckhardt's friction curve of the resultant slip.
#[derive(Params)]
pub struct Burckhardt {
    /// Surface of the ground, which determines the constants that are not given.
    #[param(default = "dry_asphalt")]
    surface: Surface,
    /// Height of the curve. A larger value gives the tyre more grip.
    #[param(range = 0.0..=3.0, unit = "1")]
    c1: Option<f64>,
    /// Steepness at small slip. A larger value moves the peak to smaller slip.
    #[param(above = 0.0, range = ..=1000.0, unit = "1")]
    c2: Option<f64>,
    /// Decrease beyond the peak. A larger value gives a sliding tyre less grip.
    #[param(range = 0.0..=3.0, unit = "1")]
    c3: Option<f64>,
    /// The properties in addition to the slip curve.
    #[param(flatten, per_lane)]
    carcass: Carcass,
    /// Constants of the surface with all overrides.
    #[param(skip)]
    constants: [f64; 3],
    /// Height of the peak.
    #[param(skip)]
    peak: f64,
}

impl Burckhardt {
    /// Returns the friction coefficient at a slip from 0 to 1.
    #[inline(always)]
    pub fn friction(&self, slip: f64) -> f64 {
        let [c1, c2, c3] = self.constants;
        (c1 * (1.0 - math::exp(-c2 * slip)) - c3 * slip).max(0.0)
    }

    /// Returns the slip at the peak: ln(c₁ c₂/c₃)/c₂, at most 1.
    #[inline(always)]
    pub fn slip_at_peak(&self) -> f64 {
        let [c1, c2, c3] = self.constants;
        if c3 <= 0.0 {
            return 1.0;
        }
        (math::ln((c1 * c2 / c3).max(1.0)) / c2).min(1.0)
    }
}

/// Returns the sliding speed divided by the larger of travelling and rolling speed.
#[inline(always)]
fn resultant(slip: &Slip) -> f64 {
    let travelling = (1.0 + slip.tan_alpha * slip.tan_alpha).sqrt();
    (slip.size() / travelling.max(slip.rolling)).min(1.0)
}

impl SteadyTyre for Burckhardt {
    #[inline(always)]
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let along = slip.size();
        if along == 0.0 {
            return [0.0; 2];
        }
        let force = self.friction(resultant(slip)) * grip * load / along;
        [force * slip.kappa, -force * slip.tan_alpha]
    }

    #[inline(always)]
    fn mu(&self) -> f64 {
        self.peak
    }

    #[inline(always)]
    fn carcass(&self) -> Carcass {
        self.carcass
    }
}

crate::steady_friction! { Burckhardt,
    fn prepare(&mut self) -> Result<(), String> {
        let [c1, c2, c3] = self.surface.constants();
        self.constants = [self.c1.unwrap_or(c1), self.c2.unwrap_or(c2), self.c3.unwrap_or(c3)];
        self.peak = self.friction(self.slip_at_peak());
        Ok(())
    }
}
