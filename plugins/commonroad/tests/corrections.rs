//! Effect of each correction of the reference: one value with the defect and one without it.
//!
//! `cargo test corrections -- --nocapture` prints the values.

#![allow(clippy::print_stdout)]

use std::f64::consts::FRAC_PI_2;

use simhost_commonroad::defects::Defects;
use simhost_commonroad::models::{drift, multi_body, single_track, trailer};
use simhost_commonroad::parameters::{BMW_320I, TRUCK_TRAILER, TYRE};
use simhost_commonroad::tyre::{self, Contact};
use simhost_commonroad::{low_speed, wheel};

/// Prints both values and compares them with the values at the time of the correction.
fn changes(what: &str, [before, after]: [f64; 2], expected: [f64; 2]) {
    println!("{what}: {before} before, {after} after");
    for (found, expected) in [before, after].into_iter().zip(expected) {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-6, "{what}: {found}, expected {expected}");
    }
}

const NONE: Defects = Defects::NONE;

/// Defect 1: Fx at κ = 0 and 4 kN.
#[test]
fn the_vertical_shift_of_the_longitudinal_force() {
    let contact = Contact { kappa: 0.0, alpha: 0.0, gamma: 0.0, f_z: 4000.0 };
    let force = |defects| tyre::pure(&TYRE, &contact, defects).f_x;
    let defects = Defects { shift_in_sine: true, ..NONE };
    changes(
        "F_x0 of a wheel that rolls, N",
        [force(defects), force(NONE)],
        [-55.774_727_839_6, 109.647_932_020_2],
    );
}

/// Defect 2: dβ/dδ at 0.6 rad.
#[test]
fn the_rate_of_the_slip_free_slip_angle() {
    let rate = |squared| low_speed::beta_rate(BMW_320I.a, BMW_320I.b, [0.6, 1.0], squared);
    changes("dβ/dδ at 0.6 rad", [rate(true), rate(false)], [0.759_259_642_7, 0.708_900_214_6]);
    // the slope of atan(tan δ b/L)
    let beta = |steer: f64| {
        low_speed::SlipFree::of(BMW_320I.a, BMW_320I.b, [steer, 0.0], [0.0; 2], false).beta
    };
    let slope = (beta(0.6 + 1e-5) - beta(0.6 - 1e-5)) / 2e-5;
    assert!((slope - rate(false)).abs() < 1e-9, "{slope}");
}

/// Defect 3: ψ̈ of a body at walking pace with and without roll.
#[test]
fn roll_is_no_slip_angle() {
    let yaw = |roll: f64, defects| {
        let mut x = multi_body::initial(&BMW_320I, [0.0, 0.0, 0.3, 0.05, 0.0, 0.0, 0.0]);
        x[6] = roll;
        multi_body::derivative(&BMW_320I, &x, [0.1, 2.0], defects)[5]
    };
    let by_roll = |defects| yaw(0.3, defects) - yaw(0.0, defects);
    let before = Defects { roll_as_slip: true, hard_switch: true, ..NONE };
    changes(
        "part of the roll in ψ̈, rad/s²",
        [by_roll(before), by_roll(NONE)],
        [-0.010_913_606_3, 0.0],
    );
}

