//! Reference numbers of every tyre, with where they come from.

#![allow(clippy::unwrap_used)]

mod burckhardt;
mod evaluation;
mod evaluation_properties;
mod fiala;
mod lugre;
mod magic_formula;
mod mfeval;
mod tir;
mod tmeasy;

use simhost_sdk::{Friction, Step, Wheel, testing};
use simhost_tyres::{Brake, Lag, Slip, SteadyTyre};

/// Panics where two numbers are further apart than `relative`.
#[track_caller]
fn close(got: f64, expected: f64, relative: f64) {
    let apart = (got - expected).abs();
    assert!(apart <= relative * expected.abs().max(1e-3), "got {got}, expected {expected}");
}

/// (F_x, F_y) on the ground of the measurement.
fn force(tyre: &impl SteadyTyre, kappa: f64, alpha: f64, load: f64) -> [f64; 2] {
    tyre.force(&Slip::of(kappa, alpha), load, 1.0)
}

/// A wheel so heavy that a step changes nothing, at 10 m/s.
fn held(kappa: f64, alpha: f64, load: f64) -> Wheel {
    let (vx, radius) = (10.0, 0.3);
    Wheel {
        vx,
        vy: vx * alpha.tan(),
        spin: vx * (1.0 + kappa) / radius,
        normal_force: load,
        gravity: load * 1e-12,
        radius,
        inertia: 1e12,
        ..testing::wheel()
    }
}

/// What a wheel that is held at a slip comes to.
fn settled<M: Friction<Inputs: Default>>(tyre: &M, wheel: &Wheel) -> [f64; 2] {
    let mut state = testing::initial::<M::State>();
    let mut force = [0.0; 2];
    let wheel = wheel.with(M::Inputs::default());
    for _ in 0..4000 {
        let given = tyre.force(&wheel, &Step::new(0.0, 0.005), &mut state);
        force = [given.fx, given.fy];
    }
    force
}

/// A tyre without a relaxation length shows the slip of its force.
fn shows_its_slip<M: Friction<State = Lag, Inputs = Brake> + SteadyTyre>() {
    let tyre: M = testing::friction(&[("C_rr", 0.0)]);
    let wheel = Wheel { inertia: 0.8, normal_force: 4000.0, radius: 0.3, ..testing::wheel() };
    let locked = Brake { brake_limit: 1e4, slope_fx: 0.0, camber: 0.0 };
    for (vx, vy, rolling, brake) in [
        (20.0, 1.0, 20.2, Brake::default()),
        (20.0, -0.3, 19.6, Brake::default()),
        (20.0, 0.0, 20.0, Brake { brake_limit: 600.0, slope_fx: 0.0, camber: 0.0 }),
        (5.0, 1.0, 0.0, locked),
    ] {
        let wheel = Wheel { vx, vy, spin: rolling / 0.3, ..wheel }.with(brake);
        let mut slip = Lag::default();
        let given = Friction::force(&tyre, &wheel, &Step::new(0.0, 0.001), &mut slip);
        let shown = Slip::along(slip.kappa, -slip.lateral);
        let [fx, fy] = SteadyTyre::force(&tyre, &shown, 4000.0, 1.0);
        assert!(
            (given.fx - fx).hypot(given.fy - fy) < 20.0,
            "{given:?}, {fx} N, {fy} N at {slip:?}"
        );
        if rolling == 0.0 {
            close(slip.kappa, -1.0, 1e-9);
        }
    }
}

/// Calls a test for each steady tyre.
macro_rules! each_steady_tyre {
    ($test:ident) => {
        $test::<simhost_tyres::fiala::Fiala>();
        $test::<simhost_tyres::tmeasy::TMeasy>();
        $test::<simhost_tyres::magic_formula::MagicFormula>();
        $test::<simhost_tyres::burckhardt::Burckhardt>();
    };
}

#[test]
fn every_steady_tyre_shows_the_slip_of_its_force() {
    each_steady_tyre!(shows_its_slip);
}

/// On the ground every steady tyre gives what its curve says, whatever its relaxation length.
fn stands_on_its_curve<M: Friction<Inputs: Default> + SteadyTyre>() {
    for relaxation_length in [0.0, 0.4] {
        let tyre: M = testing::friction(&[("relaxation_length", relaxation_length), ("C_rr", 0.0)]);
        for (kappa, alpha, load) in
            [(0.01, 0.0, 3000.0), (-0.05, 0.02, 4000.0), (0.3, -0.2, 5000.0), (-1.0, 0.1, 4000.0)]
        {
            let [fx, fy] = settled(&tyre, &held(kappa, alpha, load));
            let [curve_x, curve_y] = force(&tyre, kappa, alpha, load);
            close(fx, curve_x, 1e-6);
            close(fy, curve_y, 1e-6);
        }
    }
}

#[test]
fn every_steady_tyre_stands_on_its_curve() {
    each_steady_tyre!(stands_on_its_curve);
}
