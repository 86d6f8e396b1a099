//! Properties of a ranging sensor.

use simhost_sdk::testing::{self, Sample, Sampler};
use template_name::{Inputs, Readings, TemplateName};

const REACH: f64 = 4.0;

/// Returns a sample for these parameters, these exact ranges and the random stream of a key.
fn sample(given: &[(&str, f64)], ranges: [f64; 5], key: u64) -> Sample<Readings> {
    let model: TemplateName = testing::sensor(given);
    let moving = Inputs { vx: 3.0, vy: 4.0 };
    Sampler::new(&model).read(&moving, &ranges, key, &testing::step())
}

const SCENE: [f64; 5] = [1.0, 2.0, f64::INFINITY, 3.0, 0.5];

#[test]
fn without_noise_readings_are_exact() {
    let sample = sample(&[("noise", 0.0)], SCENE, 1);
    assert_eq!(sample.rays, [[1.0, 2.0, REACH, 3.0, 0.5]]);
    assert_eq!(sample.readings, Readings { ground_speed: 5.0, nearest: 0.5 });
}

#[test]
fn draws_repeat_with_the_key_and_differ_without() {
    let [one, same, other] = [1, 1, 2].map(|key| sample(&[], SCENE, key));
    assert_eq!(one, same);
    assert_ne!(one.rays[0][0], other.rays[0][0]);
    assert_ne!(one.readings.ground_speed, other.readings.ground_speed);
}

#[test]
fn an_echo_more_changes_no_other_reading() {
    let [one, mut other] = [1, 1].map(|key| sample(&[], SCENE, key));
    let more = sample(&[], [1.0, 2.0, 2.5, 3.0, 0.5], 1);
    other.rays[0][2] = more.rays[0][2];
    assert_eq!(other.rays, more.rays);
    assert_eq!(one.readings.ground_speed, more.readings.ground_speed);
}

#[test]
fn every_reading_is_within_reach() {
    for key in 0..100 {
        let sample = sample(&[("noise", 3.0)], SCENE, key);
        assert!(sample.rays[0].iter().all(|echo| (0.0..=REACH).contains(echo)));
    }
}

#[test]
fn rays_are_a_fan_that_is_symmetric() {
    let model: TemplateName = testing::sensor(&[]);
    let fan = Sampler::new(&model).aim(1);
    assert_eq!(fan.angles.len(), 5);
    for (left, right) in fan.angles.iter().zip(fan.angles.iter().rev()) {
        assert!((left + right).abs() < 1e-12);
    }
}
