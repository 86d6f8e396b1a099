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
        let bare = Rolling { rolling_radius, ..Rolling::default() };
        if self.is_bare { bare } else { self.detailed(wheel, force, lag, bare) }
    }

    #[inline(never)]
    fn detailed(&self, wheel: &Wheel, force: &Force, lag: &Lag, bare: Rolling) -> Rolling {
        let at = Forwards::new(self, wheel, lag);
        let Forwards { load, radius, ahead, .. } = &at;
        let aligning = if self.tyre.has_moment() {
            let [fx, fy] = self.tyre.combined(at.kappa, at.alpha, load);
            let parts = self.tyre.aligning(at.kappa, at.alpha, fy, load, wheel.radius);
            [ahead * parts.moment(fx), parts.trail]
        } else {
            [0.0; 2]
        };
        let force = [ahead * force.fx, force.fy];
        let vertical = self.tyre.deflection(force, load, wheel.spin, *radius);
        let [contact_length, contact_width] = self.tyre.contact_patch(load.f_z, *radius);
        let [along, across] = self.tyre.relaxation_lengths(load, *radius);
        Rolling {
            aligning_moment: aligning[0],
            pneumatic_trail: aligning[1],
            overturning_moment: self.tyre.overturning_moment(force[1], load, *radius),
            resistance_moment: self.tyre.resistance_moment(force[0], load, wheel.vx, *radius),
            deflection: vertical.deflection,
            loaded_radius: if self.tyre.is_elastic() { vertical.loaded_radius } else { 0.0 },
            contact_length,
            contact_width,
            longitudinal_relaxation: along,
            lateral_relaxation: across,
            ..bare
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

    /// Returns whether the tyre has none of the quantities of a wheel but its rolling radius.
    pub(super) fn has_no_details(&self) -> bool {
        let tyre = &self.tyre;
        let has_moment = tyre.has_moment() || tyre.has_overturning() || tyre.has_resistance();
        !(has_moment || tyre.is_elastic() || tyre.has_relaxation())
    }
}
