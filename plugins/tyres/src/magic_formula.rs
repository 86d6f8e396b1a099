//! The Magic Formula: MF 5.2, MF 6.1 and MF 6.2, with combined slip.
//!
//! F = D sin(C atan(B x − E (B x − atan B x))) + S_V with x = slip + S_H, for each direction; under
//! combined slip F_x = G_xα(α, κ) F_x0 and F_y = G_yκ(κ, α) F_y0 + S_Vyκ. The coefficients depend
//! on load, camber and, in 6.1, inflation pressure. Source: H. B. Pacejka, *Tire and Vehicle
//! Dynamics*, 3rd ed., 2012, chapter 4.3.2; MF 5.2 as in the Adams/Tire manual, "PAC2002". Where TNO's solver and
//! the book differ, the solver is followed by default ([`TyreVariant`]).
//! Defaults: the 245/40 R18 tyre of that manual, some of whose coefficients CommonRoad's vehicle
//! models use.
//!
//! A data set describes one tyre on one side of a car. Its differences between left and right (shifts) act
//! only with `shifts`, and offsets of the force only while the wheel rolls. Forces are in the frame of ISO 8855;
//! if the cornering stiffness at the nominal load is positive, the file uses the opposite sign of the slip angle,
//! and a negative PDY1 is the same force with both signs turned. Files with the coefficients of the aligning
//! moment have one, and those with the effective rolling radius have it. Rolling resistance and relaxation lengths
//! of the file act where the parameters select them. The overturning moment, the deflection and the contact patch
//! are quantities of the wheel that act on nothing.
//!
//! Simplification: wheels have no turn slip, because a friction model does not read how fast its wheel turns about
//! the vertical axis; [`Tyre::respond`] has it.
//!
//! **Limit:** by default, slip beyond the measured range follows the formula, with bounds on its curvature,
//! weights and friction coefficients ([`Limits`]).

pub mod coefficients;
pub mod curve;
mod keys;
mod reports;
pub mod rolling;
#[cfg(test)]
mod tests;
pub mod tir;
pub mod tyre;
mod wheel;

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};
use rolling::Rolling;
use tyre::{Angles, Limits, Load, Tyre, TyreOutputs, TyreVariant, Version};

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
    /// MF 6.2.
    #[param(key = "6.2")]
    Mf62,
}

/// Side of the vehicle on which a wheel is.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelSide {
    /// Side of the measurement.
    #[param(key = "file")]
    File,
    /// Left.
    #[param(key = "left")]
    Left,
    /// Right.
    #[param(key = "right")]
    Right,
}

/// Source of the rolling resistance.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollingResistance {
    /// The parameter `C_rr`.
    #[param(key = "C_rr")]
    Parameter,
    /// The coefficients of the file.
    #[param(key = "file")]
    File,
}

