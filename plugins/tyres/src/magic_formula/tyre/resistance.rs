//! Overturning moment and rolling resistance.
//!
//! Source: Besselink, Schmeitz and Pacejka 2010, equations A46 and A48, as TNO's solver has them; [`TyreVariant::Book`]
//! selects 4.E69 and 4.E70 of the book. MF 5.2 has QSX1 to QSX3 and QSY1 to QSY4.
//!
//! [`TyreVariant::Book`]: super::TyreVariant::Book

use simhost_sdk::math;

use super::{Load, Tyre};

impl Tyre {
    /// Returns whether there are coefficients of the overturning moment.
    #[inline(always)]
    pub fn has_overturning(&self) -> bool {
        let p = &self.coefficients;
        [p.qsx1, p.qsx2, p.qsx3, p.qsx4, p.qsx10, p.qsx12, p.qsx13, p.qsx14]
            .iter()
            .any(|q| *q != 0.0)
    }

    /// Returns whether there are coefficients of the rolling resistance.
    #[inline(always)]
    pub fn has_resistance(&self) -> bool {
        let p = &self.coefficients;
        [p.qsy1, p.qsy2, p.qsy3, p.qsy4, p.qsy5, p.qsy6].iter().any(|q| *q != 0.0)
    }

    /// Returns the ratio of the load to the smallest one of the file, at most 1.
    fn lightness(&self, load: f64) -> f64 {
        let least = self.coefficients.fzmin;
        if !self.is_book() && load < least { load / least } else { 1.0 }
    }

    /// Returns the overturning moment M_x about the forward axis, N·m, under a lateral force, N, of a tyre of the
    /// free radius `radius`, m.
    pub fn overturning_moment(&self, fy: f64, load: &Load, radius: f64) -> f64 {
        if load.f_z <= 0.0 || !self.outputs.lateral {
            return 0.0;
        }
        let (_, _, ref load) = self.within(0.0, 0.0, load);
        let (p, gamma) = (&self.coefficients, load.gamma);
        let (side, weight) = (fy / p.fnomin, load.f_z / p.fnomin);
        let by_load = p.qsx6 * weight;
        let by_load = if self.is_book() {
            let angle = math::atan(by_load);
            angle * angle
        } else {
            math::atan(by_load * by_load)
        };
        let saturating = p.qsx4
            * math::cos(p.qsx5 * by_load)
            * math::sin(p.qsx7 * gamma + p.qsx8 * math::atan(p.qsx9 * side));
        let by_camber = p.qsx10 * math::atan(p.qsx11 * weight) - p.qsx12 * gamma.abs();
        let by_camber = by_camber - p.qsx2 * (1.0 + p.ppmx1 * self.pressure_change());
        let by_force = p.qsx3 + p.qsx13 + p.qsx14 * gamma.abs();
        let sum = p.qsx1 * p.lvmx + by_camber * gamma + by_force * side + saturating;
        let light = self.lightness(load.f_z);
        load.f_z * light * light * radius * p.lmx * sum
    }

    /// Returns the rolling resistance moment M_y about the leftward axis, N·m, negative for a wheel that rolls
    /// forwards, under a longitudinal force, N, at a speed `vx`, m/s, of a tyre of the free radius `radius`, m.
    pub fn resistance_moment(&self, fx: f64, load: &Load, vx: f64, radius: f64) -> f64 {
        if load.f_z <= 0.0 || !self.outputs.longitudinal {
            return 0.0;
        }
        let p = &self.coefficients;
        let nominal = if self.is_book() { self.nominal_load() } else { p.fnomin };
        let speed = vx / p.longvl;
        let (squared, weight) = (speed * speed, load.f_z / nominal);
        let sum =
            p.qsy1 + p.qsy2 * fx / nominal + p.qsy3 * speed.abs() + p.qsy4 * squared * squared;
        let light = self.lightness(load.f_z);
        let size = -radius * p.lmy * light * 1.0_f64.copysign(vx);
        if !self.is_61() {
            return size * load.f_z * sum;
        }
        let (_, _, Load { gamma, .. }) = self.within(0.0, 0.0, load);
        let sum = sum + (p.qsy5 + p.qsy6 * weight) * gamma * gamma;
        let has_pressure = p.nompres > 0.0 && p.inflpres > 0.0;
        let pressure = if has_pressure { self.pressure() / p.nompres } else { 1.0 };
        let shape = math::pow(weight, p.qsy7) * math::pow(pressure, p.qsy8);
        size * sum * shape * if self.is_book() { load.f_z } else { nominal }
    }
}
