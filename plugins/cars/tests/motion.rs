//! Motions with closed forms.

use std::f64::consts::TAU;

use simhost_cars::car::{Car, CarState, Rest, Spring};
use simhost_cars::equations::{Acting, Equations, Touch, TyreForce, Tyres};
use simhost_sdk::vectors::Vec3;

/// Tyres without forces along the ground.
pub struct Ice;

impl Tyres for Ice {
    fn force(&self, _: usize, _: &Touch, _: &Acting, _: f64) -> TyreForce {
        TyreForce::default()
    }
    fn spin_rate(&self, _: usize, _: f64, _: &Acting, _: f64) -> f64 {
        0.0
    }
}

const DT: f64 = 1e-3;

/// A car that is symmetric in both directions, without dampers.
pub fn symmetric() -> Car {
    let mut car = Car {
        mass: 1200.0,
        height: 0.5,
        inertia: [400.0, 1500.0, 1700.0],
        x: [-1.3, -1.3, 1.3, 1.3],
        y: [0.7, -0.7, 0.7, -0.7],
        unsprung: [1e-3; 4],
        roll_arm: [0.0; 4],
        radius: [0.3; 4],
        tyre_stiffness: [2e5; 4],
        spin_inertia: [1.0; 4],
        gravity: 9.81,
        ..Car::default()
    };
    let load = car.body_load();
    car.springs = load.map(|preload| Spring { stiffness: 2e4, damping: 0.0, preload });
    car
}

fn equations<'a>(car: &'a Car, rest: &'a Rest) -> Equations<'a, Ice> {
    Equations { car, rest, tyres: &Ice }
}

pub fn at_rest(car: &Car) -> CarState {
    CarState { position: Vec3::new(0.0, 0.0, car.height), ..CarState::default() }
}

/// Returns the frequency at which a number crosses 0 upwards, Hz.
fn frequency(car: &Car, mut state: CarState, of: impl Fn(&CarState) -> f64) -> f64 {
    let rest = car.rest();
    let equations = equations(car, &rest);
    let dt = 1e-4;
    let (mut crossings, mut before) = (Vec::new(), of(&state));
    for step in 0..40_000 {
        equations.step(&mut state, [&Acting::NOTHING; 2], dt);
        let now = of(&state);
        if before < 0.0 && now >= 0.0 {
            crossings.push((f64::from(step) + before / (before - now)) * dt);
        }
        before = now;
    }
    let first = crossings[0];
    (crossings.len() - 1) as f64 / (crossings[crossings.len() - 1] - first)
}

/// Springs and tyres in series carry the body: f = √(4 k/m)/2π with k = k_s k_t/(k_s + k_t).
#[test]
fn bounce_and_pitch_have_the_frequencies_of_springs_in_series() {
    for planar in [false, true] {
        let car = Car { planar, unsprung: [4.0; 4], ..symmetric() };
        let series = 2e4 * 2e5 / 2.2e5;
        let lifted = |by: f64| {
            let mut state = at_rest(&car);
            state.velocity.z = by;
            state
        };
        let bounce = frequency(&car, lifted(0.1), |state| state.position.z - car.height);
        let expected = (4.0 * series / car.mass).sqrt() / TAU;
        assert!((bounce / expected - 1.0).abs() < 4e-3, "{bounce} Hz, expected {expected} Hz");
        let mut state = at_rest(&car);
        state.rate.y = 0.02;
        let pitch = frequency(&car, state, |state| state.angles[1]);
        // the weight above the ground topples the body
        let stiffness = 4.0 * series * 1.3 * 1.3;
        let expected = (stiffness / 1500.0).sqrt() / TAU;
        assert!((pitch / expected - 1.0).abs() < 3e-2, "{pitch} Hz, expected {expected} Hz");
    }
}

/// In the air, all parts fall by g t²/2, and the angular momentum is kept.
#[test]
fn a_car_in_the_air_falls_freely() {
    let car = Car { unsprung: [40.0; 4], ..symmetric() };
    let rest = car.rest();
    let mut state = at_rest(&car);
    // springs that are as long as they are without the weight push the wheels down
    let mut unloaded = car.clone();
    unloaded.springs = car.springs.map(|spring| Spring { preload: 0.0, ..spring });
    state.position.z += 5.0;
    state.velocity.x = 10.0;
    let equations = equations(&unloaded, &rest);
    for _ in 0..800 {
        equations.step(&mut state, [&Acting::NOTHING; 2], DT);
    }
    let fallen = car.height + 5.0 - state.position.z;
    assert!((fallen - 0.5 * 9.81 * 0.64).abs() < 1e-9, "{fallen} m");
    assert!((state.position.x - 8.0).abs() < 1e-9 && state.angles == [0.0; 3], "{state:?}");
    assert!(state.travel.iter().all(|travel| travel.abs() < 1e-12), "{state:?}");
}

/// A damped car that is dropped comes to rest where its weight holds it.
#[test]
fn a_dropped_car_comes_to_rest() {
    for planar in [false, true] {
        let mut car = Car { planar, unsprung: [40.0; 4], ..symmetric() };
        car.springs.iter_mut().for_each(|spring| spring.damping = 2e3);
        let rest = car.rest();
        let mut state = at_rest(&car);
        state.position.z += 0.3;
        state.angles = [0.05, -0.05, 0.0];
        let equations = equations(&car, &rest);
        for _ in 0..8_000 {
            equations.step(&mut state, [&Acting::NOTHING; 2], DT);
        }
        assert!((state.position.z - car.height).abs() < 1e-6, "{state:?}");
        let [roll, pitch, _] = state.angles;
        assert!(roll.abs() < 1e-6 && pitch.abs() < 1e-6, "{state:?}");
        let (_, found) = equations.rates(&state, &Acting::NOTHING);
        let load: f64 = found.touch.iter().map(|touch| touch.load).sum();
        assert!((load - (1200.0 + 160.0) * 9.81).abs() < 0.1, "{load} N");
    }
}

/// A bar shares load transfer as the stiffness that it adds in roll.
#[test]
fn a_bar_resists_roll_and_not_bounce() {
    let free = symmetric();
    let held = Car { bar: [0.0, 0.0, 8e3, 8e3], ..free.clone() };
    let frequency_of =
        |car: &Car, roll: bool| {
            let mut state = at_rest(car);
            if roll {
                state.rate.x = 0.02
            } else {
                state.velocity.z = 0.1
            }
            frequency(car, state, |state| {
                if roll { state.angles[0] } else { state.position.z - car.height }
            })
        };
    let [bounce, with_bar] = [&free, &held].map(|car| frequency_of(car, false));
    assert!((bounce / with_bar - 1.0).abs() < 1e-6);
    let [roll, with_bar] = [&free, &held].map(|car| frequency_of(car, true));
    assert!(with_bar > 1.05 * roll, "{roll} Hz and {with_bar} Hz");
}
