//! Battery: its voltage and state of charge under the power that the actuators of its vehicle draw.
//!
//! A constant voltage source U with the voltage drop v of one RC pair: τ dv/dt = R I − v, I = P/(U − v). Source:
//! G. L. Plett, *Battery Management Systems*, vol. 1, 2015, section 2.4 (Thevenin model, all resistance in the pair).
//! The drop is exact for a current that is constant between two samples. The energy U I is drawn: P reaches the
//! actuators, and v I becomes heat.
//!
//! Limits: the power of the step that ends with a sample counts for the whole time since the sample before, so that
//! the battery is exact where it is sampled in each step. The voltage does not depend on the charge. An empty battery
//! has no voltage, and a full battery turns further energy into heat.

use simhost_sdk::prelude::*;

/// Battery that actuators share: it reads their power, and they read its voltage.
#[derive(Params)]
pub struct Battery {
    /// Energy between empty and full at the open-circuit voltage. A larger value makes the charge fall more slowly.
    #[param(default = 500.0, above = 0.0, unit = "Wh", scale = 3600.0, scaling = Scaling::POWER)]
    capacity: f64,
    /// Open-circuit voltage, U.
    #[param(default = 24.0, above = 0.0, unit = "V", scaling = Scaling::INVARIANT)]
    open_circuit_voltage: f64,
    /// Internal resistance, R. A larger value makes the voltage fall more under load.
    #[param(default = 0.05, range = 0.0.., unit = "Ω", scaling = Scaling::new(-3.0, 0.0))]
    resistance: f64,
    /// Time constant τ with which the voltage follows the current; 0 for none. A smaller value makes motors and
    /// battery oscillate if the resistance of the battery is large.
    #[param(default = 0.05, range = 0.0.., unit = "s", scaling = Scaling::INVARIANT)]
    time_constant: f64,
    /// State of charge at the start, from 0 (empty) to 1 (full).
    #[param(default = 1.0, range = 0.0..=1.0, per_lane, scaling = Scaling::INVARIANT)]
    initial_charge: f64,
    /// Power of computers and lights, which is always drawn.
    #[param(default = 0.0, range = 0.0.., unit = "W", scaling = Scaling::POWER)]
    auxiliary_power: f64,
}

/// Power that the actuators draw.
#[derive(Ports)]
pub struct Load {
    /// Electric power of each actuator, positive out of the battery.
    #[port(unit = "W")]
    pub power: Reading,
}

/// The readings.
#[derive(Ports)]
pub struct Terminals {
    /// Voltage at the terminals; 0 if the battery is empty.
    #[port(unit = "V")]
    voltage: f64,
    /// Current, positive out of the battery.
    #[port(unit = "A")]
    current: f64,
    /// State of charge, from 0 (empty) to 1 (full).
    #[port(unit = "1")]
    state_of_charge: f64,
    /// Power at the terminals, positive out of the battery.
    #[port(unit = "W")]
    total_power: f64,
}

/// Charge and voltage drop between samples.
#[derive(State)]
pub struct Drained {
    /// State of charge.
    #[state(unit = "1", initial_from = "initial_charge")]
    charge: f64,
    /// Voltage drop by the current, v.
    #[state(unit = "V")]
    drop: f64,
    /// Time of the last sample.
    #[state(unit = "s")]
    sampled: f64,
}

#[model]
impl Sensor for Battery {
    fn read(
        &self,
        load: &Load,
        _: &mut RayReadings,
        _: &mut Random,
        step: &Step,
        state: &mut Drained,
    ) -> Terminals {
        let dt = step.time - state.sampled;
        state.sampled = step.time;
        let drawn = load.power.values().iter().sum::<f64>() + self.auxiliary_power;
        let source = self.open_circuit_voltage;
        // an empty battery gives no power, but takes some
        let power = if state.charge > 0.0 { drawn } else { drawn.min(0.0) };
        let current = power / (source - state.drop);
        state.charge = (state.charge - source * current * dt / self.capacity).clamp(0.0, 1.0);
        let rest = if self.time_constant > 0.0 { math::exp(-dt / self.time_constant) } else { 0.0 };
        let steady = self.resistance * current;
        // a source gives its largest power at half of its voltage
        state.drop = (steady + (state.drop - steady) * rest).min(0.5 * source);
        let voltage = if state.charge > 0.0 { source - state.drop } else { 0.0 };
        Terminals { voltage, current, state_of_charge: state.charge, total_power: power }
    }
}

#[cfg(test)]
mod tests {
    use simhost_sdk::testing::{self, Sampler};

    use super::*;

    /// Samples a battery of 1 Wh under a power, W, `count` times, every 0.1 s, and returns all readings.
    fn drained(given: &[(&str, f64)], powers: &'static [f64], count: usize) -> Vec<Terminals> {
        let battery: Battery = testing::sensor(&[&[("capacity", 1.0)], given].concat());
        let mut sampler = Sampler::new(&battery);
        *sampler.state("charge") = battery.initial_charge;
        let load = || Load { power: Reading::of(powers) };
        let sample = |number: usize| {
            let step = Step::new(0.1 * (number + 1) as f64, 0.1);
            sampler.read(&load(), &[], 0, &step).readings
        };
        (0..count).map(sample).collect()
    }

    #[test]
    fn the_charge_falls_by_the_energy() {
        let all =
            drained(&[("resistance", 0.0), ("auxiliary_power", 5.0)], &[10.0, 20.0, -5.0], 100);
        let last = all.last().expect("samples");
        assert!((last.state_of_charge - (1.0 - 30.0 * 10.0 / 3600.0)).abs() < 1e-12);
        assert_eq!((last.voltage, last.total_power), (24.0, 30.0));
    }

    #[test]
    fn the_voltage_settles_where_the_circuit_does() {
        let all = drained(&[("resistance", 0.5), ("capacity", 1000.0)], &[100.0], 100);
        let last = all.last().expect("samples");
        assert!((last.voltage - (24.0 - 0.5 * last.current)).abs() < 1e-9, "{}", last.voltage);
        assert!((last.voltage * last.current - 100.0).abs() < 1e-9);
        // all that is drawn is power and heat
        let used: f64 = all.iter().map(|one| 24.0 * one.current * 0.1).sum();
        assert!((last.state_of_charge - (1.0 - used / 3.6e6)).abs() < 1e-12);
    }

    #[test]
    fn empty_gives_and_full_takes_nothing_more() {
        let all = drained(&[("initial_charge", 0.01)], &[100.0], 20);
        let last = all.last().expect("samples");
        assert_eq!((last.voltage, last.state_of_charge, last.total_power), (0.0, 0.0, 0.0));
        let all = drained(&[], &[-100.0], 20);
        let last = all.last().expect("samples");
        assert_eq!(last.state_of_charge, 1.0);
        assert!(last.voltage > 24.0);
    }
}
