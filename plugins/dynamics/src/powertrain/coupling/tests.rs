#![allow(clippy::unwrap_used)]

use super::*;

const RIGID: Shaft = Shaft { stiffness: 0.0, damping: 0.0 };
const DT: f64 = 0.001;

fn source(torque: f64, capacity: f64) -> Source {
    Source { torque, inertia: 0.3, ratio: 10.0, efficiency: 1.0, capacity }
}

fn standing() -> Coupled {
    Coupled { engine: 200.0, twist: 0.0, locked: false }
}

/// Turns an inertia of `load` kg·m² behind the coupling, and returns its speed and the time at which the
/// clutch locks.
fn pull_away(shaft: &Shaft, load: f64, seconds: f64) -> (f64, Option<f64>, Coupled) {
    let (mut wheels, mut state, mut locked) = (0.0, standing(), None);
    for step in 0..(seconds / DT) as usize {
        let [torque, added] = transmit(shaft, &source(100.0, 150.0), wheels, 10.0, DT, &mut state);
        wheels += DT * torque / (load + added);
        if state.locked && locked.is_none() {
            locked = Some(step as f64 * DT);
        }
    }
    (wheels, locked, state)
}

/// With 150 N·m of the clutch the load gains 75 rad/s² at the engine and the engine loses 166.7: both
/// meet after 200/(75 + 166.7) s. Then 1000 N·m turn load and engine together.
#[test]
fn a_clutch_slips_with_its_capacity_until_both_sides_turn_alike() {
    let (_, locked, _) = pull_away(&RIGID, 200.0, 1.0);
    let expected = 200.0 / (75.0 + 50.0 / 0.3);
    assert!((locked.unwrap() - expected).abs() < 3.0 * DT, "{locked:?} {expected}");
    let (one, ..) = pull_away(&RIGID, 200.0, 2.0);
    let (two, _, state) = pull_away(&RIGID, 200.0, 3.0);
    assert!((two - one - 1000.0 / 230.0).abs() < 1e-9, "{}", two - one);
    assert!((state.engine - 10.0 * two).abs() < 0.1);
}

#[test]
fn a_clutch_that_is_too_weak_slips_again() {
    let mut state = Coupled { engine: 300.0, twist: 0.0, locked: true };
    transmit(&RIGID, &source(100.0, 80.0), 30.0, 80.0, DT, &mut state);
    assert!(!state.locked);
    let [torque, added] = transmit(&RIGID, &source(100.0, 80.0), 30.0, 80.0, DT, &mut state);
    assert_eq!([torque, added], [800.0, 0.0]);
    assert!((state.engine - 300.0 - DT * 20.0 / 0.3).abs() < 1e-9);
}

/// In neutral the engine turns on its own; it never turns below its idle speed.
#[test]
fn without_a_gear_the_engine_turns_on_its_own() {
    let mut state = standing();
    let neutral = Source { ratio: 0.0, ..source(30.0, 150.0) };
    assert_eq!(transmit(&RIGID, &neutral, 5.0, 80.0, DT, &mut state), [0.0; 2]);
    assert!((state.engine - 200.1).abs() < 1e-9);
    let drag = Source { torque: -1e6, ..neutral };
    transmit(&RIGID, &drag, 5.0, 80.0, DT, &mut state);
    assert_eq!(state.engine, 80.0);
}

/// Two inertias on a spring oscillate with √(k (1/J₁ + 1/J₂)); backward Euler damps a little.
#[test]
fn a_shaft_oscillates_with_its_natural_frequency_and_carries_the_torque() {
    let shaft = Shaft { stiffness: 5000.0, damping: 0.0 };
    let (mut wheels, mut crossings) = (30.0, Vec::new());
    let mut state = Coupled { engine: 300.0, twist: 0.0, locked: true };
    let dt = 1e-4;
    for step in 0..20_000 {
        let before = state.twist - 0.1;
        let up = source(60.0, f64::INFINITY);
        let [torque, added] = transmit(&shaft, &up, wheels, 80.0, dt, &mut state);
        assert_eq!(added, 0.0);
        wheels += dt * (torque - 500.0) / 20.0;
        if before < 0.0 && state.twist >= 0.1 {
            crossings.push(step as f64 * dt);
        }
    }
    let period = (crossings[4] - crossings[0]) / 4.0;
    let expected = std::f64::consts::TAU / f64::sqrt(5000.0 * (1.0 / 30.0 + 1.0 / 20.0));
    assert!((period - expected).abs() < 0.01 * expected, "{period} {expected}");
}

/// With damping the twist settles at T/k, with the torque that accelerates the load.
#[test]
fn a_damped_shaft_settles() {
    let shaft = Shaft { stiffness: 8000.0, damping: 100.0 };
    let (wheels, _, state) = pull_away(&shaft, 200.0, 4.0);
    let torque = 1000.0 * 200.0 / 230.0;
    assert!((state.twist - torque / 8000.0).abs() < 1e-4, "{state:?} at {wheels}");
}

#[test]
fn a_clutch_engages_between_idle_and_its_speed() {
    let clutch = Clutch { torque: 300.0, engaged_speed: 200.0 };
    assert_eq!(clutch.capacity(90.0, 100.0), 0.0);
    assert_eq!(clutch.capacity(150.0, 100.0), 150.0);
    assert_eq!(clutch.capacity(900.0, 100.0), 300.0);
    assert!(clutch.prepare(200.0).unwrap_err().contains("expected more than <idle_speed>"));
    assert_eq!(clutch.prepare(100.0), Ok(()));
}
