//! A wheel with its share of the mass, integrated as in the host: standstill, constant speed, coasting.

#![allow(clippy::unwrap_used)]

use simhost_sdk::{Friction, Step, Wheel, math, testing};
use simhost_tyres::Brake;
use simhost_tyres::burckhardt::Burckhardt;
use simhost_tyres::fiala::Fiala;
use simhost_tyres::lugre::LuGre;
use simhost_tyres::magic_formula::MagicFormula;
use simhost_tyres::tmeasy::TMeasy;

const LOAD: f64 = 4000.0;
const RADIUS: f64 = 0.31;

/// A wheel with its mass and position.
struct Rig<M: Friction<Inputs = Brake>> {
    model: M,
    state: M::State,
    wheel: Wheel,
    dt: f64,
    place: [f64; 2],
    /// Force on the mass along the rolling direction without the force of the ground, N.
    pull: f64,
    brake: Brake,
}

impl<M: Friction<Inputs = Brake>> Rig<M> {
    fn new(given: &[(&str, f64)], speed: f64, dt: f64) -> Self {
        let wheel = Wheel {
            vx: speed,
            spin: speed / RADIUS,
            normal_force: LOAD,
            radius: RADIUS,
            inertia: 0.8,
            ..testing::wheel()
        };
        let model = testing::friction(given);
        let state = testing::initial::<M::State>();
        Self { model, state, wheel, dt, place: [0.0; 2], pull: 0.0, brake: Brake::default() }
    }

    /// Takes one step with a motor torque, N·m.
    fn step(&mut self, torque: f64) {
        let wheel = &mut self.wheel;
        wheel.torque = torque;
        let force =
            self.model.force(&wheel.with(self.brake), &Step::new(0.0, self.dt), &mut self.state);
        let mass = wheel.normal_force / wheel.gravity;
        wheel.spin += self.dt / wheel.inertia * (torque + force.spin_torque);
        wheel.vx += self.dt / mass * (force.fx + self.pull);
        wheel.vy += self.dt / mass * (force.fy + wheel.slope_fy);
        self.place[0] += self.dt * wheel.vx;
        self.place[1] += self.dt * wheel.vy;
    }

    /// Takes one step with a brake of up to `most`, N·m, which holds the pull.
    fn brake(&mut self, most: f64) {
        self.brake = Brake { brake_limit: most, slope_fx: self.pull, camber: 0.0 };
        self.step(0.0);
        let spin = self.wheel.spin;
        self.wheel.spin -= math::limit(spin, self.dt * most / self.wheel.inertia);
    }

    fn run(&mut self, seconds: f64, mut step: impl FnMut(&mut Self)) {
        for _ in 0..(seconds / self.dt).round() as usize {
            step(self);
        }
    }
}

fn stands_across_a_slope<M: Friction<Inputs = Brake>>(given: &[(&str, f64)], part: f64) {
    for dt in [0.001, 0.005, 0.01] {
        let mut rig = Rig::<M>::new(given, 0.0, dt);
        rig.wheel.slope_fy = part * LOAD;
        rig.run(5.0, |rig| rig.brake(1000.0));
        let start = rig.place;
        rig.run(60.0, |rig| rig.brake(1000.0));
        let crept = (rig.place[0] - start[0]).hypot(rig.place[1] - start[1]);
        assert!(crept < 1e-4, "dt {dt} s: {crept} m in a minute");
    }
}

fn brakes_to_a_stop_on_a_slope<M: Friction<Inputs = Brake>>(given: &[(&str, f64)]) {
    for dt in [0.001, 0.005, 0.01] {
        for speed in [10.0, -10.0] {
            let mut rig = Rig::<M>::new(given, speed, dt);
            rig.pull = 0.2 * LOAD;
            rig.run(20.0, |rig| rig.brake(900.0));
            assert!(rig.wheel.vx.abs() < 1e-4, "dt {dt} s: {} m/s", rig.wheel.vx);
            let start = rig.place[0];
            rig.run(60.0, |rig| rig.brake(900.0));
            let crept = (rig.place[0] - start).abs();
            assert!(crept < 1e-3, "dt {dt} s from {speed} m/s: {crept} m in a minute");
        }
    }
}

