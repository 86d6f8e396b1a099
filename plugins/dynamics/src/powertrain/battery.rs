//! A battery: a constant voltage source behind a resistance.
//!
//! P = U I − R I², so I = (U − √(U² − 4 R P))/(2 R), and the charge falls with I. Source: L.
//! Guzzella and A. Sciarretta, "Vehicle Propulsion Systems", 3rd ed. 2013, sec. 4.5 (equivalent
//! circuit).
//!
//! **Limit:** the voltage does not depend on the charge, and temperature and age have no influence.

use simhost_sdk::prelude::*;

/// A battery.
#[derive(Params)]
pub struct Battery {
    /// Energy between empty and full at the open-circuit voltage. A larger value makes the charge
    /// fall more slowly.
    #[param(default = 50000.0, above = 0.0, unit = "Wh", scale = 3600.0, scaling = Scaling::POWER)]
    capacity: f64,
    /// Open-circuit voltage.
    #[param(default = 400.0, above = 0.0, unit = "V", scaling = Scaling::INVARIANT)]
    voltage: f64,
    /// Internal resistance. A larger value increases the losses under load.
    #[param(default = 0.1, range = 0.0.., unit = "Ω", scaling = Scaling::new(-3.0, 0.0))]
    resistance: f64,
    /// Largest power at the terminals when discharging.
    #[param(default = 150.0, range = 0.0.., unit = "kW", scale = 1e3, scaling = Scaling::POWER)]
    discharge_power: f64,
    /// Largest power at the terminals when charging.
    #[param(default = 60.0, range = 0.0.., unit = "kW", scale = 1e3, scaling = Scaling::POWER)]
    charge_power: f64,
    /// State of charge at the start, from 0 (empty) to 1 (full).
    #[param(default = 0.8, range = 0.0..=1.0)]
    pub(crate) initial_charge: f64,
}

impl Battery {
    /// Returns the state of charge after `used`, the share of the capacity that has been drawn
    /// since the start.
    #[inline(always)]
    pub fn charge(&self, used: f64) -> f64 {
        (self.initial_charge - used).clamp(0.0, 1.0)
    }

    /// Returns the largest power that the battery can deliver for `dt` s, W.
    #[inline(always)]
    pub fn most_out(&self, used: f64, dt: f64) -> f64 {
        let left = (self.initial_charge - used).max(0.0) * self.capacity / (self.voltage * dt);
        let peak = 0.5 * self.voltage / self.resistance.max(1e-12);
        self.discharge_power.min(self.terminals(left.min(peak)))
    }

    /// Returns the largest power that the battery can absorb for `dt` s, W.
    #[inline(always)]
    pub fn most_in(&self, used: f64, dt: f64) -> f64 {
        let room = (1.0 - self.initial_charge + used).max(0.0);
        let current = room * self.capacity / (self.voltage * dt);
        self.charge_power.min(-self.terminals(-current))
    }

    /// Returns the power at the terminals for a current, W.
    #[inline(always)]
    fn terminals(&self, current: f64) -> f64 {
        (self.voltage - self.resistance * current) * current
    }

    /// Returns the current for a power at the terminals, A. Both are positive out of the battery.
    #[inline(always)]
    pub fn current(&self, power: f64) -> f64 {
        let (u, r) = (self.voltage, self.resistance);
        // this form of the root is also valid without resistance
        2.0 * power / (u + (u * u - 4.0 * r * power).max(0.0).sqrt())
    }

    /// Returns the share of the capacity that has been drawn after `power` W for `dt` s.
    #[inline(always)]
    pub fn draw(&self, used: f64, power: f64, dt: f64) -> f64 {
        used + self.voltage * self.current(power) * dt / self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BATTERY: Battery = Battery {
        capacity: 3600e3,
        voltage: 400.0,
        resistance: 0.2,
        discharge_power: 100e3,
        charge_power: 50e3,
        initial_charge: 0.5,
    };

    #[test]
    fn the_current_fulfils_the_circuit_both_ways() {
        for power in [30e3, -30e3, 0.0, 199e3] {
            let current = BATTERY.current(power);
            assert!((400.0 * current - 0.2 * current * current - power).abs() < 1e-6);
        }
        let ideal = Battery { resistance: 0.0, ..BATTERY };
        assert_eq!(ideal.current(4e3), 10.0);
    }

    #[test]
    fn what_goes_out_is_power_and_heat() {
        let current = BATTERY.current(30e3);
        let used = (0..1000).fold(0.0, |used, _| BATTERY.draw(used, 30e3, 0.01));
        let expected = 10.0 * (30e3 + 0.2 * current * current);
        assert!((used * 3600e3 - expected).abs() < 1e-6 * expected);
        // back in: heat is lost again
        let back = (0..1000).fold(used, |used, _| BATTERY.draw(used, -30e3, 0.01));
        let current = BATTERY.current(-30e3);
        let heat = expected - 300e3 + 10.0 * 0.2 * current * current;
        assert!((back * 3600e3 - heat).abs() < 1e-6 * heat);
    }

    #[test]
    fn empty_gives_and_full_takes_nothing_more() {
        let mut used = 0.0;
        for _ in 0..100_000 {
            used = BATTERY.draw(used, BATTERY.most_out(used, 0.1), 0.1);
        }
        assert!(BATTERY.charge(used) < 1e-9 && used <= 0.5 + 1e-12, "{used}");
        assert!(BATTERY.most_out(used, 0.1) < 1e-3);
        for _ in 0..100_000 {
            used = BATTERY.draw(used, -BATTERY.most_in(used, 0.1), 0.1);
        }
        assert!(BATTERY.charge(used) > 1.0 - 1e-9 && used >= -0.5 - 1e-12, "{used}");
        assert_eq!(BATTERY.most_out(0.0, 0.1), 100e3);
        assert_eq!(BATTERY.most_in(0.0, 0.1), 50e3);
    }
}
