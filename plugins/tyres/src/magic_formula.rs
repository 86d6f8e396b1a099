//! The Magic Formula: MF 5.2 and MF 6.1, with combined slip.
//!
//! F = D sin(C atan(B x − E (B x − atan B x))) + S_V with x = slip + S_H, for each direction; under
//! combined slip F_x = G_xα(α, κ) F_x0 and F_y = G_yκ(κ, α) F_y0 + S_Vyκ. The coefficients depend
//! on load, camber and, in 6.1, inflation pressure. Source: H. B. Pacejka, *Tire and Vehicle
//! Dynamics*, 3rd ed., 2012, chapter 4.3.2; MF 5.2 as in the Adams/Tire manual, "PAC2002".
//! Defaults: the 245/40 R18 tyre of that manual, some of whose coefficients CommonRoad's vehicle
//! models use.
//!
//! A data set describes one tyre on one side of a car. Its differences between left and right (shifts) act
//! only with `shifts`, and offsets of the force only while the wheel rolls. Forces are in the frame of ISO 8855;
//! if the cornering stiffness at the nominal load is positive, the file uses the opposite sign of the slip angle,
//! and a negative PDY1 is the same force with both signs turned. Files with the coefficients of the aligning
//! moment have one, and those with the effective rolling radius have it. The overturning moment, the rolling
//! resistance of the file, its relaxation lengths and turn slip are left out.
//!
//! **Limit:** by default, slip beyond the measured range follows the formula, with bounds on its curvature,
//! weights and friction coefficients ([`Limits`]).

pub mod coefficients;
pub mod curve;
mod keys;
pub mod tir;
pub mod tyre;

use simhost_sdk::prelude::*;

use crate::steady::{self, Carcass, Lag, Slip, SteadyTyre};
use tyre::{Angles, Limits, Load, Tyre, Version};

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
    /// Limits of the equations: none, bounds that keep curvature, weights and friction in order, or also the ranges of
    /// slip, camber, load and pressure in the tyre file.
    #[param(default = "curvature")]
    limits: Limits,
    /// Measure of slip angle and camber in the equations: the angles, or tangent and sine.
    #[param(default = "angle")]
    angles: Angles,
    /// Whether the resultant force of combined slip is cut to the larger of the peaks of pure slip.
    #[param(default = false)]
    limit_resultant: bool,
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
    /// Scale of the longitudinal friction, in place of that of the file. A larger value gives more grip.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LMUX")]
    lmux: Option<f64>,
    /// Scale of the lateral friction, in place of that of the file. A larger value gives more grip.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LMUY")]
    lmuy: Option<f64>,
    /// Scale of the slip stiffness, in place of that of the file. A larger value reaches the peak earlier.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LKX")]
    lkx: Option<f64>,
    /// Scale of the cornering stiffness, in place of that of the file. A larger value responds more directly.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LKY")]
    lky: Option<f64>,
    /// Scale of the shape C_x, in place of that of the file. A larger value drops more beyond the peak.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LCX")]
    lcx: Option<f64>,
    /// Scale of the shape C_y, in place of that of the file. A larger value drops more beyond the peak.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LCY")]
    lcy: Option<f64>,
    /// Scale of the curvature E_x, in place of that of the file. A larger value makes the peak sharper.
    #[param(range = -10.0..=10.0, unit = "1", key = "LEX")]
    lex: Option<f64>,
    /// Scale of the curvature E_y, in place of that of the file. A larger value makes the peak sharper.
    #[param(range = -10.0..=10.0, unit = "1", key = "LEY")]
    ley: Option<f64>,
    /// Scale of the nominal load, in place of that of the file. A larger value makes the tyre stiffer.
    #[param(above = 0.0, range = ..=10.0, unit = "1", key = "LFZO")]
    lfzo: Option<f64>,
    /// Scale of the pneumatic trail, in place of that of the file. A larger value makes the steering heavier.
    #[param(range = 0.0..=10.0, unit = "1", key = "LTR")]
    ltr: Option<f64>,
    /// Coefficients and equations.
    #[param(skip)]
    tyre: Tyre,
    /// Direction of the slip angle, see [`Tyre::side`].
    #[param(skip)]
    side: f64,
    /// Warnings about the tyre file.
    #[param(skip)]
    notes: Vec<String>,
    /// Largest force per load at the nominal load.
    #[param(skip)]
    mu: f64,
}

/// Aligning moment and rolling radius of a tyre.
#[derive(Ports)]
pub struct Rolling {
    /// Moment of the ground about the vertical axis of the wheel, positive counter-clockwise; 0 without the
    /// coefficients `QDZ1` and so on of the tyre file.
    #[port(unit = "N·m")]
    aligning_moment: f64,
    /// Effective rolling radius under the load: speed per spin of a wheel that rolls freely.
    #[port(unit = "m")]
    rolling_radius: f64,
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

