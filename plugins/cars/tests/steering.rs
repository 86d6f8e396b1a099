//! Steering system and kingpins against closed forms.

use simhost_cars::steering_axis::{GroundForce, SteeringAxis};
use simhost_cars::steering_system::{Column, SteeredLoad, SteeringSystem};
use simhost_sdk::prelude::*;
use simhost_sdk::testing;

/// Moments of the ground about the kingpins, N·m.
static MOMENTS: [f64; 4] = [0.0, 0.0, -70.0, -50.0];
const SUM: f64 = -120.0;

fn load(speed: f64) -> SteeredLoad {
    SteeredLoad { kingpin_moment: PerWheel::of(&MOMENTS), vx: speed }
}

/// Returns the steering angle after a command, and the state.
fn steered(system: &SteeringSystem, command: f64, column: &mut Column) -> f64 {
    system.actuate(command, &load(20.0), &testing::step(), column)
}

#[test]
fn a_rigid_column_transmits_the_moments_divided_by_the_ratio() {
    let system: SteeringSystem = testing::written_actuator(&[("ratio", "15")]);
    let mut column = testing::initial();
    let steer = steered(&system, 0.3, &mut column);
    assert!((steer - 0.3 / 15.0).abs() < 1e-15, "{steer} rad");
    assert!((column.torque + SUM / 15.0).abs() < 1e-12, "{} N·m", column.torque);
    let felt = system.publish(&load(20.0), steer, &testing::step(), &column);
    assert_eq!([felt.steering_wheel_angle, felt.assist_torque], [0.3, 0.0]);
    assert_eq!(felt.steering_wheel_torque, column.torque);
}

#[test]
fn a_column_twists_by_its_torque_per_stiffness() {
    let given = [("ratio", "16"), ("column_stiffness", "200")];
    let system: SteeringSystem = testing::written_actuator(&given);
    let mut column = testing::initial();
    let steer = steered(&system, 0.5, &mut column);
    let twist = 0.5 - 16.0 * steer;
    assert!((column.torque - 120.0 / 16.0).abs() < 1e-12, "{} N·m", column.torque);
    assert!((twist - column.torque / 200.0).abs() < 1e-12, "{twist} rad");
}

/// Friction holds the rack until the torque exceeds the torque of the ground by it, in both directions.
#[test]
fn friction_adds_a_hysteresis_of_twice_its_torque() {
    for stiffness in [None, Some(("column_stiffness", "100"))] {
        let given: Vec<_> =
            [("ratio", "16"), ("friction", "2")].into_iter().chain(stiffness).collect();
        let system: SteeringSystem = testing::written_actuator(&given);
        let mut column = testing::initial();
        steered(&system, 1.0, &mut column);
        let left = column.torque;
        let standing = steered(&system, 1.0, &mut column);
        assert!((column.torque - left).abs() < 1e-12, "{} N·m", column.torque);
        let back = steered(&system, 0.98, &mut column);
        if stiffness.is_some() {
            // the column untwists by 2 N·m, and the rack stays
            assert_eq!(back, standing);
        }
        steered(&system, 0.5, &mut column);
        let right = column.torque;
        assert!((left - (7.5 + 2.0)).abs() < 1e-12, "{left} N·m");
        assert!((right - (7.5 - 2.0)).abs() < 1e-12, "{right} N·m");
    }
}

#[test]
fn driver_and_assistance_carry_the_load_together() {
    let map = "torque,speed_kmh,assist\n0,0,0\n0,100,0\n2,0,8\n2,100,3\n6,0,40\n6,100,12\n";
    let given = [("ratio", "10"), ("assist_map", map)];
    let system: SteeringSystem = testing::written_actuator(&given);
    for speed in [0.0, 8.0, 30.0] {
        let mut column: Column = testing::initial();
        system.actuate(0.2, &load(speed), &testing::step(), &mut column);
        let felt = system.publish(&load(speed), 0.0, &testing::step(), &column);
        let sum = felt.steering_wheel_torque + felt.assist_torque;
        assert!((sum - 12.0).abs() < 1e-6, "{sum} N·m at {speed} m/s");
        assert!(felt.steering_wheel_torque < 5.0, "{} N·m", felt.steering_wheel_torque);
    }
}

