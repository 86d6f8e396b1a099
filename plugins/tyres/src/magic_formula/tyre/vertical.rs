//! Deflection of the tyre under its load: loaded radius, effective rolling radius and contact patch.
//!
//! Source: Besselink, Schmeitz and Pacejka 2010, equations 1 to 5 and A3.1 to A3.7 of Pacejka 2012; MF 6.2 as in the
//! manual of MF-Tyre/MF-Swift 6.2, with camber, a lateral force that depends on the deflection, and the loaded radius
//! as the solution of an equation. The contact patch of MF 5.2 is an estimate from the stiffness unless the file has
//! Q_A1 and Q_A2.

use simhost_sdk::math;

use super::{Load, Tyre, Version};

/// Steps of the search for the loaded radius of MF 6.2, by secants and then by halves.
const STEPS: [u32; 2] = [20, 50];
/// Deviation of the load that ends the search, relative to the nominal load.
const EXACT: f64 = 1e-10;
/// Smallest part of the vertical stiffness that forces in the plane leave.
const LEAST_PART: f64 = 0.05;

/// Deflection of a tyre under its load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deflection {
    /// Deflection ρ, m.
    pub deflection: f64,
    /// Loaded radius: distance of the wheel centre from the ground along the wheel plane, m.
    pub loaded_radius: f64,
}

/// The equation of the deflection for one load.
struct Pressed<'a> {
    tyre: &'a Tyre,
    /// Radii of the free and of the rolling tyre, m.
    radius: [f64; 2],
    /// Part of the stiffness with the speed and the longitudinal force.
    part: f64,
    /// Lateral force by the nominal load.
    side: f64,
    gamma: f64,
    /// Q_FZ1.
    stiffness: f64,
    /// Scale of the force, N.
    scale: f64,
}

