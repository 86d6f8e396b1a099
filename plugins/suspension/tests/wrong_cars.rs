//! Parts of cars that are wrong: each message names the place, what was found, what was expected, and the remedy.

use simhost_sdk::{Suspension, testing};
use simhost_suspension::double_wishbone::DoubleWishbone;
use simhost_suspension::five_link::FiveLink;
use simhost_suspension::mcpherson::McPherson;
use simhost_suspension::rigid_axle::RigidAxleSuspension;
use simhost_suspension::tables::Tables;
use simhost_suspension::trailing_arm::TrailingArms;

/// A double wishbone, as in a world file.
const ARMS: [(&str, &str); 13] = [
    ("wheel_centre", "0 0.76 0.31"),
    ("lower_front", "0.2 0.38 0.19"),
    ("lower_rear", "-0.24 0.4 0.2"),
    ("lower_outer", "0.01 0.7 0.185"),
    ("upper_front", "0.12 0.45 0.48"),
    ("upper_rear", "-0.16 0.46 0.465"),
    ("upper_outer", "-0.02 0.66 0.49"),
    ("tie_inner", "-0.13 0.36 0.24"),
    ("tie_outer", "-0.12 0.69 0.232"),
    ("spring_top", "-0.01 0.48 0.64"),
    ("spring_lower", "0 0.6 0.198"),
    ("shock_top", "-0.01 0.48 0.64"),
    ("shock_lower", "0 0.6 0.198"),
];

fn refusal<M: Suspension>(given: &[(&str, &str)]) -> String {
    match testing::written_suspension::<M>(given) {
        Ok(_) => panic!("{given:?} is accepted"),
        Err(text) => text,
    }
}

/// Returns the message for the double wishbone with other values of some parameters.
fn arms(other: &[(&'static str, &'static str)]) -> String {
    let kept = ARMS.iter().filter(|(key, _)| other.iter().all(|(changed, _)| changed != key));
    let given: Vec<_> = kept.chain(other).copied().collect();
    refusal::<DoubleWishbone>(&given)
}

#[test]
fn crossing_hardpoints() {
    assert_eq!(
        arms(&[("lower_outer", "-0.02 0.66 0.49"), ("upper_outer", "0.01 0.7 0.185")]),
        "hardpoints cross: `upper_outer` is at z = 0.185 m and `lower_outer` at z = 0.49 m, expected \
         `upper_outer` above `lower_outer`; exchange them or correct the signs (x forwards, y to the left, z \
         up, left wheel)"
    );
    assert!(arms(&[("tie_inner", "-0.13 0.8 0.24")]).starts_with(
        "hardpoints cross: `tie_outer` is at y = 0.69 m and `tie_inner` at y = 0.8 m, expected `tie_outer` \
         outboard of `tie_inner`; "
    ));
}

#[test]
fn hardpoints_of_the_right_wheel() {
    assert_eq!(
        refusal::<TrailingArms>(&[
            ("wheel_centre", "0 -0.74 0.31"),
            ("arm_inner", "0.36 -0.3 0.3"),
            ("arm_outer", "0.45 -0.62 0.32"),
            ("spring_top", "0.1 -0.55 0.58"),
            ("spring_lower", "0.1 -0.55 0.28"),
            ("shock_top", "0 -0.6 0.66"),
            ("shock_lower", "0 -0.6 0.26"),
        ]),
        "hardpoints cross: `arm_outer` is at y = -0.62 m and `arm_inner` at y = -0.3 m, expected `arm_outer` \
         outboard of `arm_inner`; exchange them or correct the signs (x forwards, y to the left, z up, left \
         wheel)"
    );
}

#[test]
fn missing_hardpoints() {
    assert_eq!(
        refusal::<McPherson>(&[("wheel_centre", "0 0.75 0.305"), ("strut_top", "0 0.56 0.82")]),
        "found 2 of 12 hardpoints, missing <lower_front>, <lower_rear>, <lower_outer>, <strut_lower>, \
         <tie_inner>, <tie_outer>, <spring_top>, <spring_lower>, <shock_top>, <shock_lower>; expected all of \
         them, or none for the example; add them in m (x forwards, y to the left, z up, left wheel)"
    );
}

