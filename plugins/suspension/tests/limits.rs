//! Hardpoints that define no suspension, and travels that links do not allow.

use simhost_sdk::vectors::Vec3;
use simhost_suspension::double_wishbone::DoubleWishbonePoints;
use simhost_suspension::errors::HardpointError;
use simhost_suspension::hardpoints::Wheel;
use simhost_suspension::mcpherson::McPhersonPoints;

use crate::layouts::{DOUBLE_WISHBONE, MCPHERSON, five_links};

fn refusal(points: DoubleWishbonePoints) -> String {
    points.corner().unwrap_err().to_string()
}

#[test]
fn crossing_hardpoints_are_named() {
    let crossed = DoubleWishbonePoints {
        lower_outer: DOUBLE_WISHBONE.upper_outer,
        upper_outer: DOUBLE_WISHBONE.lower_outer,
        ..DOUBLE_WISHBONE
    };
    assert_eq!(
        refusal(crossed),
        "hardpoints cross: `upper_outer` is at z = 0.185 m and `lower_outer` at z = 0.49 m, expected \
         `upper_outer` above `lower_outer`; exchange them or correct the signs (x forwards, y to the left, \
         z up, left wheel)"
    );
    let right_wheel =
        DoubleWishbonePoints { lower_outer: Vec3::new(0.01, -0.7, 0.185), ..DOUBLE_WISHBONE };
    assert!(refusal(right_wheel).contains("expected `lower_outer` outboard of `lower_front`"));
    let turned = DoubleWishbonePoints {
        upper_front: DOUBLE_WISHBONE.upper_rear,
        upper_rear: DOUBLE_WISHBONE.upper_front,
        ..DOUBLE_WISHBONE
    };
    assert!(refusal(turned).contains("expected `upper_front` in front of `upper_rear`"));
}

#[test]
fn points_without_a_part_between_them_are_named() {
    let points = DoubleWishbonePoints {
        spring: simhost_suspension::hardpoints::StrutEnds {
            top: DOUBLE_WISHBONE.spring.lower,
            ..DOUBLE_WISHBONE.spring
        },
        ..DOUBLE_WISHBONE
    };
    assert_eq!(
        refusal(points),
        "`spring_top` and `spring_lower` are 0.000000 m apart, expected at least 0.01 m between the ends of \
         the spring; move one of them"
    );
    let nan = DoubleWishbonePoints { tie_outer: Vec3::new(f64::NAN, 0.0, 0.0), ..DOUBLE_WISHBONE };
    assert!(refusal(nan).starts_with("`tie_outer` is [NaN, 0.0, 0.0], expected three finite"));
}

#[test]
fn wheels_on_the_wrong_side_or_without_radius_are_named() {
    let with = |wheel| DoubleWishbonePoints { wheel, ..DOUBLE_WISHBONE };
    let wheel = DOUBLE_WISHBONE.wheel;
    let inwards = with(Wheel { spin_axis: -wheel.spin_axis, ..wheel });
    assert!(refusal(inwards).starts_with("`spin_axis` is -0.99"));
    let flat = with(Wheel { radius: 0.0, ..wheel });
    assert_eq!(refusal(flat), "`wheel_radius` is 0, expected a finite length above 0 m");
}

#[test]
fn links_that_do_not_determine_the_wheel_are_named() {
    // the tie rod meets the steering axis
    let points = DoubleWishbonePoints {
        tie_outer: (DOUBLE_WISHBONE.lower_outer + DOUBLE_WISHBONE.upper_outer) * 0.5,
        ..DOUBLE_WISHBONE
    };
    let error = points.corner().unwrap_err();
    assert!(matches!(error, HardpointError::Singular(_)), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("the tie rod"), "{text}");
}

#[test]
fn unreachable_travel_names_the_parts_that_lock() {
    let corner = DOUBLE_WISHBONE.corner().unwrap();
    let error = corner.solve(&corner.rest(), 0.4, 0.0).unwrap_err();
    assert!((0.1..0.3).contains(&error.reached[0]), "{error}");
    assert!(error.limiting.iter().any(|name| name.contains("upper arm")), "{error}");
    // the motion continues to the place where it stops
    corner.solve(&corner.rest(), error.reached[0] - 1e-4, 0.0).unwrap();
    let error = corner.solve(&corner.rest(), 0.0, 0.3).unwrap_err();
    assert!(error.limiting.contains(&"the tie rod"), "{error}");
    assert!(error.reached[1] > 0.05, "{error}");
    assert!(corner.solve(&corner.rest(), f64::NAN, 0.0).is_err());
    assert!(corner.solve(&corner.rest(), 0.0, f64::INFINITY).is_err());
}

/// The wheel needs the tie rod to move against its own arc, for which Newton's method from rest finds the other
/// assembly.
#[test]
fn large_inputs_stay_in_the_assembly_of_the_rest_pose() {
    let corner = MCPHERSON.corner().unwrap();
    let rest = corner.rest();
    let direct = corner.solve(&rest, 0.08, 0.04).unwrap();
    let mut posture = rest;
    for step in 1..=400 {
        let part = f64::from(step) / 400.0;
        let motion = corner.solve(&posture, 0.08 * part, 0.04 * part).unwrap();
        posture = (&motion).into();
    }
    assert!((posture.pose.position - direct.pose.position).length() < 1e-13);
}

#[test]
fn struts_and_links_are_checked_too() {
    let upside_down = McPhersonPoints {
        strut_top: MCPHERSON.strut_lower,
        strut_lower: MCPHERSON.strut_top,
        ..MCPHERSON
    };
    let error = upside_down.corner().unwrap_err().to_string();
    assert!(error.contains("expected `strut_top` above `strut_lower`"), "{error}");
    let mut links = five_links(&DOUBLE_WISHBONE);
    links.toe_link.outer = links.toe_link.inner;
    let error = links.corner().unwrap_err().to_string();
    assert!(error.contains("the ends of the toe link"), "{error}");
}