impl Pressed<'_> {
    /// Returns the deflection for a force, N (MF 5.2, 6.1): a root of a quadratic equation.
    fn direct(&self, load: f64) -> f64 {
        let p = &self.tyre.coefficients;
        let side = p.q_fcy * self.side;
        let part = (self.part - side * side).max(LEAST_PART);
        let (load, b) = (load / (part * self.scale), self.stiffness);
        let root = (b * b + 4.0 * p.q_fz2 * load).max(0.0).sqrt();
        let sum = b + root;
        if sum > 0.0 { self.radius[0] * 2.0 * load / sum } else { 0.0 }
    }

    /// Returns the deflection at a loaded radius, m (MF 6.2).
    fn deflection(&self, loaded: f64) -> f64 {
        let p = &self.tyre.coefficients;
        let (rolling, gamma) = (self.radius[1], self.gamma.abs());
        let upright = (rolling - loaded).max(0.0);
        let below = (p.q_cam1 + p.q_cam2 * rolling) * rolling;
        if gamma == 0.0 || below == 0.0 {
            return upright;
        }
        let width = (1.075 - 0.5 * p.aspect_ratio) * p.width;
        let ratio = (p.q_cam1 + p.q_cam2 * loaded) * loaded / below;
        let leaning = ratio * ratio * width / 8.0 * math::tan(gamma).abs();
        (upright + leaning - p.q_cam3 * upright * gamma).max(0.0)
    }

    /// Returns the force at a loaded radius, m, N (MF 6.2).
    fn force(&self, loaded: f64) -> f64 {
        let (p, gamma) = (&self.tyre.coefficients, self.gamma);
        let by_radius = self.deflection(loaded) / self.radius[0];
        let ratio = loaded / self.radius[1];
        let of_camber = (p.q_fys1 + ratio * (p.q_fys2 + p.q_fys3 * ratio)) * gamma / p.fnomin;
        let side = p.q_fcy * (self.side - of_camber) * math::pow(by_radius.max(1e-9), p.q_fcy2);
        let part = self.part - side * side;
        let stiffness = self.stiffness + p.q_fz3 * gamma * gamma;
        part * by_radius * (stiffness + p.q_fz2 * by_radius) * self.scale
    }

    /// Returns the loaded radius under a load, m (MF 6.2), or half of the radius where no larger one carries it.
    fn loaded_radius(&self, load: f64) -> f64 {
        let wanted = |loaded: f64| self.force(loaded) - load;
        let [radius, rolling] = self.radius;
        let exact = EXACT * self.tyre.coefficients.fnomin;
        let (mut before, mut at) = (radius, 0.95 * radius);
        let (mut miss_before, mut miss) = (wanted(before), wanted(at));
        for _ in 0..STEPS[0] {
            if miss.abs() <= exact {
                return at;
            }
            let next = at - miss * (at - before) / (miss - miss_before);
            if !(next > 0.0 && next < 2.0 * radius) {
                break;
            }
            (before, miss_before, at) = (at, miss, next);
            miss = wanted(at);
        }
        let (mut low, mut high) = (0.5 * radius, rolling);
        for _ in 0..STEPS[1] {
            let middle = 0.5 * (low + high);
            if wanted(middle) > 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

impl Tyre {
    /// Returns whether there are coefficients of the deflection.
    #[inline(always)]
    pub fn is_elastic(&self) -> bool {
        self.coefficients.vertical_stiffness > 0.0
    }

    /// Returns the vertical stiffness of the tyre at its pressure, N/m.
    #[inline(always)]
    fn vertical_stiffness(&self) -> f64 {
        let p = &self.coefficients;
        p.vertical_stiffness * (1.0 + p.pfz1 * self.pressure_change())
    }

    /// Returns the radius, m, of a tyre of the free radius `radius` that rolls without a load at a spin, rad/s (A3.1).
    #[inline(always)]
    fn rolling_free(&self, radius: f64, spin: f64) -> f64 {
        let p = &self.coefficients;
        let speed = spin * radius / p.longvl;
        radius * (p.q_re0 + p.q_v1 * speed * speed)
    }

    /// Returns the effective rolling radius, m, of a tyre of the free radius `radius` under a load,
    /// N, at a spin, rad/s (A3.1, A3.7), or the radius of the wheel without coefficients for it.
    #[inline(always)]
    pub fn rolling_radius(&self, radius: f64, load: f64, spin: f64) -> f64 {
        let p = &self.coefficients;
        if !self.is_elastic() {
            return radius;
        }
        let load = load / p.fnomin;
        let at_low_loads = p.dreff * math::atan(p.breff * load);
        let lower = p.fnomin / self.vertical_stiffness() * (at_low_loads + p.freff * load);
        (self.rolling_free(radius, spin) - lower).max(0.5 * radius).min(2.0 * radius)
    }

    /// Returns the deflection under a load, and with forces in the plane of the ground, N, at a spin, rad/s, of a tyre
    /// of the free radius `radius`, m.
    pub fn deflection(
        &self,
        [fx, fy]: [f64; 2],
        load: &Load,
        spin: f64,
        radius: f64,
    ) -> Deflection {
        let p = &self.coefficients;
        let rolling = self.rolling_free(radius, spin);
        if load.f_z <= 0.0 || !self.is_elastic() {
            return Deflection { deflection: 0.0, loaded_radius: rolling };
        }
        let along = p.q_fcx * fx / p.fnomin;
        let stiff = p.vertical_stiffness * radius / p.fnomin;
        let pressed = Pressed {
            tyre: self,
            radius: [radius, rolling],
            part: 1.0 + p.q_v2 * radius / p.longvl * spin.abs() - along * along,
            side: fy / p.fnomin,
            gamma: load.gamma,
            stiffness: (stiff * stiff - 4.0 * p.q_fz2).max(0.0).sqrt(),
            scale: (1.0 + p.pfz1 * self.pressure_change()).max(LEAST_PART) * p.fnomin,
        };
        if self.version == Version::Mf62 {
            let loaded_radius = pressed.loaded_radius(load.f_z);
            return Deflection { deflection: pressed.deflection(loaded_radius), loaded_radius };
        }
        let deflection = pressed.direct(load.f_z);
        Deflection { deflection, loaded_radius: (rolling - deflection).max(0.0) }
    }

    /// Returns length and width of the contact patch under a load, N, m, of a tyre of the free radius `radius`, m.
    pub fn contact_patch(&self, load: f64, radius: f64) -> [f64; 2] {
        let p = &self.coefficients;
        if load <= 0.0 || !self.is_elastic() {
            return [0.0; 2];
        }
        if self.is_61() {
            let by_radius = (load / (self.vertical_stiffness() * radius)).max(0.0);
            let root = by_radius.sqrt();
            let cube = math::pow(by_radius, 1.0 / 3.0);
            let half = radius * (p.q_ra2 * by_radius + p.q_ra1 * root);
            return [2.0 * half, 2.0 * p.width * (p.q_rb2 * by_radius + p.q_rb1 * cube)];
        }
        let (root, whole) = if p.q_a1 == 0.0 && p.q_a2 == 0.0 {
            let stiff =
                math::ln(radius * p.vertical_stiffness / p.fnomin) / std::f64::consts::LN_10;
            let root = 0.6279 - stiff * (0.6283 - stiff * (0.2509 - 0.0388 * stiff));
            (root, 1.693 * root * root)
        } else {
            (p.q_a1, p.q_a2)
        };
        let load = load / p.fnomin;
        [2.0 * radius * (whole * load + root * load.sqrt()), p.width]
    }
}