/// The Magic Formula: MF 5.2, MF 6.1 and MF 6.2, with combined slip.
#[derive(Params)]
pub struct MagicFormula {
    /// Tyre property file. Without it the tyre is a 245/40 R18.
    tir: Option<TextFile>,
    /// Coefficients that override the file, by their names in the file, such as
    /// `LMUY 0.8; PKY1 -20`.
    coefficients: Option<String>,
    /// Version of the equations.
    #[param(default = "file")]
    version: Equations,
    /// Source of the equations if TNO's solver and the book of Pacejka, 2012, differ.
    #[param(default = "solver")]
    variant: TyreVariant,
    /// Outputs as in the USE_MODE of tyre files. Last digit: 0 no forces, 1 longitudinal, 2
    /// lateral, 3 both without combined slip, 4 with combined slip. With 10 or 20 added, the
    /// relaxation lengths of the file take effect.
    #[param(default = 4, range = 0..=24)]
    use_mode: u32,
    /// Whether the shifts of the tyre take effect. The tyre then pulls to one side while it rolls.
    #[param(default = false)]
    shifts: bool,
    /// Side of the vehicle on which the wheel is mounted. A tyre with the opposite TYRESIDE is
    /// mirrored.
    #[param(default = "file")]
    side: WheelSide,
    /// Limits of the equations: none, bounds that keep curvature, weights and friction valid, or
    /// additionally the ranges of slip, camber, load and pressure in the tyre file, or these ranges
    /// as in TNO's solver.
    #[param(default = "curvature")]
    limits: Limits,
    /// Measure of slip angle and camber in the equations: the angles, or tangent and sine.
    #[param(default = "angle")]
    angles: Angles,
    /// Whether the resultant force of combined slip is limited to the larger of the peaks of pure
    /// slip.
    #[param(default = false)]
    limit_resultant: bool,
    /// Inflation pressure, which overrides the file. It has an effect from version 6.1 on.
    #[param(above = 0.0, range = ..=2e6, unit = "Pa")]
    inflation_pressure: Option<f64>,
    /// Whether the wheels publish the other moments, the deflection, the contact patch and the
    /// relaxation lengths of the file in addition to the aligning moment and the rolling radius.
    /// The tyre then takes a third more time.
    #[param(default = false)]
    details: bool,
    /// Source of the rolling resistance: `C_rr`, or the coefficients `QSY` of the file.
    #[param(default = "C_rr")]
    resistance: RollingResistance,
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
    /// Scale of the longitudinal friction, which overrides the file. A larger value gives more
    /// grip.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LMUX")]
    lmux: Option<f64>,
    /// Scale of the lateral friction, which overrides the file. A larger value gives more grip.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LMUY")]
    lmuy: Option<f64>,
    /// Scale of the slip stiffness, which overrides the file. A larger value reaches the peak
    /// earlier.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LKX")]
    lkx: Option<f64>,
    /// Scale of the cornering stiffness, which overrides the file. A larger value responds more
    /// directly.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LKY")]
    lky: Option<f64>,
    /// Scale of the shape C_x, which overrides the file. A larger value drops more beyond the peak.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LCX")]
    lcx: Option<f64>,
    /// Scale of the shape C_y, which overrides the file. A larger value drops more beyond the peak.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LCY")]
    lcy: Option<f64>,
    /// Scale of the curvature E_x, which overrides the file. A larger value makes the peak sharper.
    #[param(range = -10.0..=10.0, unit = "1", key = "LEX")]
    lex: Option<f64>,
    /// Scale of the curvature E_y, which overrides the file. A larger value makes the peak sharper.
    #[param(range = -10.0..=10.0, unit = "1", key = "LEY")]
    ley: Option<f64>,
    /// Scale of the nominal load, which overrides the file. A larger value makes the tyre stiffer.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LFZO")]
    lfzo: Option<f64>,
    /// Scale of the pneumatic trail, which overrides the file. A larger value makes the steering
    /// heavier.
    #[param(range = 0.0..=10.0, unit = "1", key = "LTR")]
    ltr: Option<f64>,
    /// Coefficients and equations.
    #[param(skip)]
    tyre: Tyre,
    /// Direction of the slip angle, see [`Tyre::side`].
    #[param(skip)]
    turned: f64,
    /// Whether the relaxation lengths of the file act.
    #[param(skip)]
    lags: bool,
    /// Whether the rolling resistance of the file acts.
    #[param(skip)]
    resists: bool,
    /// Warnings about the tyre file.
    #[param(skip)]
    notes: Vec<String>,
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

    /// Replaces the scales of the file by those that are given.
    fn scale(&mut self) {
        let p = &mut self.tyre.coefficients;
        for (place, given) in [
            (&mut p.lmux, self.lmux),
            (&mut p.lmuy, self.lmuy),
            (&mut p.lkx, self.lkx),
            (&mut p.lky, self.lky),
            (&mut p.lcx, self.lcx),
            (&mut p.lcy, self.lcy),
            (&mut p.lex, self.lex),
            (&mut p.ley, self.ley),
            (&mut p.lfzo, self.lfzo),
            (&mut p.ltr, self.ltr),
        ] {
            *place = given.unwrap_or(*place);
        }
    }

    /// Reads the file, and returns the side of the vehicle on which its tyre was measured.
    fn read_file(&mut self) -> Result<WheelSide, String> {
        let Some(TextFile { path, text }) = &self.tir else { return Ok(WheelSide::File) };
        let file = tir::parse(text).map_err(|error| format!("tyre file {path}: {error}"))?;
        self.notes = self.reading_notes(path, &file);
        self.tyre = file.tyre;
        Ok(match file.side.as_deref() {
            Some("LEFT") => WheelSide::Left,
            Some("RIGHT") => WheelSide::Right,
            _ => WheelSide::File,
        })
    }