    /// Returns the aligning moment on a wheel with this force and slip, N·m.
    fn moment(&self, wheel: &crate::contact::Wheel, lag: &Lag) -> f64 {
        if !self.tyre.has_moment() {
            return 0.0;
        }
        let mu = self.mu.max(1e-9);
        let ahead = 1.0_f64.copysign(wheel.vx);
        let load = Load {
            f_z: wheel.normal_force.max(0.0),
            grip: wheel.mu(mu) / mu,
            gamma: ahead * wheel.more.camber,
        };
        let slip = Slip::along(ahead * lag.kappa, -lag.lateral);
        let alpha = self.side * slip.alpha();
        ahead * self.tyre.aligning_moment(slip.kappa, alpha, &load, wheel.radius)
    }

    /// Returns the name of the tyre for messages.
    fn name(&self) -> String {
        self.tir
            .as_ref()
            .map_or_else(|| "the default tyre".into(), |file| format!("tyre file {}", file.path))
    }

    fn read_file(&mut self) -> Result<(), String> {
        let Some(TextFile { path, text }) = &self.tir else { return Ok(()) };
        let file = tir::parse(text).map_err(|error| format!("tyre file {path}: {error}"))?;
        let keys = |count: usize| if count == 1 { "1 key".into() } else { format!("{count} keys") };
        let unused = &file.without_effect;
        if !unused.is_empty() {
            let (count, names) = (keys(unused.len()), unused.join(", "));
            self.notes.push(format!("tyre file {path}: {count} without effect: {names}"));
        }
        let empty = &file.without_value;
        if !empty.is_empty() {
            let (count, names) = (keys(empty.len()), empty.join(", "));
            let text =
                format!("tyre file {path}: {count} without a value: {names}; the default is used");
            self.notes.push(text);
        }
        if let Some(side) = file.side.filter(|_| self.shifts) {
            let text = format!(
                "tyre file {path}: TYRESIDE {side} has no effect: with `shifts`, wheels of the other side need a file of their own"
            );
            self.notes.push(text);
        }
        self.tyre = file.tyre;
        Ok(())
    }

    fn assemble(&mut self) -> Result<(), String> {
        self.read_file()?;
        if let Some(text) = &self.coefficients {
            tir::replace(&mut self.tyre, text)
                .map_err(|error| format!("<coefficients> {error}"))?;
        }
        self.scale();
        match self.version {
            Equations::File => {}
            Equations::Mf52 => self.tyre.version = Version::Mf52,
            Equations::Mf61 => self.tyre.version = Version::Mf61,
        }
        (self.tyre.limits, self.tyre.angles) = (self.limits, self.angles);
        if let Some(pressure) = self.inflation_pressure {
            self.tyre.coefficients.inflpres = pressure;
        }
        if !self.shifts {
            self.tyre = std::mem::take(&mut self.tyre).without_shifts();
        }
        let load = self.tyre.nominal_load();
        self.mu = self.peak(load, 1.0) / load;
        self.side = self.tyre.side();
        Ok(())
    }

    /// Returns warnings about wheels that do not fit the tyre.
    fn unfit(&self, wheels: &[WheelUse]) -> Vec<String> {
        let p = &self.tyre.coefficients;
        let mut found = Vec::new();
        let other = |wheel: &&WheelUse| (wheel.radius / p.unloaded_radius - 1.0).abs() > 0.01;
        if let Some(wheel) = wheels.iter().find(other).filter(|_| p.unloaded_radius > 0.0) {
            found.push(format!(
                "{}: UNLOADED_RADIUS is {} m, but the radius of its wheel is {} m, which is used",
                self.name(),
                p.unloaded_radius,
                wheel.radius
            ));
        }
        let most = p.fzmax.min(self.tyre.greatest_load());
        if let Some(wheel) = wheels.iter().find(|wheel| wheel.load > most) {
            let (least, load) = (p.fzmin, wheel.load.round());
            let range = if p.fzmax.is_finite() {
                format!("its range of loads is {least} N to {} N", p.fzmax)
            } else {
                format!("its friction would decrease to 0.3 times up to {} N", most.round())
            };
            found.push(format!(
                "{}: the weight of the vehicle is {load} N per wheel, but {range}; use a tyre for this load",
                self.name()
            ));
        }
        found
    }
}

impl SteadyTyre for MagicFormula {
    #[inline(always)]
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        let load = Load { f_z: load, grip, gamma: slip.camber };
        self.tyre.combined(slip.kappa, self.side * slip.alpha(), &load)
    }

    #[inline(always)]
    fn offset(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
        if !self.shifts && slip.camber == 0.0 {
            return [0.0; 2];
        }
        let load = Load { f_z: load, grip, gamma: slip.camber };
        let alpha = self.side * slip.alpha();
        [self.tyre.combined(0.0, alpha, &load)[0], self.tyre.combined(slip.kappa, 0.0, &load)[1]]
    }

    #[inline(always)]
    fn can_exceed_peak(&self) -> bool {
        !self.limit_resultant
    }

    #[inline(always)]
    fn peak(&self, load: f64, grip: f64) -> f64 {
        self.tyre.peak(&Load { f_z: load, grip, gamma: 0.0 })
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
        _: &Force,
        _: &Step,
        lag: &Lag,
    ) -> Rolling {
        let load = wheel.normal_force.max(0.0);
        Rolling {
            aligning_moment: self.moment(wheel, lag),
            rolling_radius: self.tyre.rolling_radius(wheel.radius, load, wheel.spin),
        }
    }
}
