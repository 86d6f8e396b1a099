#![allow(clippy::unwrap_used)]

use crate::prelude::*;
use crate::testing::parameters::Given::Number;
use crate::testing::{self, Platform, Sampler};

/// A tyre.
#[derive(Debug, Params)]
struct Tyre {
    /// Friction coefficient.
    #[param(default = 0.8, range = 0.0..=2.0)]
    mu: f64,
    /// Angle of full slip.
    #[param(default = 180.0, above = 0.0, unit = "deg", scale = 0.5)]
    angle: f64,
    /// Curve.
    #[param(default = [1.0, 2.0])]
    curve: [f64; 2],
}

#[model]
impl Friction for Tyre {
    fn prepare(&mut self) -> Result<(), String> {
        if self.mu == 1.0 { Err("not this one".into()) } else { Ok(()) }
    }
    fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
        Force::default()
    }
}

#[test]
fn parameters_are_those_of_a_world_file() {
    let tyre: Tyre = testing::friction(&[("mu", 0.5)]);
    assert_eq!((tyre.mu, tyre.angle, tyre.curve), (0.5, 90.0, [1.0, 2.0]));
    let tyre: Tyre = testing::friction(&[("angle", 10.0)]);
    assert_eq!((tyre.mu, tyre.angle), (0.8, 5.0));
}

#[test]
fn wrong_parameters_are_refused_with_their_names() {
    let refusal = |given: &[(&str, f64)]| {
        let given: Vec<_> = given.iter().map(|(key, number)| (*key, Number(*number))).collect();
        super::parameters::make::<Tyre>(&given).err().unwrap()
    };
    assert_eq!(
        refusal(&[("nu", 1.0)]),
        "unknown parameter `nu`; expected one of: mu, angle, curve"
    );
    assert_eq!(refusal(&[("mu", 3.0)]), "`mu` = 3 is out of range 0 … 2");
    assert_eq!(refusal(&[("angle", 0.0)]), "`angle` = 0 is out of range 0 … inf");
    assert_eq!(refusal(&[("mu", 1.0)]), "not this one");
}

/// A torque.
#[derive(Ports)]
struct Torque {
    /// On every wheel.
    #[port(unit = "N·m")]
    torque: f64,
}

/// Calls so far.
#[derive(State)]
struct Calls {
    /// Number.
    #[state(counter, initial = 2.0)]
    calls: f64,
}

/// Three wheels.
#[derive(Params)]
struct Tricycle {}

#[model]
impl Dynamics for Tricycle {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("a", 1.0, 0.0).steered(),
        WheelPlace::at("b", 0.0, 0.5),
        WheelPlace::at("c", 0.0, -0.5),
    ];
    const CHASSIS: Chassis =
        Chassis { mass: 1.0, z_min: 0.0, z_max: 1.0, polygon: &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0] };
    fn drive(&self, given: &Torque, wheels: &mut Wheels, _: &Step, state: &mut Calls) {
        state.calls += 1.0;
        for wheel in 0..wheels.count() {
            wheels.set_torque(wheel, given.torque * state.calls);
        }
        wheels.set_steer(0, wheels.x(0));
    }
    fn measure(&self, wheels: &WheelMotion) -> Torque {
        Torque { torque: wheels.rolling_speed(2) }
    }
}

#[test]
fn a_platform_is_driven_and_measured() {
    let model: Tricycle = testing::dynamics(&[]);
    let mut platform = Platform::new(&model);
    for calls in [3.0, 4.0] {
        let driven = platform.drive(&Torque { torque: 2.0 }, &testing::step());
        assert_eq!(driven.wheels, [2.0 * calls; 3]);
        assert_eq!(driven.steer, [1.0, 0.0, 0.0]);
    }
    platform.roll(1.0, 0.4);
    assert!((platform.measure().torque - 1.2).abs() < 1e-12);
}

/// Two rays.
#[derive(Params)]
struct Feelers {}

#[derive(Clone, Copy, RayPorts)]
enum Felt {
    /// Range.
    #[port(unit = "m")]
    Range,
}

#[model]
impl Sensor for Feelers {
    fn rays(&self) -> usize {
        2
    }
    fn aim(&self, aim: &mut Aim, random: &mut Random) {
        aim.max_range = 3.0;
        aim.angles.fill(random.uniform());
    }
    fn read(
        &self,
        inputs: &Torque,
        rays: &mut RayReadings<Felt>,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) -> Torque {
        for ray in 0..2 {
            rays.set(Felt::Range, ray, 2.0 * rays.ranges[ray]);
        }
        Torque { torque: inputs.torque + random.uniform() }
    }
}

#[test]
fn a_sensor_is_aimed_and_read() {
    let model: Feelers = testing::sensor(&[]);
    let mut sampler = Sampler::new(&model);
    let fan = sampler.aim(7);
    assert_eq!((fan.max_range, fan.see_bodies, fan.angles.len()), (3.0, true, 2));
    let mut read =
        |key| sampler.read(&Torque { torque: 1.0 }, &[1.0, f64::INFINITY], key, &testing::step());
    let sample = read(7);
    assert_eq!(sample.rays, [[2.0, f64::INFINITY]]);
    assert_eq!(sample.readings.torque, read(7).readings.torque);
    assert_ne!(sample.readings.torque, read(8).readings.torque);
}
