//! The variable gear ratio between steering wheel and tyre.
//!
//! The ratio is a + b v² − c |θ| for the angle θ of the steering wheel and the speed v. Source: Autoware
//! `simple_planning_simulator` 1.0.0, `SimModelActuationCmdVGR`.

use simhost_sdk::prelude::*;

/// Coefficients of the gear ratio.
#[derive(Clone, Copy, Debug, Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct GearRatio {
    /// Gear ratio of the steering at rest and straight ahead. A larger value makes the tyre turn less.
    #[param(default = 15.713, above = 0.0, range = ..=1000.0)]
    pub vgr_coef_a: f64,
    /// Increase of the ratio with the square of the speed. A larger value makes the tyre turn less at
    /// speed.
    #[param(default = 0.053, range = -10.0..=10.0, unit = "s²/m²")]
    pub vgr_coef_b: f64,
    /// Decrease of the ratio with the angle of the steering wheel. A larger value makes the tyre turn more
    /// at large angles.
    #[param(default = 0.042, range = -10.0..=10.0, unit = "1/rad")]
    pub vgr_coef_c: f64,
}

impl GearRatio {
    /// Returns the angle of the steering wheel, rad, at which the tyre has an angle, rad, at a speed, m/s.
    pub fn wheel(&self, speed: f64, tyre: f64) -> f64 {
        let straight = self.vgr_coef_a + self.vgr_coef_b * speed * speed;
        straight * tyre / (1.0 + self.vgr_coef_c * tyre.abs())
    }

    /// Returns the gear ratio for an angle of the steering wheel, rad, at a speed, m/s.
    pub fn ratio(&self, speed: f64, wheel: f64) -> f64 {
        let straight = self.vgr_coef_a + self.vgr_coef_b * speed * speed;
        (straight - self.vgr_coef_c * wheel.abs()).max(1e-5)
    }

    /// Returns the target of the tyre, rad, for a command of the steering wheel, rad, with the gear ratio
    /// that belongs to the present angle of the tyre, rad.
    pub fn tyre_target(&self, speed: f64, tyre: f64, command: f64) -> f64 {
        command / self.ratio(speed, self.wheel(speed, tyre))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheel_ratio_and_target_are_those_of_the_source() {
        let vgr = GearRatio { vgr_coef_a: 15.713, vgr_coef_b: 0.053, vgr_coef_c: 0.042 };
        // speed, tyre, command; wheel, ratio, target: computed from the equations, 12 digits
        let cases = [
            [0.0, 0.1, 1.0, 1.5647281418, 15.647281418, 0.0639088652708],
            [5.0, 0.1, 1.0, 1.69667396933, 16.9667396933, 0.0589388425872],
            [10.0, 0.2, 3.0, 4.16759222531, 20.8379611265, 0.143968019797],
            [20.0, -0.3, -5.0, -10.936105076, 36.4536835868, -0.137160350012],
        ];
        for [speed, tyre, command, wheel, ratio, target] in cases {
            let near = |found: f64, expected: f64| {
                assert!((found / expected - 1.0).abs() < 1e-11, "{found} {expected}");
            };
            near(vgr.wheel(speed, tyre), wheel);
            near(vgr.ratio(speed, vgr.wheel(speed, tyre)), ratio);
            near(vgr.tyre_target(speed, tyre, command), target);
            // the wheel angle of a tyre leads to that tyre
            let wheel = vgr.wheel(speed, tyre);
            assert!((wheel / vgr.ratio(speed, wheel) - tyre).abs() < 1e-12);
        }
    }
}
