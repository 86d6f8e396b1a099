//! The model of the F1TENTH gym with the hard switch, with the gym's command layer and time step of 0.01 s.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use simhost_commonroad::controllers::f1tenth::{bang_bang, proportional};
use simhost_commonroad::defects::Defects;
use simhost_commonroad::models::f1tenth::{self, CAR, STATES};
use simhost_commonroad::rk4;

/// States after `steps` control steps for a commanded speed, m/s, and angle, rad.
fn drive(steps: usize, speed: f64, steer: f64, defects: Defects) -> Vec<[f64; STATES]> {
    let (mut x, mut late, mut states) = ([0.0; STATES], [0.0; 2], Vec::new());
    for _ in 0..steps {
        let arrived = late[1];
        late = [steer, late[0]];
        let limits = &CAR.longitudinal;
        let ends = [limits.v_max, -limits.v_min];
        let input = [
            bang_bang(arrived, x[2], CAR.steering.rate_max),
            proportional(speed, x[3], limits.a_max, ends),
        ];
        x = rk4::step(&x, 0.01, |x| f1tenth::derivative(&CAR, x, input, defects));
        states.push(x);
    }
    states
}

fn near(found: &[f64], expected: &[f64]) {
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 2e-11, "{i}: {found}, expected {expected}");
    }
}

#[test]
fn the_published_states_are_met() {
    let states = drive(100, 4.0, 0.2, Defects::UPSTREAM);
    near(&states[0][3..4], &[0.03804]);
    let [x, y, steer, speed, yaw, ..] = states[9];
    near(&[x, y, steer, yaw], &[0.0420584789734, 0.00190776120186, 0.192, 0.0141538297556]);
    // the published value has five digits
    assert!((speed - 0.89394).abs() < 5e-6, "{speed}");
    near(
        &states[99],
        &[
            2.03545815075,
            1.79744502673,
            0.192,
            3.95604359863,
            1.50802852069,
            2.16334504317,
            -0.0540101097471,
        ],
    );
}

#[test]
fn the_angle_swings_about_what_is_wanted() {
    let angles: Vec<f64> = drive(100, 4.0, 0.2, Defects::NONE)[20..].iter().map(|x| x[2]).collect();
    assert!(angles.iter().all(|angle| (angle - 0.2).abs() > 5e-3));
    assert!(angles.iter().any(|angle| (angle - 0.224).abs() < 1e-9), "{angles:?}");
    assert!(angles.iter().any(|angle| (angle - 0.192).abs() < 1e-9), "{angles:?}");
}

#[test]
fn braking_and_starting_from_rest() {
    let input = |x: &[f64; STATES], u| f1tenth::derivative(&CAR, x, u, Defects::UPSTREAM);
    let mut x = [0.0; STATES];
    for _ in 0..100 {
        x = rk4::step(&x, 0.01, |x| input(x, [0.0; 2]));
    }
    assert_eq!(x, [0.0; STATES]);
    // the gain at rest is a fifth of the later gain
    let ends = [20.0, 5.0];
    assert_eq!(5.0 * proportional(4.0, 0.0, 9.51, ends), proportional(4.0, 1e-300, 9.51, ends));
    // −0.7 g for half a second, slower than the limit of the backward speed
    for _ in 0..50 {
        x = rk4::step(&x, 0.01, |x| input(x, [0.0, -0.7 * 9.81]));
    }
    assert!((x[3] + 3.4335).abs() < 1e-9 && (x[0] + 0.858375).abs() < 1e-9, "{x:?}");
}

/// The blend removes the jump of the rates at 0.5 m/s and changes the end of the published run by centimetres.
#[test]
fn the_blend_replaces_a_jump() {
    let at = |speed: f64, defects| {
        let state = [0.0, 0.0, 0.2, speed, 0.0, 1.0, 0.1];
        f1tenth::derivative(&CAR, &state, [0.0; 2], defects)
    };
    let jump = |defects| (at(0.5 + 1e-9, defects)[5] - at(0.5 - 1e-9, defects)[5]).abs();
    println!("jump of the yaw acceleration at 0.5 m/s: {} rad/s²", jump(Defects::UPSTREAM));
    assert!(jump(Defects::UPSTREAM) > 10.0 && jump(Defects::NONE) < 1e-4);
    let [before, after] =
        [Defects::UPSTREAM, Defects::NONE].map(|defects| drive(100, 4.0, 0.2, defects)[99]);
    println!("end before {before:?}\nafter {after:?}");
    assert!((before[0] - after[0]).abs() < 0.2 && (before[1] - after[1]).abs() < 0.2);
}
