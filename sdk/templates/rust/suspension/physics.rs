//! Properties of trailing arms.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::TemplateName;

const RADIUS: f64 = 0.3;

fn kinematics(axle: AxleMotion) -> AxleKinematics {
    let model: TemplateName = testing::suspension(&[("arm", 0.5), ("motion_ratio", 0.8)]);
    let axle = AxleMotion { wheel_radius: RADIUS, half_track: 0.7, ..axle };
    model.kinematics(&axle, &testing::step(), &mut ())
}

#[test]
fn at_rest_nothing_moves_and_no_force_acts() {
    let rest = kinematics(AxleMotion::default());
    assert_eq!([rest.longitudinal_left, rest.spring_left, rest.jacking_left], [0.0; 3]);
}

#[test]
fn the_wheel_stays_on_its_circle() {
    let bump = kinematics(AxleMotion { travel_left: 0.1, ..AxleMotion::default() });
    let x = bump.longitudinal_left - 0.5;
    assert!((x * x + 0.1 * 0.1 - 0.25).abs() < 1e-12, "{x}");
}

#[test]
fn braking_pulls_the_body_down() {
    let brakes = kinematics(AxleMotion { fx_left: -1000.0, ..AxleMotion::default() });
    // the links carry F_x r/a
    assert!((brakes.jacking_left + 1000.0 * RADIUS / 0.5).abs() < 1e-9, "{}", brakes.jacking_left);
}

#[test]
fn left_and_right_are_mirror_images() {
    let left =
        kinematics(AxleMotion { travel_left: 0.05, fx_left: 300.0, ..AxleMotion::default() });
    let right =
        kinematics(AxleMotion { travel_right: 0.05, fx_right: 300.0, ..AxleMotion::default() });
    assert_eq!(left.longitudinal_left, right.longitudinal_right);
    assert_eq!(left.jacking_left, right.jacking_right);
}
