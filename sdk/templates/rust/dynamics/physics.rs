//! Properties of a drive with a left and a right side.

use simhost_sdk::testing::{self, Platform};
use template_name::{Sides, TemplateName};

const LEFT: [usize; 3] = [0, 2, 4];
const RIGHT: [usize; 3] = [1, 3, 5];

/// Returns the torque of each wheel, N·m.
fn torques(torque_left: f64, torque_right: f64) -> Vec<f64> {
    let model: TemplateName = testing::dynamics(&[]);
    let mut rover = Platform::new(&model);
    rover.drive(&Sides { torque_left, torque_right }, &testing::step()).wheels
}

#[test]
fn left_and_right_are_mirror_images() {
    let (one, other) = (torques(3.0, -1.0), torques(-1.0, 3.0));
    for (left, right) in LEFT.into_iter().zip(RIGHT) {
        assert_eq!((one[left], one[right]), (other[right], other[left]));
    }
}

#[test]
fn no_torque_goes_nowhere() {
    assert_eq!(torques(0.0, 0.0), [0.0; 6]);
}

#[test]
fn motors_have_a_limit() {
    assert_eq!(torques(1e9, -1e9), [20.0, -20.0, 20.0, -20.0, 20.0, -20.0]);
}

#[test]
fn odometry_of_wheels_that_roll_is_the_motion_itself() {
    let model: TemplateName = testing::dynamics(&[]);
    let mut rover = Platform::new(&model);
    for (vx, omega) in [(1.0, 0.0), (0.0, 0.5), (-2.0, -0.3)] {
        rover.roll(vx, omega);
        let measured = rover.measure();
        assert!((measured.odometry_vx - vx).abs() < 1e-12);
        assert!((measured.odometry_omega - omega).abs() < 1e-12);
    }
}

#[test]
fn numbers_are_finite_at_rest() {
    let model: TemplateName = testing::dynamics(&[]);
    let measured = Platform::new(&model).measure();
    assert!(measured.odometry_vx.is_finite() && measured.odometry_omega.is_finite());
}
