#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use simhost_sdk::{Columns, testing};

use super::*;

/// Decelerations of a small car by position of the brake, falling with the brake.
const BRAKE: &str = "default,0,5,10\n0,-0.3,-0.4,-0.5\n0.5,-2,-2.2,-2.4\n1,-6,-6.5,-7\n";

fn file(text: &str) -> Option<TextFile> {
    Some(TextFile { path: "/map.csv".to_owned(), text: text.to_owned() })
}

fn converter() -> CommandConverter {
    CommandConverter {
        accel_map_path: file(include_str!("../../maps/accel.csv")),
        brake_map_path: file(BRAKE),
        steer_map_path: file(include_str!("../../maps/steer_of_tests.csv")),
        max_accel: Some(1.0),
        max_brake: Some(1.0),
        ..testing::controller(&[])
    }
}

fn prepared(mut model: CommandConverter) -> CommandConverter {
    model.prepare().unwrap();
    model
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn a_map_after_its_inverse_is_the_identity() {
    let model = prepared(converter());
    let [accel, brake] = [&model.maps.accel, &model.maps.brake].map(|map| map.as_ref().unwrap());
    for speed in [0.0, 0.7, 3.3, 7.0, 13.0, 20.0, -2.0] {
        for step in 0..=50 {
            let position = 0.01 * f64::from(step);
            let [found, other] = model.pedals(accel.lookup(position, speed), speed);
            near(found, position);
            assert_eq!(other, 0.0);
            let wanted = brake.lookup(2.0 * position, speed);
            // the accelerator map is tried first
            if wanted < accel.lookup(0.0, speed) {
                let [other, found] = model.pedals(wanted, speed);
                near(found, 2.0 * position);
                assert_eq!(other, 0.0);
            }
        }
    }
}

#[test]
fn pedals_stay_within_their_limits() {
    let model = prepared(CommandConverter { max_accel: None, max_brake: None, ..converter() });
    assert_eq!(model.pedals(100.0, 0.0), [0.4, 0.0]);
    assert_eq!(model.pedals(-100.0, 0.0), [0.0, 0.8]);
    // between coasting and the first row of the brake map neither pedal is pressed
    let coasting = prepared(CommandConverter {
        brake_map_path: file(&BRAKE.replace("-0.3", "-2")),
        ..converter()
    });
    assert_eq!(coasting.pedals(-1.0, 0.0), [0.0, 0.0]);
}

#[test]
fn without_maps_the_pedals_are_accelerations() {
    let model = CommandConverter {
        convert_accel_cmd: Some(false),
        convert_brake_cmd: Some(false),
        ..converter()
    };
    let model = prepared(CommandConverter { max_accel: None, max_brake: None, ..model });
    assert_eq!(model.pedals(2.0, 5.0), [2.0, 0.0]);
    assert_eq!(model.pedals(-2.0, 5.0), [0.0, 2.0]);
}

#[test]
fn a_wheel_after_its_inverse_is_the_tyre() {
    let mut model = converter();
    model.convert_steer_cmd_method = Method::Vgr;
    let (model, mut own) = (prepared(model), testing::initial());
    for speed in [0.0, 5.0, 12.0] {
        for tyre in [-0.4, -0.01, 0.0, 0.2, 0.3] {
            let inputs =
                ConverterCommands { odometry_vx: speed, ..ConverterCommands::load(|_| 0.0) };
            let wheel = model.steering(tyre, &inputs, 0.025, &mut own);
            near(wheel / model.gear_ratio.ratio(speed, wheel), tyre);
        }
    }
}

#[test]
fn the_steer_map_gives_the_rate_of_the_command() {
    let mut model = converter();
    model.convert_steer_cmd_method = Method::SteerMap;
    model.use_steer_fb = false;
    let model = prepared(model);
    let inputs = ConverterCommands::load(|_| 0.0);
    let mut own: Feedback = testing::initial();
    assert_eq!(model.steering(0.1, &inputs, 0.1, &mut own), 0.0, "no rate before the first step");
    // 0.25 rad/s
    near(model.steering(0.125, &inputs, 0.1, &mut own), 5.0);
    near(model.steering(0.125, &inputs, 0.1, &mut own), 0.0);
    near(model.steering(-10.0, &inputs, 0.1, &mut own), -10.0);
}

#[test]
fn the_integral_grows_only_in_motion() {
    let pid = converter().steer_pid;
    let mut own: Feedback = testing::initial();
    near(pid.output(0.01, 5.0, 0.1, &mut own), 150.0 * 0.01 + 15.0 * 0.001);
    near(pid.output(0.01, 0.0, 0.1, &mut own), 150.0 * 0.01 + 15.0 * 0.001 * 0.97);
    assert_eq!(pid.output(1.0, 0.0, 0.1, &mut own), 8.0);
    assert_eq!(pid.output(-1.0, 5.0, 0.1, &mut own), -8.0);
}

#[test]
fn errors_name_the_parameter_or_the_place_in_the_map() {
    let fault = |model: CommandConverter| {
        let mut model = model;
        model.prepare().unwrap_err()
    };
    assert_eq!(
        fault(CommandConverter {
            brake_map_path: None,
            convert_brake_cmd: Some(true),
            ..converter()
        }),
        "missing brake_map_path; expected a map, because the conversion that needs it is on"
    );
    let ragged = file("x,0,1\n0,1\n1,2,3\n");
    let text = fault(CommandConverter { accel_map_path: ragged, ..converter() });
    assert!(text.starts_with("/map.csv:2:1: the row has 2 cells"), "{text}");
    let mut limits = converter();
    limits.steer_pid.min_i = 9.0;
    assert_eq!(fault(limits), "steer_pid: min_i is 9; expected at most max_i, 8");
}