/// Defect 4: a wheel whose centre is at rest while the vehicle turns about it.
#[test]
fn slip_of_a_wheel_that_stands_still() {
    let mut x = multi_body::initial(&BMW_320I, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    x[5] = -2.0 / BMW_320I.t_f * 1.5;
    let rates = |defects| multi_body::derivative(&BMW_320I, &x, [0.0; 2], defects);
    let before = rates(Defects { slip_by_zero: true, forwards_only: true, ..NONE });
    assert!(before.iter().any(|rate| !rate.is_finite()) || before[23].abs() > 1e3);
    let slip = |least, defects| wheel::slip(0.0, 3.0, least, defects);
    let defects = Defects { slip_by_zero: true, forwards_only: true, ..NONE };
    println!("slip of a wheel at rest: {} before, {} after", slip(0.0, defects), slip(0.1, NONE));
    assert!(!slip(0.0, defects).is_finite());
    assert_eq!(slip(wheel::LEAST_SPEED, NONE), -30.0);
    assert!(rates(NONE).iter().all(|rate| rate.is_finite()));
}

/// Defect 5: the reference limits the state of the caller at a stop. Here the rates return the state to the stop.
#[test]
fn a_stop_lets_go() {
    let hitch = |angle: f64, defects| {
        trailer::derivative(&TRUCK_TRAILER, &[0.0, 0.0, 0.0, 5.0, 0.0, angle], [0.0; 2], defects)[5]
    };
    let beyond = FRAC_PI_2 + 1e-3;
    let defects = Defects { stops_hold: true, ..NONE };
    // the trailer straightens when driving forwards
    let both = [hitch(beyond, defects), hitch(beyond, NONE)];
    changes("rate of a hitch beyond its stop, rad/s", both, [0.0, -0.617_283_642]);
    let spin = |defects| {
        let state = [0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, -1e-9, 10.0 / 0.344];
        drift::derivative(&BMW_320I, &state, [0.0; 2], defects)[7]
    };
    let [before, after] = [spin(defects), spin(NONE)];
    println!("rate of a locked wheel that is let go, rad/s²: {before} before, {after} after");
    assert!(before == 0.0 && after > 100.0, "{after}");
}

/// Defect 7: the load transfer depends on the height of the whole mass, not of the sprung mass.
#[test]
fn the_height_by_which_load_moves() {
    let defects = Defects { sprung_height: true, ..NONE };
    let yaw = |defects| {
        let state = [0.0, 0.0, 0.05, 15.0, 0.0, 0.2, 0.01];
        single_track::derivative(&BMW_320I, &state, [0.0, 5.0], defects)[5]
    };
    changes(
        "ψ̈ of ST at 5 m/s², rad/s²",
        [yaw(defects), yaw(NONE)],
        [0.651_391_387_7, 0.692_898_811_2],
    );
    let speed = |defects| {
        let state = [0.0, 0.0, 0.05, 15.0, 0.0, 0.2, 0.01, 43.6, 44.6];
        drift::derivative(&BMW_320I, &state, [0.0, 5.0], defects)[3]
    };
    changes(
        "v̇ of STD at 5 m/s², m/s²",
        [speed(defects), speed(NONE)],
        [2.837_894_129_3, 2.800_253_732_9],
    );
}

/// Defect 8: the largest jump of a rate between neighbouring speeds.
#[test]
fn models_change_without_a_jump() {
    type Rates<'a> = &'a dyn Fn(f64, Defects) -> Vec<f64>;
    let st = |speed: f64, defects| {
        let state = [0.0, 0.0, 0.2, speed, 0.0, 0.5, 0.05];
        single_track::derivative(&BMW_320I, &state, [0.1, 1.0], defects).to_vec()
    };
    let mb = |speed: f64, defects| {
        let mut x = multi_body::initial(&BMW_320I, [0.0, 0.0, 0.2, speed, 0.0, 0.5, 0.0]);
        x[10] = 0.01;
        multi_body::derivative(&BMW_320I, &x, [0.1, 1.0], defects).to_vec()
    };
    let std = |speed: f64, defects| {
        let state = [0.0, 0.0, 0.2, speed, 0.0, 0.5, 0.05, speed / 0.344, speed / 0.344];
        drift::derivative(&BMW_320I, &state, [0.1, 1.0], defects).to_vec()
    };
    let switch = Defects { hard_switch: true, ..NONE };
    let jump = |rates: Rates, defects| {
        let (low, high) = (rates(0.1 - 1e-9, defects), rates(0.1 + 1e-9, defects));
        low.iter().zip(&high).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let rows: [(&str, Rates, f64); 3] = [("ST", &st, 1.0), ("STD", &std, 0.1), ("MB", &mb, 1.0)];
    for (name, rates, least) in rows {
        let (before, after) = (jump(rates, switch), jump(rates, NONE));
        println!("largest jump of a rate of {name} at 0.1 m/s: {before} before, {after} after");
        assert!(before > least && after < 1e-4, "{name}");
    }
}

/// Defect found in this project: backwards, the lateral forces of ST accelerated it and MB moved forwards.
#[test]
fn backwards_is_not_forwards() {
    let defects = Defects { forwards_only: true, ..NONE };
    let yaw = |defects| {
        let state = [0.0, 0.0, 0.0, -5.0, 0.0, 0.1, 0.0];
        single_track::derivative(&BMW_320I, &state, [0.0; 2], defects)[5]
    };
    let both = [yaw(defects), yaw(NONE)];
    changes("ψ̈ of ST at −5 m/s and 0.1 rad/s, rad/s²", both, [4.317_038_973_8, -4.317_038_973_8]);
    let x = |defects| {
        let x = multi_body::initial(&BMW_320I, [0.0, 0.0, 0.0, -5.0, 0.0, 0.0, 0.0]);
        multi_body::derivative(&BMW_320I, &x, [0.0; 2], defects)[0]
    };
    let switch = Defects { hard_switch: true, ..defects };
    changes("ẋ of MB at −5 m/s, m/s", [x(switch), x(NONE)], [5.0, -5.0]);
}

/// Defect found in this project: a wheel in the air pulled the axle down.
#[test]
fn a_lifted_wheel_does_not_pull() {
    let fall = |defects| {
        let mut x = multi_body::initial(&BMW_320I, [0.0, 0.0, 0.0, 15.0, 0.0, 0.0, 0.0]);
        x[16] = -0.05;
        multi_body::derivative(&BMW_320I, &x, [0.0; 2], defects)[17]
    };
    let defects = Defects { pulling_tyres: true, ..NONE };
    let both = [fall(defects), fall(NONE)];
    changes("acceleration of a lifted front axle, m/s²", both, [378.210_496_9, 130.070_155_3]);
}
