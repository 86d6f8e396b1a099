//! Air drag, rolling resistance, and the impulses on the car in a step.
//!
//! Source: driving-lab manual, section 3.3. Corrected: the drag opposes the velocity, also in reverse;
//! the printed rolling resistance is the coefficient, which is multiplied by the normal load.

use simhost_sdk::vectors::Vec3;

/// Returns −½ ρ Cd A |v| v, N, for an `area` Cd A in m², the density of the air in kg/m³ and a velocity
/// in m/s.
#[inline(always)]
pub fn drag(density: f64, area: f64, velocity: Vec3) -> Vec3 {
    let factor = -0.5 * density * area * velocity.length();
    factor * velocity
}

/// Coefficients of the rolling resistance a + (b + c (v/100)²)/p, with the speed v in km/h and the tyre
/// pressure p in bar.
///
/// Source: *The Engineering ToolBox*, rolling resistance, as cited by the driving-lab manual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingResistance {
    /// Constant part a.
    pub constant: f64,
    /// Part b at 1 bar.
    pub pressure: f64,
    /// Part c at 1 bar and 100 km/h.
    pub speed: f64,
}

impl RollingResistance {
    /// Returns the share of the normal load, for a speed in m/s and a tyre pressure in bar.
    #[inline(always)]
    pub fn coefficient(&self, speed: f64, pressure: f64) -> f64 {
        let hundreds = 3.6 * speed / 100.0;
        self.constant + (self.pressure + self.speed * hundreds * hundreds) / pressure
    }
}

/// Impulses that acted on a body in a step, N·s, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulses {
    /// Weight.
    pub gravity: Vec3,
    /// Drag.
    pub air: Vec3,
    /// Rolling resistance of all wheels.
    pub rolling: Vec3,
    /// Side friction of all wheels.
    pub side: Vec3,
}

impl Impulses {
    /// Adds the forces of another step.
    pub fn add(&mut self, other: &Self) {
        self.gravity += other.gravity;
        self.air += other.air;
        self.rolling += other.rolling;
        self.side += other.side;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const G: f64 = 9.81;

    fn is_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }

    #[test]
    fn j5_3_drag_opposes_the_velocity_in_both_directions() {
        let area = 0.3 * 2.422911;
        is_near(drag(1.225, area, Vec3::new(30.0, 0.0, 0.0)).x, -400.689, 5e-4);
        is_near(drag(1.225, area, Vec3::new(-30.0, 0.0, 0.0)).x, 400.689, 5e-4);
    }

    #[test]
    fn j5_5_rolling_resistance_is_a_share_of_the_load() {
        let rolling = RollingResistance { constant: 0.005, pressure: 0.01, speed: 0.0095 };
        for (speed, expected, force) in [
            (0.0, 0.009, 158.922),
            (10.0, 0.00949248, 167.618),
            (100.0 / 3.6, 0.0128, 226.022),
            (36.0, 0.0153825408, f64::NAN),
        ] {
            let coefficient = rolling.coefficient(speed, 2.5);
            is_near(coefficient, expected, 1e-12);
            assert!(force.is_nan() || (coefficient * 1800.0 * G - force).abs() < 1e-3);
        }
    }
}
