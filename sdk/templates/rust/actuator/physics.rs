//! Properties of a servo with stiction.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::{Servo, TemplateName};

const TIME_CONSTANT: f64 = 0.2;
const THRESHOLD: f64 = 0.01;

/// Returns the positions in steps of `dt` seconds from 0 towards a command.
fn positions(command: f64, dt: f64, count: usize) -> Vec<f64> {
    let model: TemplateName =
        testing::actuator(&[("time_constant", TIME_CONSTANT), ("threshold", THRESHOLD)]);
    let mut servo = Servo { position: 0.0 };
    let mut at = |k: usize| model.actuate(command, &(), &Step::new(k as f64 * dt, dt), &mut servo);
    (0..count).map(&mut at).collect()
}

#[test]
fn it_follows_with_its_time_constant() {
    let after = positions(1.0, TIME_CONSTANT / 50.0, 50)[49];
    assert!((after - (1.0 - (-1.0_f64).exp())).abs() < 1e-9, "{after}");
}

#[test]
fn it_arrives_and_never_overshoots() {
    let path = positions(1.0, 0.005, 1000);
    assert!(path.windows(2).all(|pair| pair[0] <= pair[1]) && path[999] <= 1.0);
    assert!(1.0 - path[999] <= THRESHOLD, "{}", path[999]);
}

#[test]
fn it_rests_near_the_command() {
    assert_eq!(positions(0.9 * THRESHOLD, 0.005, 3), [0.0; 3]);
}

#[test]
fn left_and_right_are_mirror_images() {
    let (left, right) = (positions(0.5, 0.005, 50), positions(-0.5, 0.005, 50));
    assert!(left.iter().zip(&right).all(|(left, right)| *left == -right));
}

#[test]
fn half_steps_give_the_same_position() {
    let (whole, halves) = (positions(1.0, 0.02, 10)[9], positions(1.0, 0.01, 20)[19]);
    assert!((whole - halves).abs() < 1e-9, "{whole} and {halves}");
}
