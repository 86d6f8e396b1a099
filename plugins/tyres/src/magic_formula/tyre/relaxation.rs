//! Stiffness of the standing tyre, and relaxation lengths.
//!
//! MF 5.2 has relaxation lengths of its own (PTX, PTY); in 6.1 and 6.2 they are the slip stiffness divided by the
//! stiffness of the standing tyre (A4, A5 of Besselink, Schmeitz and Pacejka 2010; 7.15 of Pacejka 2012).

use simhost_sdk::math;

use super::{Load, Tyre};

impl Tyre {
    /// Returns the longitudinal and the lateral stiffness of the standing tyre, N/m; 0 without coefficients.
    #[inline(always)]
    pub fn standing_stiffness(&self, load: &Load) -> [f64; 2] {
        let (p, df, dp) = (&self.coefficients, self.load_change(load), self.pressure_change());
        let along = (1.0 + df * (p.pcfx1 + p.pcfx2 * df)) * (1.0 + p.pcfx3 * dp);
        let across = (1.0 + df * (p.pcfy1 + p.pcfy2 * df)) * (1.0 + p.pcfy3 * dp);
        [p.longitudinal_stiffness * along, p.lateral_stiffness * across]
    }

    /// Returns whether there are coefficients of the relaxation lengths.
    #[inline(always)]
    pub fn has_relaxation(&self) -> bool {
        let p = &self.coefficients;
        if self.is_61() {
            p.longitudinal_stiffness > 0.0 && p.lateral_stiffness > 0.0
        } else {
            p.ptx1 != 0.0 && p.pty1 != 0.0 && p.pty2 != 0.0
        }
    }

    /// Returns the longitudinal and the lateral relaxation length, m, of a tyre of the free radius `radius`, m; 0
    /// without coefficients.
    #[inline(always)]
    pub fn relaxation_lengths(&self, load: &Load, radius: f64) -> [f64; 2] {
        let (_, _, ref load) = self.within(0.0, 0.0, load);
        let (p, df) = (&self.coefficients, self.load_change(load));
        if self.is_61() {
            let stiffness = self.standing_stiffness(load);
            let gamma = self.lateral_camber(load);
            let slip = [self.slip_stiffness(load), self.cornering_stiffness(load, gamma)];
            return [0, 1].map(|axis| {
                if stiffness[axis] > 0.0 { (slip[axis] / stiffness[axis]).abs() } else { 0.0 }
            });
        }
        let along = (p.ptx1 + p.ptx2 * df) * math::exp(-p.ptx3 * df);
        let angle =
            if p.pty2 == 0.0 { 0.0 } else { math::atan(load.f_z / (p.pty2 * self.nominal_load())) };
        let across = p.pty1 * math::sin(2.0 * angle) * (1.0 - p.pky3 * load.gamma.abs());
        [
            (along * p.lsgkp * radius * load.f_z / p.fnomin).max(0.0),
            (across * radius * p.lfzo * p.lsgal).max(0.0),
        ]
    }
}
