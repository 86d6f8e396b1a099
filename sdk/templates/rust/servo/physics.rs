//! Properties of a servo of second order.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::{Servo, TemplateName};

const FREQUENCY: f64 = 15.0;

fn servo(damping: f64) -> TemplateName {
    testing::actuator(&[("frequency", FREQUENCY), ("damping", damping)])
}

/// Returns the positions in steps of 1 ms from rest at 0 towards a command.
fn positions(damping: f64, command: f64, count: usize) -> Vec<f64> {
    let (model, dt) = (servo(damping), 1e-3);
    let mut servo = Servo { position: 0.0, velocity: 0.0 };
    let mut step = || {
        // Heun's method in place of the integration by the host
        let first = model.rates(command, &(), &servo);
        let end = Servo {
            position: servo.position + dt * first.position,
            velocity: servo.velocity + dt * first.velocity,
        };
        let second = model.rates(command, &(), &end);
        servo.position += 0.5 * dt * (first.position + second.position);
        servo.velocity += 0.5 * dt * (first.velocity + second.velocity);
        model.actuate(command, &(), &testing::step(), &mut servo)
    };
    (0..count).map(|_| step()).collect()
}

#[test]
fn it_rests_at_the_command() {
    let rates = servo(0.7).rates(0.3, &(), &Servo { position: 0.3, velocity: 0.0 });
    assert_eq!((rates.position, rates.velocity), (0.0, 0.0));
}

#[test]
fn it_overshoots_as_its_damping_says() {
    // exp(-π ζ/sqrt(1 - ζ²)): Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems
    for damping in [0.2, 0.4, 0.7] {
        let highest = positions(damping, 1.0, 2000).into_iter().fold(0.0, f64::max);
        let ratio = damping / (1.0 - damping * damping).sqrt();
        let expected = 1.0 + (-std::f64::consts::PI * ratio).exp();
        assert!((highest - expected).abs() < 2e-3, "{damping}: {highest}, expected {expected}");
    }
}

#[test]
fn without_damping_it_swings_with_its_frequency() {
    // half a period after the start it is at twice the command
    let half = (std::f64::consts::PI / FREQUENCY / 1e-3).round() as usize;
    let path = positions(0.0, 1.0, half);
    assert!((path[half - 1] - 2.0).abs() < 1e-3, "{}", path[half - 1]);
}

#[test]
fn left_and_right_are_mirror_images() {
    let (left, right) = (positions(0.7, 0.5, 200), positions(0.7, -0.5, 200));
    assert!(left.iter().zip(&right).all(|(left, right)| *left == -right));
}