#[test]
fn impossible_wheel_travel() {
    let text = arms(&[("bump_travel", "0.3"), ("rack_travel", "0")]);
    assert!(
        text.starts_with("the wheel cannot reach travel = 0.3000 m with rack = 0.0000 m: "),
        "{text}"
    );
    assert!(
        text.contains("the motion stops at 0.2") || text.contains("the motion stops at 0.1"),
        "{text}"
    );
    assert!(text.contains("the front of the upper arm"), "{text}");
    assert!(
        text.ends_with(
            "expected a travel that the links allow; reduce it or move their hardpoints"
        )
    );
}

#[test]
fn impossible_rack_travel() {
    let text = arms(&[("rack_travel", "0.2")]);
    assert!(text.contains("rack = -0.2000 m"), "{text}");
    assert!(text.contains("the tie rod"), "{text}");
}

#[test]
fn impossible_travel_of_an_arm_and_an_axle() {
    let text = refusal::<TrailingArms>(&[("bump_travel", "0.9")]);
    assert!(text.contains("cannot reach travel = 0.9000 m") && text.contains("the arm"), "{text}");
    let text = refusal::<RigidAxleSuspension>(&[("rebound_travel", "0.9")]);
    assert!(text.contains("cannot reach travel_left = -0.9000 m"), "{text}");
}

#[test]
fn spring_without_length() {
    assert_eq!(
        arms(&[("spring_top", "0 0.6 0.198")]),
        "`spring_top` and `spring_lower` are 0.000000 m apart, expected at least 0.01 m between the ends of \
         the spring; move one of them"
    );
}

#[test]
fn table_that_is_not_monotone() {
    assert_eq!(
        refusal::<Tables>(&[("table", "travel,camber_deg\n-0.08,1\n0.08,-1\n0,0\n")]),
        "table table: line 4, column `travel`: found 0 after 0.08, expected increasing values; sort the rows"
    );
}

#[test]
fn table_that_is_not_rectangular() {
    assert_eq!(
        refusal::<Tables>(&[(
            "table",
            "travel,rack,toe_in_deg\n0,-0.01,1\n0,0.01,1\n0.1,-0.01,1\n0.1,0.02,1\n"
        )]),
        "table table: line 5, column `rack`: found 0.02, expected 0.01 as for the first `travel`; make the \
         table rectangular"
    );
}

#[test]
fn table_without_numbers() {
    assert_eq!(
        refusal::<Tables>(&[("table", "travel,camber\n0,0\n0.1,nan\n")]),
        "table table: line 3, column `camber`: found 'nan', expected a finite number"
    );
}

#[test]
fn axle_that_nothing_holds_sideways() {
    let parallel = [
        ("wheel_centre", "0 0.74 0.31"),
        ("lower_inner", "0.5 0.5 0.25"),
        ("lower_outer", "0 0.5 0.22"),
        ("upper_inner", "0.5 0.4 0.45"),
        ("upper_outer", "0 0.4 0.4"),
    ];
    let text = refusal::<RigidAxleSuspension>(&parallel);
    assert!(
        text.starts_with("the suspension is locked or loose at rest: the left lower link"),
        "{text}"
    );
    assert!(text.ends_with("move their hardpoints"), "{text}");
    let half = [("panhard_body", "0 -0.5 0.3")];
    assert_eq!(
        refusal::<RigidAxleSuspension>(&[parallel.as_slice(), &half].concat()),
        "found 1 of 2 hardpoints, missing <panhard_axle>; expected all of them, or none for the example; add \
         them in m (x forwards, y to the left, z up, left wheel)"
    );
}

#[test]
fn links_that_meet_the_steering_axis() {
    let text = arms(&[("tie_outer", "-0.005 0.68 0.3375")]);
    assert!(text.starts_with("the suspension is locked or loose at rest: "), "{text}");
    assert!(text.contains("the tie rod"), "{text}");
    let crossed = refusal::<FiveLink>(&[("bump_travel", "0.35"), ("rebound_travel", "0.35")]);
    assert!(crossed.contains("cannot reach travel = -0.3500 m"), "{crossed}");
}

#[test]
fn motion_ratio_out_of_range() {
    assert!(refusal::<Tables>(&[("motion_ratio", "-1")]).contains("`motion_ratio`"));
}
