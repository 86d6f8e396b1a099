//! The Magic Formula: MF 5.2 and MF 6.1, with combined slip.
//!
//! F = D sin(C atan(B x − E (B x − atan B x))) + S_V with x = slip + S_H, for each direction; under
//! combined slip F_x = G_xα(α, κ) F_x0 and F_y = G_yκ(κ, α) F_y0 + S_Vyκ. The coefficients depend
//! on load, camber and, in 6.1, inflation pressure. Source: H. B. Pacejka, *Tire and Vehicle
//! Dynamics*, 3rd ed., 2012, chapter 4.3.2; MF 5.2 as in the Adams/Tire manual, "PAC2002".
//! Defaults: the 245/40 R18 tyre of that manual, some of whose coefficients CommonRoad's vehicle
//! models use.
//!
//! A data set describes one tyre on one side of a car. Its asymmetries (shifts) act only with
//! `shifts`, and only while the wheel rolls. Forces are in the frame of ISO 8855; if PKY1 is
//! positive, the file uses the opposite sign of the slip angle, and a negative PDY1 stands for the same force with
//! both signs turned. The self-aligning moment, the
//! overturning moment and turn slip are left out, because the host takes forces and the torque
//! about the axle only.
//!
//! **Limit:** slip ratios beyond the measured range follow the formula; the camber is 0 because the
//! host does not compute one. The weights of combined slip are limited to 0 where the formula would
//! make them negative.

pub mod coefficients;
pub mod curve;
pub mod tir;
pub mod tyre;

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};
use tyre::{Load, Tyre, Version};

/// Equations of a tyre.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equations {
    /// The equations that the file names, or 5.2 without a file.
    #[param(key = "file")]
    File,
    /// MF 5.2, also called MF2002 and PAC2002.
    #[param(key = "5.2")]
    Mf52,
    /// MF 6.1.
    #[param(key = "6.1")]
    Mf61,
}

/// The Magic Formula: MF 5.2 and MF 6.1, with combined slip.
#[derive(Params)]
pub struct MagicFormula {
    /// Tyre property file. Without it the tyre is a 245/40 R18.
    tir: Option<TextFile>,
    /// Coefficients in place of those of the file, by their names in it, such as `LMUY 0.8; PKY1 -20`.
    coefficients: Option<String>,
    /// Equations in which the coefficients are used.
    #[param(default = "file")]
    version: Equations,
    /// Whether the shifts of the tyre act. It then pulls to one side while it rolls.
    #[param(default = false)]
    shifts: bool,
    /// Inflation pressure instead of that of the file. It has an effect in 6.1 only.
    #[param(above = 0.0, range = ..=2e6, unit = "Pa")]
    inflation_pressure: Option<f64>,
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.015, range = 0.0..=1.0, unit = "1", key = "C_rr")]
    c_rr: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping",
            scaling = Scaling::WHEEL_DAMPING)]
    c_damping: f64,
    /// Distance that the tyre rolls until its force follows a change of slip; 0 for an immediate
    /// response. A larger value makes the vehicle respond later.
    #[param(default = 0.0, range = 0.0..=10.0, unit = "m", scaling = Scaling::INVARIANT)]
    relaxation_length: f64,
    /// Coefficients and equations.
    #[param(skip)]
    tyre: Tyre,
    /// Largest force per load at the nominal load.
    #[param(skip)]
    mu: f64,
}

impl MagicFormula {
    /// Returns the coefficients and equations with all overrides.
    #[inline(always)]
    pub fn tyre(&self) -> &Tyre {
        &self.tyre
    }

    fn assemble(&mut self) -> Result<(), String> {
        if let Some(TextFile { path, text }) = &self.tir {
            let tyre = tir::parse(text);
            self.tyre = tyre.map_err(|error| format!("tyre file {path}: {error}"))?;
        }
        if let Some(text) = &self.coefficients {
            tir::replace(&mut self.tyre, text)
                .map_err(|error| format!("<coefficients> {error}"))?;
        }
        match self.version {
            Equations::File => {}
            Equations::Mf52 => self.tyre.version = Version::Mf52,
            Equations::Mf61 => self.tyre.version = Version::Mf61,
        }
        if let Some(pressure) = self.inflation_pressure {
            self.tyre.coefficients.inflpres = pressure;
        }
        if !self.shifts {
            self.tyre.coefficients = std::mem::take(&mut self.tyre.coefficients).without_shifts();
        }
        let load = self.tyre.nominal_load();
        self.mu = self.peak(load, 1.0) / load;
        Ok(())
    }
}

impl SteadyTyre for MagicFormula {
    #[inline(always)]
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let load = Load { f_z: load, grip, gamma: slip.camber };
        self.tyre.combined(slip.kappa, self.tyre.side() * slip.alpha(), &load)
    }

    #[inline(always)]
    fn offset(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        if !self.shifts {
            return [0.0; 2];
        }
        let load = Load { f_z: load, grip, gamma: slip.camber };
        let alpha = self.tyre.side() * slip.alpha();
        [self.tyre.combined(0.0, alpha, &load)[0], self.tyre.combined(slip.kappa, 0.0, &load)[1]]
    }

    #[inline(always)]
    fn peak(&self, load: f64, grip: f64) -> f64 {
        self.tyre.peak(&Load { f_z: load, grip, gamma: 0.0 })
    }

    #[inline(always)]
    fn mu(&self) -> f64 {
        self.mu
    }

    #[inline(always)]
    fn carcass(&self) -> Carcass {
        let Self { c_rr, c_damping, relaxation_length, .. } = *self;
        Carcass { c_rr, c_damping, relaxation_length }
    }
}

crate::steady_friction! { MagicFormula,
    fn prepare(&mut self) -> Result<(), String> {
        self.assemble()
    }
}
