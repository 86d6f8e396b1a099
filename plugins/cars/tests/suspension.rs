//! Suspensions without hardpoints.

use proptest::prelude::*;
use simhost_cars::suspension::linear::Linear;
use simhost_cars::suspension::none::NoLinks;
use simhost_sdk::prelude::*;
use simhost_sdk::testing;

const AXLE: AxleMotion = AxleMotion {
    travel_left: 0.0,
    travel_right: 0.0,
    travel_rate_left: 0.0,
    travel_rate_right: 0.0,
    rack: 0.0,
    fx_left: 0.0,
    fx_right: 0.0,
    fy_left: 0.0,
    fy_right: 0.0,
    fz_left: 0.0,
    fz_right: 0.0,
    mx_left: 0.0,
    mx_right: 0.0,
    mz_left: 0.0,
    mz_right: 0.0,
    shaft_torque_left: 0.0,
    shaft_torque_right: 0.0,
    half_track: 0.75,
    wheel_radius: 0.3,
    more: (),
};

fn linear(given: &[(&str, f64)], axle: &AxleMotion) -> AxleKinematics {
    let linear: Linear = testing::suspension(given);
    linear.kinematics(axle, &testing::step(), &mut ())
}

#[test]
fn without_links_the_springs_are_at_the_wheels() {
    let links: NoLinks = testing::suspension(&[]);
    let axle = AxleMotion { travel_left: 0.03, fy_left: 900.0, ..AXLE };
    let found = links.kinematics(&axle, &testing::step(), &mut ());
    assert_eq!([found.spring_left, found.motion_ratio_right, found.jacking_left], [0.03, 1.0, 0.0]);
}

/// The outer wheel of a left turn is the right one. With the roll centre above the ground, its links lift the body
/// by F_y h/(t/2), and the links of the inner wheel pull it down.
#[test]
fn a_high_roll_centre_lifts_the_body_at_the_outer_wheel() {
    let axle = AxleMotion { fy_left: 1000.0, fy_right: 3000.0, ..AXLE };
    let found = linear(&[("roll_centre", 0.15)], &axle);
    assert!((found.jacking_right - 3000.0 * 0.15 / 0.75).abs() < 1e-9, "{found:?}");
    assert!((found.jacking_left + 1000.0 * 0.15 / 0.75).abs() < 1e-9, "{found:?}");
    assert_eq!([found.roll_centre_kinematic, found.roll_centre_constructed], [0.15; 2]);
}

/// The brake holds the wheel to its carrier, so the force works along the path of the contact point; a drive shaft
/// works along the path of the wheel centre.
#[test]
fn braking_and_driving_work_along_different_paths() {
    let given = [("anti_dive", -0.2), ("anti_squat", 0.05)];
    let braking = linear(&given, &AxleMotion { fx_left: -2000.0, ..AXLE });
    assert!((braking.jacking_left + 0.2 * 2000.0).abs() < 1e-9, "{braking:?}");
    let shaft = AxleMotion { fx_left: 1000.0, shaft_torque_left: 300.0, ..AXLE };
    let driving = linear(&given, &shaft);
    assert!((driving.jacking_left + 0.05 * 1000.0).abs() < 1e-9, "{driving:?}");
}

/// A wheel whose top leans inboard lifts its contact point when it leans further, so that its load pulls the body down:
/// R (1 − cos γ) is how much higher the contact point is than for an upright wheel.
#[test]
fn the_load_of_a_leaning_wheel_acts_on_the_body() {
    let given = [("camber", -3.0), ("camber_gain", -40.0)];
    let loaded = |travel: f64| {
        let axle = AxleMotion { travel_left: travel, fz_left: 4000.0, fz_right: 4000.0, ..AXLE };
        linear(&given, &axle)
    };
    let rise = |travel: f64| AXLE.wheel_radius * (1.0 - loaded(travel).camber_left.cos());
    let (travel, h) = (0.03, 1e-5);
    let rate = (rise(travel + h) - rise(travel - h)) / (2.0 * h);
    let found = loaded(travel);
    assert!(rate > 1e-3 && (found.jacking_left + 4000.0 * rate).abs() < 1e-4, "{found:?}, {rate}");
    assert_eq!(
        linear(&[("camber_gain", -40.0)], &AxleMotion { fz_left: 4000.0, ..AXLE }).jacking_left,
        0.0
    );
}

#[test]
fn a_rack_turns_both_wheels_to_its_side() {
    let found = linear(&[("steer_gain", 600.0)], &AxleMotion { rack: 0.01, ..AXLE });
    // the left front goes outboard, the right front inboard
    let angle = 6.0_f64.to_radians();
    assert!((found.toe_left + angle).abs() < 1e-12 && (found.toe_right - angle).abs() < 1e-12);
}

proptest! {
    /// Mirrored inputs give mirrored outputs, and at rest without force nothing acts.
    #[test]
    fn sides_are_mirror_images(
        travel in -0.1..0.1_f64, other in -0.1..0.1_f64, fx in -5e3..5e3_f64, fy in -5e3..5e3_f64, rack in -0.05..0.05_f64,
    ) {
        let given = [("camber_gain", -30.0), ("toe_gain", 5.0), ("roll_centre", 0.1), ("anti_dive", 0.1),
            ("steer_gain", 300.0)];
        let one = AxleMotion { travel_left: travel, travel_right: other, fx_left: fx, fy_left: fy, rack, ..AXLE };
        let two = AxleMotion { travel_left: other, travel_right: travel, fx_right: fx, fy_right: -fy, rack: -rack, ..AXLE };
        let (one, two) = (linear(&given, &one), linear(&given, &two));
        prop_assert_eq!(one.camber_left, two.camber_right);
        prop_assert_eq!(one.toe_left, two.toe_right);
        prop_assert_eq!(one.jacking_left, two.jacking_right);
        prop_assert_eq!(one.track_right, two.track_left);
    }
}

/// The loop over lanes gives the same numbers for any number of them.
#[test]
fn batches_of_any_size_agree() {
    testing::assert_same_in_batches(&simhost_cars::PLUGIN);
}
