//! A tyre on a wheel: its quantities, and the properties of the file that act in a step.

use simhost_sdk::Force;

use super::MagicFormula;
use super::rolling::Rolling;
use super::tyre::Load;
use crate::contact::Wheel;
use crate::steady::{Lag, Slip};

/// Operating condition of a wheel as one that rolls forwards.
struct Forwards {
    kappa: f64,
    /// Slip angle with the sign of the file, rad.
    alpha: f64,
    load: Load,
    /// Direction of travel, 1 or −1.
    ahead: f64,
    /// Free radius, m.
    radius: f64,
}

impl Forwards {
    #[inline(always)]
    fn new(model: &MagicFormula, wheel: &Wheel, lag: &Lag) -> Self {
        let mu = model.mu.max(1e-9);
        let ahead = 1.0_f64.copysign(wheel.vx);
        let gamma = ahead * wheel.more.camber;
        let slip = Slip::along(ahead * lag.kappa, -lag.lateral);
        Self {
            kappa: slip.kappa,
            alpha: model.turned * slip.alpha(),
            load: Load::new(wheel.normal_force.max(0.0), wheel.mu(mu) / mu, gamma),
            ahead,
            radius: model.tyre.free_radius(wheel.radius),
        }
    }
}

impl MagicFormula {
    /// Returns the quantities of a wheel with the force of this step.
    #[inline(always)]
    pub(super) fn rolling(&self, wheel: &Wheel, force: &Force, lag: &Lag) -> Rolling {
        let load = wheel.normal_force.max(0.0);
        let rolling_radius = self.tyre.rolling_radius(wheel.radius, load, wheel.spin);
        let plain = Rolling { rolling_radius, ..Rolling::default() };
        if !self.details {
            return Rolling { aligning_moment: self.aligning(wheel, lag)[0], ..plain };
        }
        self.detailed(wheel, force, lag, plain)
    }

    /// Returns the aligning moment, N·m, and the pneumatic trail, m.
    fn aligning(&self, wheel: &Wheel, lag: &Lag) -> [f64; 2] {
        if !self.tyre.has_moment() {
            return [0.0; 2];
        }
        let at = Forwards::new(self, wheel, lag);
        let [fx, fy] = self.tyre.combined(at.kappa, at.alpha, &at.load);
        let parts = self.tyre.aligning(at.kappa, at.alpha, fy, &at.load, wheel.radius);
        [at.ahead * parts.moment(fx), parts.trail]
    }

    #[inline(never)]
    fn detailed(&self, wheel: &Wheel, force: &Force, lag: &Lag, plain: Rolling) -> Rolling {
        let at = Forwards::new(self, wheel, lag);
        let Forwards { load, radius, ahead, .. } = &at;
        let [aligning_moment, pneumatic_trail] = self.aligning(wheel, lag);
        let force = [ahead * force.fx, force.fy];
        let vertical = self.tyre.deflection(force, load, wheel.spin, *radius);
        let [contact_length, contact_width] = self.tyre.contact_patch(load.f_z, *radius);
        let [along, across] = self.tyre.relaxation_lengths(load, *radius);
        Rolling {
            aligning_moment,
            pneumatic_trail,
            overturning_moment: self.tyre.overturning_moment(force[1], load, *radius),
            resistance_moment: self.tyre.resistance_moment(force[0], load, wheel.vx, *radius),
            deflection: vertical.deflection,
            loaded_radius: if self.tyre.is_elastic() { vertical.loaded_radius } else { 0.0 },
            contact_length,
            contact_width,
            longitudinal_relaxation: along,
            lateral_relaxation: across,
            ..plain
        }
    }

    /// Returns the relaxation lengths of the file at the start of the step, m.
    #[inline(never)]
    pub(super) fn own_relaxation(&self, wheel: &Wheel, lag: &Lag) -> [f64; 2] {
        let at = Forwards::new(self, wheel, lag);
        self.tyre.relaxation_lengths(&at.load, at.radius)
    }

    /// Returns the rolling resistance coefficient of the file at the start of the step.
    #[inline(never)]
    pub(super) fn own_resistance(&self, wheel: &Wheel, lag: &Lag) -> f64 {
        let at = Forwards::new(self, wheel, lag);
        let arm = at.load.f_z * wheel.radius;
        if arm <= 0.0 {
            return 0.0;
        }
        let [fx, _] = self.tyre.combined(at.kappa, at.alpha, &at.load);
        let moment = self.tyre.resistance_moment(fx, &at.load, wheel.vx.abs(), at.radius);
        (-moment / arm).clamp(0.0, 1.0)
    }
}