#[test]
fn a_curve_replaces_the_ratio_and_can_be_inverted() {
    let curve = "wheel_angle_deg,steer_deg\n-400,-36\n-90,-6\n0,0\n90,6\n400,36\n";
    let given = [("ratio_curve", curve), ("command", "wheels")];
    let system: SteeringSystem = testing::written_actuator(&given);
    for degrees in [-40.0_f64, -20.0, -3.0, 0.0, 6.0, 30.0, 45.0] {
        let steer = steered(&system, degrees.to_radians(), &mut testing::initial());
        assert!((steer.to_degrees() - degrees).abs() < 1e-9, "{degrees}°: {}°", steer.to_degrees());
    }
    let given = [("ratio_curve", curve)];
    let system: SteeringSystem = testing::written_actuator(&given);
    let steer = steered(&system, 90.0_f64.to_radians(), &mut testing::initial());
    assert!((steer.to_degrees() - 6.0).abs() < 1e-9, "{}°", steer.to_degrees());
}

fn axis(given: &[(&str, f64)]) -> SteeringAxis {
    let degrees = |key: &str| given.iter().find(|(name, _)| *name == key).map_or(0.0, |one| one.1);
    SteeringAxis::new(
        [degrees("caster"), degrees("inclination")].map(f64::to_radians),
        given.iter().find(|(name, _)| *name == "trail").map(|one| one.1),
        degrees("scrub_radius"),
    )
}

/// M = (−n F_y ∓ r F_x + M_z)/|e| for a vertical load of 0 and wheels ahead.
#[test]
fn a_kingpin_takes_forces_behind_and_beside_it() {
    let ground = GroundForce { force: [-1000.0, 2000.0, 0.0], aligning: 15.0 };
    let upright = axis(&[("trail", 0.03), ("scrub_radius", 0.02)]);
    for side in [1.0, -1.0] {
        let found = upright.moment(&ground, [side, 0.0, 0.3, 0.0]);
        let expected = -0.03 * 2000.0 + side * 0.02 * 1000.0 + 15.0;
        assert!((found - expected).abs() < 1e-9, "{found} N·m, expected {expected} N·m");
    }
    // a caster angle makes a trail of R tan τ
    let leaning = axis(&[("caster", 6.0)]);
    let lean = 6.0_f64.to_radians().tan();
    let found = leaning.moment(&ground, [1.0, 0.0, 0.3, 0.0]);
    let expected = (-0.3 * lean * 2000.0 + 15.0) / (1.0 + lean * lean).sqrt();
    assert!((found - expected).abs() < 1e-9, "{found} N·m, expected {expected} N·m");
    // so does that of a suspension
    let guided = axis(&[]).moment(&ground, [1.0, 6.0_f64.to_radians(), 0.3, 0.0]);
    assert!((guided - expected).abs() < 1e-9, "{guided} N·m");
}

/// The weight returns wheels with inclined kingpins: the moments of both sides add up to −2 F_z r sin σ sin δ.
#[test]
fn an_inclined_kingpin_returns_the_wheel_under_its_load() {
    let inclined = axis(&[("inclination", 12.0), ("scrub_radius", 0.05), ("trail", 0.0)]);
    let ground = GroundForce { force: [0.0, 0.0, 4000.0], aligning: 0.0 };
    let sum = |steer: f64| -> f64 {
        [1.0, -1.0].iter().map(|side| inclined.moment(&ground, [*side, 0.0, 0.3, steer])).sum()
    };
    assert!(sum(0.0).abs() < 1e-9, "{} N·m", sum(0.0));
    let expected = -2.0 * 4000.0 * 0.05 * 12.0_f64.to_radians().sin() * 0.2_f64.sin();
    assert!((sum(0.2) - expected).abs() < 1e-9, "{} N·m, expected {expected} N·m", sum(0.2));
}