    /// Replaces the properties of the file that have a parameter.
    fn choose(&mut self) -> Result<(), String> {
        match self.version {
            Equations::File => {}
            Equations::Mf52 => self.tyre.version = Version::Mf52,
            Equations::Mf61 => self.tyre.version = Version::Mf61,
            Equations::Mf62 => self.tyre.version = Version::Mf62,
        }
        let digit = self.use_mode % 10;
        if digit > 4 {
            let mode = self.use_mode;
            return Err(format!("use_mode is {mode}, expected a last digit of 0 to 4"));
        }
        self.tyre.outputs = TyreOutputs::of_mode(digit);
        self.tyre.limits = self.limits;
        self.tyre.angles = self.angles;
        self.tyre.variant = self.variant;
        if let Some(pressure) = self.inflation_pressure {
            self.tyre.coefficients.inflpres = pressure;
        }
        Ok(())
    }

    fn assemble(&mut self) -> Result<(), String> {
        let measured = self.read_file()?;
        if let Some(text) = &self.coefficients {
            tir::replace(&mut self.tyre, text)
                .map_err(|error| format!("<coefficients> {error}"))?;
        }
        self.scale();
        self.choose()?;
        let is_known = ![self.side, measured].contains(&WheelSide::File);
        if is_known && self.side != measured {
            self.tyre = std::mem::take(&mut self.tyre).mirrored();
        }
        if !self.shifts {
            self.tyre = std::mem::take(&mut self.tyre).without_shifts();
        }
        let load = self.tyre.nominal_load();
        self.mu = self.peak(load, 1.0) / load;
        self.turned = self.tyre.side();
        self.lags = self.use_mode >= 10 && self.tyre.has_relaxation();
        self.resists = self.resistance == RollingResistance::File && self.tyre.has_resistance();
        let missing = self.missing_notes();
        self.notes.extend(missing);
        Ok(())
    }
}

impl SteadyTyre for MagicFormula {
    #[inline(always)]
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let load = Load::new(load, grip, slip.camber);
        self.tyre.combined(slip.kappa, self.turned * slip.alpha(), &load)
    }

    #[inline(always)]
    fn offset(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        if !self.shifts && slip.camber == 0.0 {
            return [0.0; 2];
        }
        let load = Load::new(load, grip, slip.camber);
        let alpha = self.turned * slip.alpha();
        [self.tyre.combined(0.0, alpha, &load)[0], self.tyre.combined(slip.kappa, 0.0, &load)[1]]
    }

    #[inline(always)]
    fn can_exceed_peak(&self) -> bool {
        !self.limit_resultant
    }

    #[inline(always)]
    fn peak(&self, load: f64, grip: f64) -> f64 {
        self.tyre.peak(&Load::new(load, grip, 0.0))
    }

    #[inline(always)]
    fn relaxes(&self) -> bool {
        self.lags | (self.relaxation_length > 0.0)
    }

    #[inline(always)]
    fn relaxation(&self, wheel: &crate::contact::Wheel, lag: &Lag, _: f64) -> [f64; 2] {
        if self.lags { self.own_relaxation(wheel, lag) } else { [self.relaxation_length; 2] }
    }

    #[inline(always)]
    fn resistance(&self, wheel: &crate::contact::Wheel, lag: &Lag, _: f64) -> f64 {
        if self.resists { self.own_resistance(wheel, lag) } else { self.c_rr }
    }

    #[inline(always)]
    fn rolling_radius(&self, radius: f64, load: f64, spin: f64) -> f64 {
        self.tyre.rolling_radius(radius, load, spin)
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
    fn warnings(&self, wheels: &[WheelUse]) -> Vec<String> {
        self.notes.iter().cloned().chain(self.unfit(wheels)).collect()
    }
    type Published = Rolling;
    fn publish(
        &self,
        wheel: &Wheel<Self::Inputs>,
        force: &Force,
        _: &Step,
        lag: &Lag,
    ) -> Rolling {
        self.rolling(wheel, force, lag)
    }
}