/// The slip of a driven wheel at a given speed does not depend on the length of the step.
fn cruises_alike<M: Friction<Inputs = Brake>>(given: &[(&str, f64)]) {
    let slips = [0.001, 0.002, 0.005, 0.01].map(|dt| {
        let mut rig =
            Rig::<M>::new(&[given, &[("C_rr", 0.0), ("C_damping", 0.0)]].concat(), 20.0, dt);
        rig.wheel.slope_fy = 700.0;
        rig.run(8.0, |rig| {
            rig.step(900.0 * RADIUS);
            // a change to the frame of the wheel, which has a constant acceleration
            rig.wheel.spin -= (rig.wheel.vx - 20.0) / RADIUS;
            rig.wheel.vx = 20.0;
        });
        [rig.wheel.spin * RADIUS / 20.0 - 1.0, rig.wheel.vy / 20.0]
    });
    for slip in slips {
        assert!(slip[0] > 0.001 && slip[1] > 0.001, "{slip:?}");
        for axis in 0..2 {
            assert!((slip[axis] / slips[0][axis] - 1.0).abs() < 1e-6, "{slips:?}");
        }
    }
}

fn coasts_to_rest<M: Friction<Inputs = Brake>>(given: &[(&str, f64)]) {
    for dt in [0.001, 0.01] {
        for speed in [1.0, -1.0] {
            let mut rig = Rig::<M>::new(&[given, &[("C_rr", 0.05)]].concat(), speed, dt);
            let mut last = speed.abs();
            rig.run(4.0, |rig| {
                rig.step(0.0);
                assert!(rig.wheel.spin * speed >= -1e-9, "dt {dt} s: turned to {}", rig.wheel.spin);
                last = rig.wheel.vx.abs();
            });
            assert!(last < 1e-6, "dt {dt} s: still at {last} m/s");
        }
    }
}

/// No quantity alternates between steps while a wheel brakes from 20 m/s to a stop.
fn brakes_without_chatter<M: Friction<Inputs = Brake>>(given: &[(&str, f64)]) {
    for dt in [0.001, 0.005, 0.01] {
        let mut rig = Rig::<M>::new(given, 20.0, dt);
        rig.wheel.vy = 0.3;
        let mut spins = Vec::new();
        rig.run(5.0, |rig| {
            rig.brake(700.0);
            spins.push(rig.wheel.spin);
        });
        let turns = spins.windows(3).filter(|w| {
            let (one, other) = (w[1] - w[0], w[2] - w[1]);
            one * other < 0.0 && one.abs().min(other.abs()) > 0.05
        });
        let turns = turns.count();
        assert!(turns <= 2, "dt {dt} s: the spin turns {turns} times");
    }
}

macro_rules! tyres {
    ($($name:ident $model:ty, $given:expr;)*) => { $(
        mod $name {
            use super::*;
            const GIVEN: &[(&str, f64)] = &$given;
            #[test]
            fn stands_across_a_slope_for_a_minute() {
                stands_across_a_slope::<$model>(GIVEN, 0.4);
            }
            #[test]
            fn brakes_to_a_stop_on_a_slope_and_stays() {
                brakes_to_a_stop_on_a_slope::<$model>(GIVEN);
            }
            #[test]
            fn cruises_alike_whatever_the_step() {
                cruises_alike::<$model>(GIVEN);
            }
            #[test]
            fn rolling_resistance_ends_at_rest() {
                coasts_to_rest::<$model>(GIVEN);
            }
            #[test]
            fn brakes_without_chatter_to_a_stop() {
                brakes_without_chatter::<$model>(GIVEN);
            }
        }
    )* };
}

tyres! {
    fiala Fiala, [];
    tmeasy TMeasy, [];
    magic_formula MagicFormula, [];
    burckhardt Burckhardt, [];
    lugre LuGre, [];
    relaxed_fiala Fiala, [("relaxation_length", 0.3)];
    relaxed_tmeasy TMeasy, [("relaxation_length", 0.3)];
    carcass_tmeasy TMeasy, [("cx", 185e3), ("cy", 164e3), ("dx", 9000.0), ("dy", 9000.0)];
    relaxed_magic_formula MagicFormula, [("relaxation_length", 0.3)];
    relaxed_burckhardt Burckhardt, [("relaxation_length", 0.3)];
}

/// A wheel at rest slides sideways only for a force above the maximum friction.
#[test]
fn a_slope_beyond_the_grip_is_slid_down() {
    let mut rig = Rig::<Fiala>::new(&[], 0.0, 0.005);
    rig.wheel.slope_fy = 1.2 * LOAD;
    rig.run(1.0, |rig| rig.brake(1000.0));
    // a = (1.2 − U_min) g, once it slides completely
    let expected = (1.2 - 0.5568) * 9.81;
    assert!((rig.wheel.vy / expected - 1.0).abs() < 0.02, "{} m/s", rig.wheel.vy);
}
