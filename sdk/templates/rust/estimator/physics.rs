//! Properties of an estimator of the pose.

use simhost_sdk::Reading;
use simhost_sdk::testing::{self, Sampler};
use template_name::{Inputs, Pose, TemplateName};

const RADIUS: f64 = 0.2;
const TRACK: f64 = 0.4;
const PERIOD: f64 = 0.01;

/// Returns the pose after some samples with these speeds of the wheels and this yaw rate.
fn after(
    count: usize,
    given: &[(&str, f64)],
    wheels: &'static [f64],
    gyro: &'static [f64],
) -> Pose {
    let parameters = [&[("wheel_radius", RADIUS), ("track", TRACK)], given].concat();
    let model: TemplateName = testing::sensor(&parameters);
    let mut sampler = Sampler::new(&model);
    let mut pose = Pose { estimated_x: f64::NAN, estimated_y: f64::NAN, estimated_yaw: f64::NAN };
    for _ in 0..count {
        let inputs = Inputs {
            velocity: Reading::of(wheels),
            angular_velocity_z: Reading::of(gyro),
            sample_period: PERIOD,
        };
        pose = sampler.read(&inputs, &[], 0, &testing::step()).readings;
    }
    pose
}

#[test]
fn straight_ahead_it_adds_the_way_of_the_wheels() {
    let pose = after(100, &[], &[5.0, 5.0], &[0.0]);
    assert!((pose.estimated_x - 5.0 * RADIUS).abs() < 1e-12, "{pose:?}");
    assert_eq!((pose.estimated_y, pose.estimated_yaw), (0.0, 0.0));
}

#[test]
fn a_quarter_of_a_circle_ends_at_its_radius() {
    // 1 m/s and 0.5 rad/s are a circle of 2 m
    let count = (std::f64::consts::PI / PERIOD) as usize;
    let pose = after(count, &[], &[4.5, 5.5], &[0.5]);
    for found in [pose.estimated_x, pose.estimated_y] {
        assert!((found - 2.0).abs() < 0.02, "{pose:?}");
    }
    assert!((pose.estimated_yaw - std::f64::consts::FRAC_PI_2).abs() < 0.01, "{pose:?}");
}

#[test]
fn the_weight_decides_between_gyroscope_and_wheels() {
    let yaw =
        |weight: f64| after(100, &[("gyro_weight", weight)], &[4.0, 6.0], &[0.2]).estimated_yaw;
    assert!((yaw(1.0) - 0.2).abs() < 1e-12 && (yaw(0.0) - 1.0).abs() < 1e-12);
    assert!((yaw(0.25) - 0.8).abs() < 1e-12, "{}", yaw(0.25));
}

#[test]
fn left_and_right_are_mirror_images() {
    let left = after(150, &[], &[4.0, 6.0], &[0.9]);
    let right = after(150, &[], &[6.0, 4.0], &[-0.9]);
    assert_eq!(left.estimated_x, right.estimated_x);
    assert_eq!((left.estimated_y, left.estimated_yaw), (-right.estimated_y, -right.estimated_yaw));
}

#[test]
fn without_a_sample_it_stays_where_it_is() {
    let pose = after(10, &[], &[], &[0.5]);
    assert_eq!(pose, Pose { estimated_x: 0.0, estimated_y: 0.0, estimated_yaw: 0.0 });
    // without a gyroscope, the wheels give the yaw rate
    assert!((after(100, &[], &[4.0, 6.0], &[]).estimated_yaw - 1.0).abs() < 1e-12);
}
