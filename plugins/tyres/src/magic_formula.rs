//! The magic formula: MF 5.2 and MF 6.1, with combined slip.
//!
//! F = D sin(C atan(B x − E (B x − atan B x))) + S_V with x = slip + S_H, for each direction; under combined slip
//! F_x = G_xα(α, κ) F_x0 and F_y = G_yκ(κ, α) F_y0 + S_Vyκ. The coefficients follow load, camber and, in 6.1, inflation pressure.
//! Source: H. B. Pacejka, *Tire and Vehicle Dynamics*, 3rd ed., 2012, chapter 4.3.2; MF 5.2 as in the Adams/Tire manual,
//! "PAC2002". Defaults: the 245/40 R18 of that manual, which CommonRoad's vehicle models use with some of its coefficients.
//!
//! A data set is that of one tyre on one side of a car. What pulls it to a side (shifts, asymmetry) acts only with `shifts`, and only
//! while the wheel rolls. Forces are in the frame of ISO 8855; where PKY1 is positive the file counts slip angles the other way round.
//! The self-aligning moment, the overturning moment and turn slip are left out: the host takes forces and the spin's torque alone.
//!
//! **Limit:** slip ratios beyond the measured range follow the formula; camber is 0 until the host tells one. The weights of
//! combined slip are held at 0 where the formula would turn them round.

pub mod coefficients;
pub mod curve;
pub mod tir;
pub mod tyre;

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};
use tyre::{Load, Tyre, Version};

/// Which equations a tyre follows.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equations {
    /// Those that the file names; 5.2 where there is none.
    #[param(key = "file")]
    File,
    /// MF 5.2, also called MF2002 and PAC2002.
    #[param(key = "5.2")]
    Mf52,
    /// MF 6.1.
    #[param(key = "6.1")]
    Mf61,
}

/// The magic formula: MF 5.2 and MF 6.1, with combined slip.
#[derive(Params)]
pub struct MagicFormula {
    /// Tyre property file; a tyre 245/40 R18 without it.
    tir: Option<TextFile>,
    /// Equations that the coefficients are put into.
    #[param(default = "file")]
    version: Equations,
    /// Whether the tyre's offsets act: it then pulls to a side while it rolls.
    #[param(default = false)]
    shifts: bool,
    /// Inflation pressure, where it is not that of the file; 6.1 alone.
    #[param(above = 0.0, range = ..=2e6, unit = "Pa")]
    inflation_pressure: Option<f64>,
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.015, range = 0.0..=1.0, unit = "1", key = "C_rr")]
    c_rr: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping")]
    c_damping: f64,
    /// Way that the tyre rolls until its force follows a change of slip; 0 for at once.
    #[param(default = 0.0, range = 0.0..=10.0, unit = "m")]
    relaxation_length: f64,
    /// Coefficients and equations.
    #[param(skip)]
    tyre: Tyre,
    /// Greatest force by load at the nominal load.
    #[param(skip)]
    mu: f64,
}

impl MagicFormula {
    /// Coefficients and equations in use.
    pub fn tyre(&self) -> &Tyre {
        &self.tyre
    }

    fn assemble(&mut self) -> Result<(), String> {
        if let Some(TextFile { path, text }) = &self.tir {
            let tyre = tir::parse(text);
            self.tyre = tyre.map_err(|error| format!("the tyre file {path} {error}"))?;
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
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let load = Load { f_z: load, grip, gamma: slip.camber };
        self.tyre.combined(slip.kappa, self.tyre.side() * slip.alpha(), &load)
    }

    fn offset(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        if !self.shifts {
            return [0.0; 2];
        }
        let load = Load { f_z: load, grip, gamma: slip.camber };
        let alpha = self.tyre.side() * slip.alpha();
        [self.tyre.combined(0.0, alpha, &load)[0], self.tyre.combined(slip.kappa, 0.0, &load)[1]]
    }

    fn peak(&self, load: f64, grip: f64) -> f64 {
        self.tyre.peak(&Load { f_z: load, grip, gamma: 0.0 })
    }

    fn mu(&self) -> f64 {
        self.mu
    }

    fn carcass(&self) -> Carcass {
        let Self { c_rr, c_damping, relaxation_length, .. } = *self;
        Carcass { c_rr, c_damping, relaxation_length }
    }
}

#[model]
impl Friction for MagicFormula {
    type State = Lag;

    fn prepare(&mut self) -> Result<(), String> {
        self.assemble()
    }

    fn force(&self, wheel: &Wheel, step: &Step, lag: &mut Lag) -> Force {
        steady::force(self, wheel, step, lag)
    }
}
